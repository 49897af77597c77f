"""Run the evaluation that the arguments ask for: cases, variants, resumed results, stop on a signal."""

import asyncio
import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from types import TracebackType
from typing import Protocol, Self

from toolpost import __version__
from toolpost.cli.exit_codes import FAILED, OK, STOPPED
from toolpost.cli.shared.formats import at_home
from toolpost.cli.shared.output import say_notices, say_on_stderr
from toolpost.cli.shared.progress_bar import Pace, ProgressBar, can_draw
from toolpost.cli.shared.signals import stopping
from toolpost.cli.shared.tables import plain
from toolpost.engine.limits import Limits
from toolpost.evals.cases import Case, CaseSet, load_set
from toolpost.evals.results import CaseResult, Results, header_of
from toolpost.evals.trial import Subject, run_cases
from toolpost.evals.variants import Variant, all_variants
from toolpost.models.contract import Model
from toolpost.models.resolve import LOCAL
from toolpost.types.errors import ConfigError
from toolpost.types.text import counted
from toolpost.workspace import Workspace

_SECONDS_BETWEEN_LINES = 5.0
GRAMMARS: dict[str | None, tuple[bool, ...]] = {None: (), "on": (True,), "off": (False,), "both": (True, False)}
# Requests to other machines are put side by side; a model on this one is timed by itself.
CONCURRENCY, CONCURRENCY_HERE = 4, 1
HERE = {*LOCAL, "embedded"}


class _EvalProgress(Protocol):
    """Used in a `with`. `begin` is called once a variant, `advance` after each of its cases."""

    def begin(self, name: str, total: int, finished: int) -> None: ...
    def advance(self, outcome: CaseResult) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def _progress() -> _EvalProgress:
    return _Bar() if can_draw(sys.stderr) else _Lines()


class _Count:
    """What is said beside a bar or in a line."""

    def __init__(self, name: str, total: int, finished: int) -> None:
        self.name = plain(name)
        self.total = total
        self.finished = finished
        self._tried = self._passed = self._errors = 0

    def add(self, outcome: CaseResult) -> None:
        self.finished += 1
        self._errors += outcome.error is not None
        if outcome.error is None:
            self._tried += 1
            self._passed += outcome.scores["passed"]

    @property
    def text(self) -> str:
        errors = f", errors: {self._errors}" if self._errors else ""
        return f"passed: {self._passed} of {self._tried}{errors}" if self._tried or self._errors else ""


class _Bar:
    """One line a variant; that of the last one is drawn, and those before it stay."""

    def __init__(self) -> None:
        self._bar = ProgressBar(sys.stderr)
        self._count = _Count("", 0, 0)
        self._pace = Pace(0)

    def begin(self, name: str, total: int, finished: int) -> None:
        self._bar.keep()
        self._count, self._pace = _Count(name, total, finished), Pace(finished)
        self._draw()

    def advance(self, outcome: CaseResult) -> None:
        self._count.add(outcome)
        self._draw()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.keep()

    def _draw(self) -> None:
        count = self._count
        figures = (f"{count.finished}/{count.total}", count.text, self._pace.left(count.finished, count.total))
        self._bar.draw(count.name, count.finished, count.total, "  ".join(filter(None, figures)))


class _Lines:
    def __init__(self) -> None:
        self._count = _Count("", 0, 0)
        self._said = time.monotonic()

    def begin(self, name: str, total: int, finished: int) -> None:
        self._count = _Count(name, total, finished)
        self._say()

    def advance(self, outcome: CaseResult) -> None:
        self._count.add(outcome)
        is_due = time.monotonic() - self._said >= _SECONDS_BETWEEN_LINES
        if is_due or self._count.finished == self._count.total:
            self._say()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def _say(self) -> None:
        count = self._count
        passed = f", {count.text}" if count.text else ""
        sys.stderr.write(f"{count.name}: {count.finished} of {counted(count.total, 'case')}{passed}\n")
        sys.stderr.flush()
        self._said = time.monotonic()


async def evaluate(workspace: Workspace, args: Namespace) -> int:
    """Run every case of every variant that has no result yet; gives the exit status."""
    given = load_set(args.set)
    cases = _chosen(given, args)
    variants = _variants(workspace, args)
    subjects = [_subject(workspace, variant) for variant in variants]
    say_notices(workspace)
    task = asyncio.current_task()
    assert task is not None
    with (
        Results(args.out, header_of(given, __version__), fresh=args.fresh) as results,
        stopping(task.cancel) as signals,
    ):
        try:
            with _progress() as shown:
                is_given_up = await _run_all(subjects, cases, results, shown, args.concurrency)
        except asyncio.CancelledError:
            if not signals.asked:
                raise
            _say_how_to_go_on(results, variants, cases, args)
            return STOPPED
    errors = sum(outcome.error is not None and outcome.variant in variants for outcome in results.outcomes)
    if errors:
        say_on_stderr(f"{counted(errors, 'case')} ended in an error; to retry: {_same_command(args)}")
    return FAILED if errors or is_given_up else OK


def open_variant(workspace: Workspace, variant: Variant) -> Model:
    """The model, asked for its calls in the variant's way."""
    return workspace.model(variant.model, tools=variant.mode or "", dialect=variant.dialect, grammar=variant.grammar)


def _chosen(given: CaseSet, args: Namespace) -> list[Case]:
    chosen = [
        case
        for case in given.cases
        if (not args.category or case.category in args.category)
        and (not args.language or case.language in args.language)
    ]
    if not chosen:
        languages = ", ".join(sorted({case.language for case in given.cases}))
        raise ConfigError(f"no case of {given.name} has this category and language; its languages: {languages}")
    wanted = min(args.limit or len(chosen), len(chosen))
    # Spread over the whole, because sets are written category by category.
    return [chosen[place * len(chosen) // wanted] for place in range(wanted)]


def _variants(workspace: Workspace, args: Namespace) -> list[Variant]:
    if set(args.mode) == {"native"} and (args.dialect or args.grammar):
        raise ConfigError("--dialect and --grammar need --mode prompted")
    _, agent = workspace.agent()
    configured = workspace.model_id(agent=agent)
    models = args.models or ([configured] if configured else [])
    if not models:
        raise ConfigError("no model is given: use toolpost eval PROVIDER/MODEL (`toolpost models` lists the providers)")
    return all_variants(models, args.mode, args.dialect, GRAMMARS[args.grammar])


def _subject(workspace: Workspace, variant: Variant) -> Subject:
    model = open_variant(workspace, variant)
    _, agent = workspace.agent()
    limits = Limits(**workspace.config.limits.given())
    return Subject(variant, model, options=workspace.options(model, agent), limits=limits)


async def _run_all(
    subjects: Sequence[Subject], cases: Sequence[Case], results: Results, shown: _EvalProgress, concurrency: int | None
) -> bool:
    """One variant after another. True if one was given up; the others are run all the same."""

    def finished(outcome: CaseResult) -> None:
        results.add(outcome)
        shown.advance(outcome)

    is_given_up = False
    for subject in subjects:
        variant = subject.variant
        left = [case for case in cases if not results.is_finished(variant, case.id)]
        shown.begin(variant.name, len(cases), len(cases) - len(left))
        is_here = variant.model.partition("/")[0] in HERE
        at_once = concurrency or (CONCURRENCY_HERE if is_here else CONCURRENCY)
        error = await run_cases(subject, left, finished, concurrency=at_once)
        if error is not None:
            is_given_up = True
            say_on_stderr(f"{variant.name} was stopped: {error.message}")
    return is_given_up


def _say_how_to_go_on(results: Results, variants: Sequence[Variant], cases: Sequence[Case], args: Namespace) -> None:
    done = sum(results.is_finished(variant, case.id) for variant in variants for case in cases)
    say_on_stderr(
        f"stopped: {done} of {counted(len(variants) * len(cases), 'case')} are done and saved in {at_home(args.out)}\n"
        f"to continue: {_same_command(args)}; to see the results so far: toolpost eval --report {args.out}"
    )


def _same_command(args: Namespace) -> str:
    return "the same command without --fresh" if args.fresh else "the same command"
