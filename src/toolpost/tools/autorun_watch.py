"""Detect files that run later (git settings, hooks) after each command: quarantine, ask or report.

The state before a command is what counts as known. While several commands and jobs run side by side, it is that before
the first of them: so what one makes while another begins is still new when either ends.
"""

import asyncio
import contextlib
import hashlib
import logging
import os
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Struct, structs

from toolpost.guard.git.repositories import take_snapshot
from toolpost.guard.git.snapshot import AutorunSetting, AutorunSnapshot, changed_settings, known_as, paths_of
from toolpost.guard.quarantine import Quarantine, QuarantineBatch, QuarantinedItem, QuarantineError
from toolpost.guard.sandbox.guarded_paths import writable_roots
from toolpost.types.errors import PermissionDenied
from toolpost.types.text import clean

from .define import ToolContext, ToolResult
from .threads import run_in_thread
from .workbench import Workbench

log = logging.getLogger("toolpost.tools")

REPOSITORY_SETTINGS = "repository_settings"
MAX_NAMED = 8
MAX_VALUE_CHARS = 300
NOT_COMPLETE = (
    "[the project could not be searched completely for files that run later: it has too many files. "
    "Check the new files before you use git or an editor there]"
)


class Aftermath(Struct, frozen=True):
    """The messages after a command: `told` in its result, `notices` to the person who watches."""

    told: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    def added_to(self, result: ToolResult) -> ToolResult:
        """The same result, with all of it."""
        if not self.told and not self.notices:
            return result
        details = {**(result.details or {}), "notices": [*self.told, *self.notices]}
        return structs.replace(result, content=[*result.content, *self.told], details=details)

    def with_notice(self, notice: str) -> "Aftermath":
        """The same, with one notice more unless it is empty."""
        return structs.replace(self, notices=(*self.notices, notice)) if notice else self

    @property
    def text(self) -> str:
        return "".join(f"\n{line}" for line in self.told)


@dataclass
class _Found:
    """What was found for a session and not yet said there."""

    batches: list[tuple[QuarantineBatch, list[AutorunSetting]]] = field(
        default_factory=list[tuple[QuarantineBatch, list[AutorunSetting]]]
    )
    told: list[AutorunSetting] = field(default_factory=list[AutorunSetting])
    complete: bool = True


class AutorunWatch:
    """Watches one project, and what commands may write besides."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self._quarantine = Quarantine(project)
        self._lock = asyncio.Lock()
        self._users: Counter[Path] = Counter()
        self._before = AutorunSnapshot(frozenset(), True, 0.0)
        # What could not be taken away: it is never known.
        self._stuck: frozenset[AutorunSetting] = frozenset()
        self._found: dict[str, _Found] = {}

    async def begin(self, wanted: Sequence[Path]) -> tuple[Path, ...]:
        """Note how things are in these folders before they are written; gives what `end` has to be told."""
        async with self._lock:
            roots = await run_in_thread(lambda: _folders(wanted))
            new = [root for root in roots if root not in self._users]
            if new:
                now = await run_in_thread(lambda: take_snapshot([*self._users, *new]))
                old = tuple(self._users)
                fresh = frozenset(one for one in now.settings - self._stuck if not _is_in_any(one.path, old))
                before = self._before
                settings = fresh | before.settings if old else fresh
                complete, all_told = now.complete and before.complete, now.all_told and before.all_told
                self._before = AutorunSnapshot(settings, complete, now.time, all_told)
            self._users.update(roots)
            return roots

    async def end(self, session_id: str, roots: Sequence[Path]) -> None:
        """Look at what a command left behind. It is finished even if the task that waits for it is cancelled."""
        await asyncio.shield(asyncio.ensure_future(self._end(session_id, roots)))

    async def check(self, session_id: str) -> None:
        """Take away what is new while commands still run."""
        async with self._lock:
            await self._check(session_id)

    async def accept(self, paths: Sequence[Path]) -> None:
        """Let these count as known, because a person has allowed them while commands run."""
        async with self._lock:
            if not self._users:
                return
            now = await run_in_thread(lambda: take_snapshot(tuple(self._users)))
            allowed = frozenset(one for one in now.settings if any(path.is_relative_to(one.path) for path in paths))
            self._know(allowed)

    async def settle(self, ctx: ToolContext) -> Aftermath:
        """Ask for what was taken away, put it back where it is allowed, and say what there is to say."""
        found = self._found.pop(ctx.session_id, _Found())
        told: list[str] = []
        for batch, settings in found.batches:
            told += await self._settle(ctx, batch, settings)
        if not found.complete:
            told.append(NOT_COMPLETE)
        return Aftermath(tuple(told), tuple(_notices(self._project, found.told)))

    def unsaid(self) -> list[str]:
        """The messages about quarantined files that no call has shown."""
        found, self._found = self._found, {}
        said: list[str] = []
        for one in found.values():
            for batch, settings in one.batches:
                said += self._failed(batch, settings)
                said += [self._kept(batch, taken)] if (taken := _taken(batch, settings)) else []
            said += [] if one.complete else [NOT_COMPLETE]
        return said

    async def _end(self, session_id: str, roots: Sequence[Path]) -> None:
        async with self._lock:
            try:
                await self._check(session_id)
            finally:
                self._users.subtract(roots)
                self._users = +self._users
                if not self._users:
                    self._before = AutorunSnapshot(frozenset(), True, 0.0)

    async def _check(self, session_id: str) -> None:
        if not self._users:
            return
        roots, before = tuple(self._users), self._before
        after = await run_in_thread(lambda: take_snapshot(roots))
        new = changed_settings(before, after)
        guarded = [one for one in new if one.verdict == "guard"]
        told = [one for one in new if one.verdict == "tell"]
        self._stuck = frozenset(one for one in self._stuck if not _is_in_any(one.path, roots))
        if not new and after.all_told:
            return
        found = self._found.setdefault(session_id, _Found())
        found.complete = found.complete and after.all_told
        found.told += told
        if guarded:
            batch = await run_in_thread(lambda: self._quarantine.take(guarded, before.settings))
            log.warning("moved to quarantine %s: %s", batch.id, ", ".join(paths_of(guarded)))
            found.batches.append((batch, guarded))
            self._stuck |= await run_in_thread(lambda: known_as(_stuck(batch, guarded)))
        # What is told is said once, and known then.
        self._before = structs.replace(before, settings=before.settings | frozenset(told))

    def _know(self, settings: frozenset[AutorunSetting]) -> None:
        self._before = structs.replace(self._before, settings=self._before.settings | settings)
        self._stuck -= settings

    async def _settle(self, ctx: ToolContext, batch: QuarantineBatch, settings: list[AutorunSetting]) -> list[str]:
        failed = self._failed(batch, settings)
        taken = _taken(batch, settings)
        if not taken:
            return failed
        items = {item.path: item for item in batch.items}
        patterns = [f"{self._shown(one.path)} {_pattern(one, items[one.path], batch.id)}" for one in taken]
        try:
            await ctx.ask(
                REPOSITORY_SETTINGS,
                list(dict.fromkeys(patterns)),
                title=f"Keep files made by a command that are {_runs(taken)}",
                details={"settings": await run_in_thread(lambda: self._described(batch, taken))},
            )
            async with self._lock:
                await run_in_thread(lambda: self._quarantine.restore(batch))
                self._know(known_as(taken))
        except PermissionDenied:
            return [*failed, self._kept(batch, taken)]
        except QuarantineError as error:
            return [*failed, f"[{error}]"]
        return failed

    def _failed(self, batch: QuarantineBatch, settings: Sequence[AutorunSetting]) -> list[str]:
        runs = {clean(one.path): one.runs for one in settings}
        return [
            f"[{self._shown(path)} is {runs.get(path, 'run')} later, and could not be moved away: {why}]"
            for path, why in batch.failed
        ]

    def _kept(self, batch: QuarantineBatch, settings: Sequence[AutorunSetting]) -> str:
        named: dict[str, list[str]] = {}
        for one in settings:
            named.setdefault(self._shown(one.path), []).append(one.name)
        files = [f"{path} ({_some(list(dict.fromkeys(names)))})" for path, names in named.items()]
        return (
            f"[moved to quarantine, because it would be {_runs(settings)} later: {_some(files)}. "
            f"The user can put it back: toolpost quarantine restore {batch.id}]"
        )

    def _described(self, batch: QuarantineBatch, settings: Sequence[AutorunSetting]) -> str:
        """Each setting with its value, and how a file begins that acts as a whole."""
        lines: list[str] = []
        items = {item.path: item for item in batch.items}
        for one in settings[:MAX_NAMED]:
            lines.append(f"{self._shown(one.path)}: {one.name} = {_bounded(one.value)}".removesuffix(" = "))
            if one.kind == "file":
                lines += self._contents(batch, items[one.path])
        if len(settings) > MAX_NAMED:
            lines.append(f"and {len(settings) - MAX_NAMED:,} more")
        return _visible(clean("\n".join(lines)))

    def _contents(self, batch: QuarantineBatch, item: QuarantinedItem) -> list[str]:
        """How each file begins that was taken with an item."""
        lines: list[str] = []
        files = self._quarantine.contents(batch, item, MAX_VALUE_CHARS, MAX_NAMED + 1)
        for name, data in files[:MAX_NAMED]:
            lines += [f"  {self._shown(item.path)}/{name}:"] if name else []
            lines += [f"  {line}" for line in data.decode(errors="replace").splitlines()]
        return [*lines, "  and more files"] if len(files) > MAX_NAMED else lines

    def _shown(self, path: str) -> str:
        return clean(_relative(path, self._project))


def watch_of(bench: Workbench) -> AutorunWatch:
    """The workspace's watch."""
    if bench.watch is None:
        bench.watch = AutorunWatch(bench.project_files.root)
    return bench.watch


def command_roots(bench: Workbench, ctx: ToolContext, granted: Sequence[Path]) -> Sequence[Path]:
    """The folders that a command may write and that are watched; empty without a sandbox: then it could run it
    itself."""
    if ctx.read_only or (bench.sandbox is not None and bench.sandbox.kind == "none"):
        return ()
    return writable_roots(bench.project_files.root, granted)


@contextlib.asynccontextmanager
async def watched(bench: Workbench, ctx: ToolContext, wanted: Sequence[Path]) -> AsyncGenerator[None]:
    """Watch these folders while they are written: new files that run later are moved to quarantine."""
    watch = watch_of(bench)
    roots = await watch.begin(wanted)
    try:
        yield
    finally:
        await watch.end(ctx.session_id, roots)


def _folders(wanted: Sequence[Path]) -> tuple[Path, ...]:
    """Those without links; what is in another one of them needs no look of its own."""
    found = [root for root in dict.fromkeys(path.resolve() for path in wanted) if root.is_dir()]
    return tuple(root for root in found if not any(root != other and root.is_relative_to(other) for other in found))


def _is_in_any(path: str, roots: Sequence[Path]) -> bool:
    return any(Path(path).is_relative_to(root) for root in roots)


def _notices(project: Path, told: Sequence[AutorunSetting]) -> list[str]:
    by_what: dict[str, list[str]] = {}
    for one in told:
        by_what.setdefault(one.runs, []).append(clean(_relative(one.path, project)))
    return [f"{_some(names)}: new or changed, and {runs}" for runs, names in by_what.items()]


def _relative(path: str, project: Path) -> str:
    return str(Path(path).relative_to(project)) if Path(path).is_relative_to(project) else path


def _runs(settings: Sequence[AutorunSetting]) -> str:
    return " or ".join(dict.fromkeys(one.runs for one in settings))


def _taken(batch: QuarantineBatch, settings: Sequence[AutorunSetting]) -> list[AutorunSetting]:
    """Those whose files were moved away."""
    paths = {item.path for item in batch.items}
    return [one for one in settings if one.path in paths]


def _stuck(batch: QuarantineBatch, settings: Sequence[AutorunSetting]) -> list[AutorunSetting]:
    """Those whose files are still in their places."""
    taken = {item.path for item in batch.items}
    return [one for one in settings if one.path not in taken and os.path.lexists(one.path)]


def _pattern(one: AutorunSetting, item: QuarantinedItem, once: str) -> str:
    """A setting as rules know it: its value too, so that an approval does not hold for another one. Of a file that acts
    as a whole that is all its content; where this may change without it, as behind a link, it holds `once`."""
    value = clean(one.value)
    if len(value) > MAX_VALUE_CHARS:
        value = f"sha256 {hashlib.sha256(value.encode()).hexdigest()}"
    if one.kind == "file" and (not item.digest or item.digest not in value):
        value = f"{value} {f'sha256 {item.digest}' if item.digest else once}".strip()
    return f"{clean(one.name)}={value}" if value else clean(one.name)


def _visible(text: str) -> str:
    """Without what moves the cursor or hides text."""
    return "".join(char if char.isprintable() or char in "\n\t" else "\ufffd" for char in text)


def _bounded(value: str) -> str:
    return value if len(value) <= MAX_VALUE_CHARS else f"{value[:MAX_VALUE_CHARS]}…"


def _some(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {more:,} more" if more > 0 else "")
