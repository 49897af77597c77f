"""The built-in file tools on a real folder, with what they ask written down."""

from pathlib import Path

from toolpost.guard.paths import FileAccess
from toolpost.tools.builtin import apply_patch, edit, read, write
from toolpost.tools.builtin import list as list_tool
from toolpost.tools.define import ToolContext
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.limits import ToolLimits
from toolpost.tools.output import to_result
from toolpost.tools.schema import check_arguments
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import PermissionDenied
from toolpost.types.messages import TextPart


class Desk:
    """`asked` is every question in its order; one whose permission is in `denied` is refused."""

    def __init__(self, root: Path, limits: ToolLimits | None = None) -> None:
        self.root = root
        self.bench = Workbench(FileAccess(root), ReadTracker(), limits or ToolLimits())
        self.bench.changes = self
        self.tools = {
            tool.name: tool for tool in (m.make(self.bench) for m in (apply_patch, edit, list_tool, read, write))
        }
        self.asked = []
        self.denied = set()
        self.recorded = []

    async def call(self, name, *, session="ses", **arguments):
        """The whole result of a call, checked as the engine checks it."""
        tool = self.tools[name]
        checked = check_arguments(tool, arguments)
        tool.patterns(arguments)
        return to_result(await tool.execute(checked, self._context(session)))

    async def say(self, name, **arguments):
        """The text that the model reads."""
        result = await self.call(name, **arguments)
        return "\n".join(part.text for part in result.content if isinstance(part, TextPart))

    async def record(self, ctx, step):
        place, before, after = step.place, step.before, step.after
        failed = (place.shown, after, before) in self.recorded
        now = place.real.read_bytes() if not failed and place.real.exists() else None
        assert failed or now == before, "a change is recorded before it is made, and its opposite when it failed"
        self.recorded.append((place.shown, before, after))

    def put(self, name, content):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def get(self, name):
        return (self.root / name).read_bytes()

    def snapshot(self):
        """Every path of the project and what is in it."""
        return {
            str(path.relative_to(self.root)): path.read_bytes() if path.is_file() else None
            for path in sorted(self.root.rglob("*"))
        }

    def _context(self, session):
        async def ask(permission, patterns, always, title, details):
            self.asked.append((permission, *patterns))
            if permission in self.denied:
                raise PermissionDenied(f"{permission} is denied")

        async def environ():
            return {}

        return ToolContext(session, "msg", "call", self.root, lambda text, details: None, ask, environ)
