"""What an item is run with: model and agent, the arguments of its run, its files. All can be checked before it runs."""

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import msgspec

from toolpost.cli.shared.input_files import MAX_BYTES
from toolpost.cli.shared.open_session import SessionOpener
from toolpost.control.file_parts import file_part
from toolpost.engine.run_options import RunArguments, RunOptions
from toolpost.engine.session_setup import Setup
from toolpost.engine.structured_output import OutputTarget
from toolpost.guard.paths import FileAccess, ResolvedPath
from toolpost.store.contract import SessionInfo
from toolpost.types.errors import ConfigError, ToolError
from toolpost.types.messages import FilePart

from .items import BatchItem

# Every item could name a model and an agent of its own.
MOST_SETUPS = 100


class ItemSetups:
    """Setups from the arguments of the command and the fields of items, which win.

    `schema` is the output schema of items without one; files of items are in `folder`.
    """

    def __init__(self, opener: SessionOpener, schema: dict[str, Any] | None, folder: Path) -> None:
        self._opener = opener
        self._usual = opener.model_id, opener.agent
        self._schema = schema
        self._files = FileAccess(folder)
        self._setups: dict[tuple[str, ...], Setup] = {}
        self._making = asyncio.Lock()
        self._checked_schemas: set[bytes] = set()
        self._checked_files: set[str] = set()

    async def of(self, item: BatchItem, begun_as: SessionInfo | None = None) -> Setup:
        """`begun_as` has the model and the agent of its open run, which goes on with them unless others are asked for.
        Raises `ConfigError` if that agent is gone: any other may be allowed more."""
        used = ("", "") if begun_as is None else (begun_as.model, begun_as.agent)
        key = item.model, item.agent, *used
        # The opener has one model and one agent at a time.
        async with self._making:
            if key not in self._setups:
                if len(self._setups) >= MOST_SETUPS:
                    del self._setups[next(iter(self._setups))]
                self._setups[key] = await self._made(item, begun_as)
            return self._setups[key]

    def arguments(self, item: BatchItem) -> RunArguments:
        """What its run takes beside prompt and schema, with its files read."""
        return {
            "files": [self._file(path) for path in item.files],
            "options": item.options,
            "system": item.system,
            "variant": item.variant,
        }

    def schema(self, item: BatchItem) -> dict[str, Any] | None:
        """The JSON Schema that its output has to fit."""
        return self._schema if item.output_schema is None else item.output_schema

    async def check(self, item: BatchItem) -> Setup:
        """Raise `ConfigError` where the item can't be run. Files are only looked at."""
        setup = await self.of(item)
        asked = RunOptions.of({"options": item.options, "system": item.system, "variant": item.variant})
        asked.with_variant(setup.model.info, setup.variant, setup.variants)
        self._check_schema(self.schema(item))
        for path in item.files:
            if path not in self._checked_files:
                self._check_file(path)
                self._checked_files.add(path)
        return setup

    async def _made(self, item: BatchItem, begun_as: SessionInfo | None) -> Setup:
        opener = self._opener
        opener.model_id, opener.agent = item.model or self._usual[0], item.agent or self._usual[1]
        used = begun_as.agent if begun_as is not None else ""
        if not opener.agent and used not in ("", "default", *opener.workspace.agents):
            raise ConfigError(f"the agent {used} of the run of item {item.id!r} is gone: --agent names another one")
        return opener.setup(await opener.model(begun_as), begun_as)

    def _check_schema(self, schema: dict[str, Any] | None) -> None:
        if schema is None:
            return
        key = hashlib.blake2b(msgspec.json.encode(schema), digest_size=16).digest()
        if key not in self._checked_schemas:
            OutputTarget.of(schema, 0)
            self._checked_schemas.add(key)

    def _check_file(self, path: str) -> None:
        try:
            self._files.open(self._place(path)).close()
        except ToolError as error:
            raise _of_file(path, error) from error

    def _file(self, path: str) -> FilePart:
        try:
            return file_part(Path(path).name, self._files.read(self._place(path), MAX_BYTES))
        except ToolError as error:
            raise _of_file(path, error) from error

    def _place(self, path: str) -> ResolvedPath:
        """Where the path leads, if an item may name that: whoever wrote the items must not have other files sent."""
        place = self._files.resolve(path)
        if not place.inside or place.secret:
            why = "holds secrets" if place.inside else f"is not in {self._files.root}"
            raise ConfigError(f"{path} {why}: --files names the folder that the files of items are in")
        return place


def _of_file(path: str, error: ToolError) -> ConfigError:
    """Most of these errors name the file already."""
    return ConfigError(str(error) if path in str(error) else f"{path}: {error}")
