"""Run the evaluation that the arguments ask for: cases, variants, resumed results, stop on a signal."""

import asyncio
from argparse import Namespace
from collections.abc import Sequence

from toolpost import __version__
from toolpost.cli.exit_codes import FAILED, OK, STOPPED
from toolpost.cli.shared.formats import at_home
from toolpost.cli.shared.output import say_notices, say_on_stderr
from toolpost.cli.shared.signals import stopping
from toolpost.engine.limits import Limits
from toolpost.evals.case_files import load_set
from toolpost.evals.cases import Case, CaseSet
from toolpost.evals.results import CaseResult, Results, header_of
from toolpost.evals.trial import Subject, run_cases
from toolpost.evals.variants import Variant, all_variants
from toolpost.models.contract import Model
from toolpost.models.resolve import LOCAL
from toolpost.types.errors import ConfigError
from toolpost.types.plurals import counted
from toolpost.workspace import Workspace

from .progress import EvalProgress, progress

GRAMMARS: dict[str | None, tuple[bool, ...]] = {None: (), "on": (True,), "off": (False,), "both": (True, False)}
# Requests to other machines are put side by side; a model on this one is timed by itself.
CONCURRENCY, CONCURRENCY_HERE = 4, 1
HERE = {*LOCAL, "embedded"}


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
            with progress() as shown:
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
    subjects: Sequence[Subject], cases: Sequence[Case], results: Results, shown: EvalProgress, concurrency: int | None
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
