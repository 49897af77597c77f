"""The search tools on a real folder, with what they ask written down."""

import os
import subprocess
from pathlib import Path

from toolpost.guard.paths import FileAccess
from toolpost.tools.builtin import code_search, glob, grep
from toolpost.tools.define import ToolContext
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.limits import ToolLimits
from toolpost.tools.output import to_result
from toolpost.tools.schema import check_arguments
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import PermissionDenied
from toolpost.types.messages import TextPart


class SearchDesk:
    """`asked` is every question in its order; one whose permission is in `denied` is refused."""

    def __init__(self, root: Path, **limits) -> None:
        self.root = root
        self.bench = Workbench(FileAccess(root), ReadTracker(), ToolLimits(**limits))
        self.tools = {made.name: made for made in (module.make(self.bench) for module in (code_search, glob, grep))}
        self.asked = []
        self.denied = set()
        self.environment = {"PATH": os.environ["PATH"]}

    async def call(self, name, **arguments):
        """The whole result of a call, checked as the engine checks it."""
        tool = self.tools[name]
        checked = check_arguments(tool, arguments)
        tool.patterns(arguments)
        return to_result(await tool.execute(checked, self.context()))

    async def say(self, name, **arguments):
        """The text that the model reads."""
        result = await self.call(name, **arguments)
        return "\n".join(part.text for part in result.content if isinstance(part, TextPart))

    async def lines(self, name, **arguments):
        return (await self.say(name, **arguments)).split("\n")

    def put(self, name, content="", age=0):
        """A file that was changed `age` seconds before a moment that is the same for all."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
        return path

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True)

    def context(self):
        async def ask(permission, patterns, always, title, details):
            self.asked.append((permission, *patterns))
            if permission in self.denied:
                raise PermissionDenied(f"{permission} is denied")

        async def environ():
            return dict(self.environment)

        return ToolContext("ses", "msg", "call", self.root, lambda text, details: None, ask, environ)
