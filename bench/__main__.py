"""Run the bench: every round takes every measure of every framework once, so that a slow minute hits all alike."""

import argparse
import contextlib
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from .chart import write_chart
from .cold import STARTS, import_alone, start
from .environments import python_of
from .plan import FRAMEWORKS, LONG, LONG_ROUNDS, Framework
from .report import as_text, frameworks_table, starts_table, syncs_text, write_readme
from .results import Results
from .sample import MEMORY_DISK, SCRATCH, Failed, Sample, count_syncs, sync_ms, upstream, work
from .worker import MEASURES


def main() -> int:
    options = _parser().parse_args()
    chosen = _chosen(options)
    SCRATCH.mkdir(exist_ok=True)
    for framework in chosen:
        python_of(framework.environment)
    results = Results()
    # Ctrl-C ends the measuring; what was taken until then is shown and kept.
    with upstream() as base, contextlib.suppress(KeyboardInterrupt):
        _warm_up(chosen, base)
        for round_number in range(1 if options.quick else options.rounds):
            print(f"round {round_number + 1}", flush=True)
            _take_round(results, chosen, base, round_number, options.quick)
            results.rounds += 1
        _look_at_syncs(results, chosen, base)
    _show(results)
    name = options.out or SCRATCH / time.strftime("%Y%m%d-%H%M%S.json")
    results.write(Path(name))
    print(f"\nwritten to {name}")
    if options.write_readme:
        write_chart(results)
        write_readme(results)
    peers = {framework.name for framework in FRAMEWORKS if framework.environment}
    return 1 if any(who.split()[0] not in peers for who in results.failures) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each figure is taken (default 5)")
    parser.add_argument("--quick", action="store_true", help="one round, without the peers' long conversation")
    parser.add_argument("--no-peers", action="store_true", help="Toolpost and its limit only; installs nothing")
    names = [framework.name for framework in FRAMEWORKS]
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument("--out", type=Path, help="where the JSON goes (default: bench/results/)")
    parser.add_argument(
        "--write-readme", action="store_true", help="put the figures and the chart into bench/README.md"
    )
    return parser


def _chosen(options: argparse.Namespace) -> list[Framework]:
    return [
        framework
        for framework in FRAMEWORKS
        if (not options.only or framework.name in options.only)
        and not (options.no_peers and framework.environment)
        and (framework.store != "memory" or MEMORY_DISK.is_dir())
    ]


def _warm_up(chosen: Sequence[Framework], base: str) -> None:
    """The first start of a program writes its bytecode and caches; every later one is what a user knows as cold."""
    print("warming up", flush=True)
    for framework in chosen:
        with contextlib.suppress(Failed):
            work(framework, "once", base)
    for case in STARTS:
        with contextlib.suppress(Failed):
            start(case, base)


def _take_round(results: Results, chosen: Sequence[Framework], base: str, round_number: int, quick: bool) -> None:
    for measure in MEASURES:
        for framework in chosen:
            if measure == LONG and framework.environment and (quick or round_number >= LONG_ROUNDS):
                continue
            _take(results, framework.name, measure, lambda f=framework, m=measure: work(f, m, base))
    for framework in chosen:
        if framework.imports:
            _take(results, framework.name, "import", lambda f=framework: import_alone(f, base))
    for case in STARTS:
        _take(results, case.name, "start", lambda c=case: start(c, base))


def _take(results: Results, who: str, what: str, sample: Callable[[], Sample]) -> None:
    """Take one sample and say so; one that fails is reported at the end, and the others go on."""
    try:
        figures = sample()
    except Failed as error:
        results.fail(who, what, str(error))
        print(f"  {who:14} {what:9} failed", flush=True)
        return
    results.add(who, what, figures)
    print(f"  {who:14} {what:9} {'  '.join(f'{key} {value:,.2f}' for key, value in figures.items())}", flush=True)


def _look_at_syncs(results: Results, chosen: Sequence[Framework], base: str) -> None:
    for framework in chosen:
        if framework.store == "disk":
            results.notes["fsync_ms"] = sync_ms()
            for measure in ("steps", "chunks", "many", "growth"):
                results.notes[f"fsyncs {measure}"] = count_syncs(framework, measure, base)


def _show(results: Results) -> None:
    for part in (as_text(frameworks_table(results)), as_text(starts_table(results)), syncs_text(results)):
        print(f"\n{part}")
    for what, text in results.failures.items():
        print(f"\n{what} failed: {text}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
