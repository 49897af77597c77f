"""`toolpost models probe`: test what a model can do, show it, and remember the result."""

from typing import TYPE_CHECKING

from msgspec import Struct

from toolpost.cli.exit_codes import FAILED, OK
from toolpost.cli.shared.language import shown
from toolpost.cli.shared.output import say, say_json
from toolpost.cli.shared.tables import bold, plain
from toolpost.view.cells import width

if TYPE_CHECKING:
    from toolpost.models.probe import ProbeTrial, ProbeVerdict, ServerFacts
    from toolpost.models.resolve import Located
    from toolpost.workspace import Workspace

_WIDTH = 16
_OK = {True: "yes", False: "no", None: "-"}


class Probed(Struct):
    """All of it, for `--json`."""

    model: str
    base_url: str
    server: "ServerFacts | None" = None
    trials: "list[ProbeTrial]" = []
    verdict: "ProbeVerdict | None" = None


async def probe_model(workspace: "Workspace", model_id: str, *, seconds: float, as_json: bool) -> int:
    # Imported here: only this command needs the prompted adapter and its like.
    from toolpost.models.probe import ProbeTrial, ProbeVerdict, probe

    found = workspace.locate(model_id)
    probed = Probed(model_id, found.settings.base_url)
    if not as_json:
        say(shown(f"{bold(plain(model_id))} at {plain(found.settings.base_url) or 'this process'}"))
    async for one in probe(found, seconds=seconds):
        if isinstance(one, ProbeTrial):
            probed.trials.append(one)
        elif isinstance(one, ProbeVerdict):
            probed.verdict = one
        else:
            probed.server = one
        if not as_json and (line := _line(one)):
            say(line)
    verdict = probed.verdict
    assert verdict is not None
    if verdict.mode == "native" or verdict.mode == "prompted":
        found.findings.keep(found.key, verdict.mode, f"probed: {verdict.why}")
    if as_json:
        say_json(probed)
    else:
        say(shown(_conclusion(found, verdict)))
    return OK if verdict.mode else FAILED


def _line(one: "ProbeTrial | ServerFacts | ProbeVerdict") -> str:
    from toolpost.models.probe import ProbeTrial, ServerFacts

    if isinstance(one, ProbeTrial):
        took = f" ({one.seconds:.1f} s)" if one.seconds else ""
        told = "; ".join(map(shown, plain(one.told).split("; ")))
        return f"  {_padded(shown(one.name), _WIDTH)}  {_padded(shown(_OK[one.ok]), 4)} {told}{took}".rstrip()
    if isinstance(one, ServerFacts) and one != ServerFacts():
        said = [
            *([f"tools: {_OK[one.tools]}"] if one.tools is not None else []),
            *([f"context window: {one.context_window:,}"] if one.context_window else []),
        ]
        return f"  {_padded(shown('server reports'), _WIDTH)}  {', '.join(map(shown, said))}"
    return ""


def _padded(text: str, cells: int) -> str:
    return text + " " * (cells - width(text))


def _conclusion(found: "Located", verdict: "ProbeVerdict") -> str:
    if not verdict.mode:
        return (
            f"{verdict.why}: the model is too small for tools, or its template is wrong. Try another dialect or model."
        )
    way = "natively" if verdict.mode == "native" else "as text"
    if found.asking.mode in ("native", "prompted") and found.asking.mode != verdict.mode:
        return f'it works best {way}, but the configuration says tool_calls = "{found.asking.mode}"'
    return f"from now on it is asked for tool calls {way}"
