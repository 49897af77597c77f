"""The `lsp` tool on a real folder with real language servers."""

import os
import sysconfig
from pathlib import Path

from toolpost.guard.paths import FileAccess
from toolpost.tools.builtin import lsp
from toolpost.tools.define import ToolContext
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.limits import ToolLimits
from toolpost.tools.lsp.servers import servers_of
from toolpost.tools.output import to_result
from toolpost.tools.schema import check_arguments
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import PermissionDenied
from toolpost.types.messages import TextPart


class LspDesk:
    """`asked` is every question in its order; one whose permission is in `denied` is refused. What is in `held_back` is
    denied by a rule."""

    def __init__(self, root: Path, *, limits: ToolLimits | None = None, **settings) -> None:
        self.root = root
        self.bench = Workbench(FileAccess(root), ReadTracker(), limits or ToolLimits(), settings=settings)
        self.tool = lsp.make(self.bench)
        self.asked = []
        self.denied = set()
        self.held_back = set()
        self.environment = {"PATH": os.pathsep.join((sysconfig.get_path("scripts"), os.environ["PATH"]))}

    @property
    def servers(self):
        return servers_of(self.bench)

    async def say(self, **arguments):
        """The text that the model reads."""
        checked = check_arguments(self.tool, arguments)
        self.tool.patterns(arguments)
        result = to_result(await self.tool.execute(checked, self.context()))
        return "\n".join(part.text for part in result.content if isinstance(part, TextPart))

    async def lines(self, **arguments):
        return (await self.say(**arguments)).split("\n")

    async def after_edit(self, name):
        return await self.servers.after_edit(self.context(), self.bench.project_files.resolve(name))

    def put(self, name, content):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)

    def context(self):
        async def ask(permission, patterns, always, title, details):
            self.asked.append((permission, *patterns))
            if permission in self.denied:
                raise PermissionDenied(f"{permission} is denied")

        async def environ():
            return dict(self.environment)

        def decide(permission, pattern):
            return "deny" if pattern in self.held_back else "allow"

        return ToolContext("ses", "msg", "call", self.root, lambda text, details: None, ask, environ, decide=decide)
