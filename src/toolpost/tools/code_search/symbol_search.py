"""Search for the definitions and uses of a name: ripgrep finds the files, tree-sitter says what the name is there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from msgspec import Struct

from toolpost.guard.paths import ResolvedPath
from toolpost.tools.define import ToolContext
from toolpost.tools.limits import ToolLimits
from toolpost.tools.threads import run_in_thread
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError
from toolpost.types.text import counted

from .dependencies import environments
from .file_selection import Selection, shown_below
from .languages import BY_SUFFIX, language_of
from .matched_lines import relative
from .ripgrep import run_ripgrep, search_target
from .symbols import CodeSymbol, find_symbols

MAX_WORDS = 8
_NAME = re.compile(r"[^\W\d]\w*")
MAX_CANDIDATES = 300
MAX_FILE_BYTES = 2_000_000
MAX_DEFINITIONS = 20
SNIPPET_LINES = 8
LINE_CHARS = 200
# What a line that defines a name may look like; what it is, tree-sitter says.
DEFINING = (
    r"\b(?:def|class|function|func|fn|struct|enum|union|trait|interface|type|mod|module|namespace|record|const|static|var"
    r"|let|define|macro_rules!|typedef|using)\b.*{name}|{name}\s*[=:({{<]"
)


class CodeQuery:
    """`Parser.parse` is the name `parse` in `Parser`; `parse config` are words of `parse_config` and `ParseConfig`."""

    def __init__(self, text: str) -> None:
        # Dots and the like join a path of names, blanks the words of one name.
        paths = [re.findall(_NAME, path) for path in re.sub(r"\(.*", "", text).split()]
        words = [path[-1] for path in paths if path]
        if not words:
            raise ToolError(
                f"{text!r} has no name in it; give one such as parse_config or Parser.parse.", kind="invalid"
            )
        if len(words) > MAX_WORDS:
            raise ToolError("Give one name, or a few words of it. For other texts use grep.", kind="invalid")
        self.scope = paths[0][-2] if len(words) == 1 and len(paths[0]) > 1 else ""
        self.words = words

    @property
    def exact(self) -> str:
        """The name as it stands, where it is one."""
        return rf"\b{self.words[0]}\b" if len(self.words) == 1 else ""

    @property
    def loose(self) -> str:
        """Names with all the words in them, in this order."""
        return r"(?i)\b\w*" + r"\w*".join(word.strip("_") for word in self.words) + r"\w*"

    def rank(self, symbol: CodeSymbol) -> tuple[int, int, int]:
        """Smaller is better: in the right scope, named just so, and no mere variable."""
        astray = bool(self.scope) and self.scope not in symbol.scope.split(".")
        bare = "".join(self.words).lower().replace("_", "")
        name = symbol.name.replace("_", "").lower()
        unlike = 0 if symbol.name in self.words else 1 if name == bare else 2
        return (int(astray), unlike, int(symbol.kind in ("variable", "field", "declaration")))


class SearchScope(Struct, frozen=True):
    """The folders that are searched at once: of the `project` or of its `dependencies`."""

    name: str
    folders: tuple[ResolvedPath, ...]


class Occurrence(Struct, frozen=True):
    path: str
    symbol: CodeSymbol
    code: tuple[str, ...]


class FoundCode(Struct, frozen=True):
    definitions: Sequence[Occurrence]
    references: Sequence[Occurrence]
    cut: bool = False

    def text(self, limits: ToolLimits) -> str:
        """The text for the model; empty if nothing was found."""
        lines = [*self._defined(), *self._used(limits.search_results)]
        if lines and self.cut:
            lines.append("(there are more files with this name than were looked at; give a longer or a scoped name)")
        return "\n".join(lines)

    def _defined(self) -> Iterator[str]:
        shown = self.definitions[:MAX_DEFINITIONS]
        for found in shown:
            symbol = found.symbol
            name = f"{symbol.scope}.{symbol.name}" if symbol.scope else symbol.name
            yield f"{found.path}:{symbol.line} {symbol.kind} {name}"
            yield from (f"  {symbol.line + at}: {line}" for at, line in enumerate(found.code))
            left = symbol.last_line - symbol.line + 1 - len(found.code)
            if left > 0:
                yield f"  [… {counted(left, 'more line')}]"
        if len(self.definitions) > len(shown):
            yield f"… and {counted(len(self.definitions) - len(shown), 'more definition')}."

    def _used(self, limit: int) -> Iterator[str]:
        if self.references:
            yield f"Used ({len(self.references):,}):"
        for path, group in groupby(self.references[:limit], key=lambda found: found.path):
            yield path
            yield from (f"  {found.symbol.line}: {found.code[0].strip()}" for found in group)
        if len(self.references) > limit:
            yield f"… and {len(self.references) - limit:,} more."


async def search_code(
    bench: Workbench, ctx: ToolContext, query: CodeQuery, kind: str, source: SearchScope
) -> FoundCode:
    """First for the very name; where it is not defined, for names with its words in them."""
    exact = await _search(bench, ctx, query, kind, source, query.exact) if query.exact else FoundCode((), ())
    if exact.definitions or (kind == "reference" and exact.references):
        return exact
    loose = await _search(bench, ctx, query, kind, source, query.loose)
    return exact if exact.references and not loose.definitions else loose


async def _search(
    bench: Workbench, ctx: ToolContext, query: CodeQuery, kind: str, source: SearchScope, pattern: str
) -> FoundCode:
    looks = {
        "definition": [DEFINING.format(name=f"(?:{pattern})")],
        "reference": [pattern],
        "any": [DEFINING.format(name=f"(?:{pattern})"), pattern],
    }
    candidates: dict[str, Path] = {}
    cut = False
    for folder in source.folders:
        for look in looks[kind]:
            paths, complete = await _candidates(bench, ctx, folder, look, project=source.name == "project")
            cut |= not complete
            candidates |= {shown_below(folder, path): folder.real / path for path in paths}
    names = re.compile(pattern.encode())
    found = await run_in_thread(lambda: list(_read_all(bench, candidates, names)))
    definitions = _best_first(query, [one for one in found if one.symbol.kind]) if kind != "reference" else ()
    references = sorted((one for one in found if not one.symbol.kind), key=_place) if kind != "definition" else ()
    return FoundCode(definitions, references, cut)


def _best_first(query: CodeQuery, definitions: Sequence[Occurrence]) -> list[Occurrence]:
    """Where one is in the scope that was asked for, only those."""
    ranked = [(query.rank(one.symbol), _place(one), one) for one in definitions]
    fewest = min((rank[0] for rank, _, _ in ranked), default=0)
    return [one for rank, _, one in sorted(ranked, key=lambda entry: entry[:2]) if rank[0] == fewest]


async def _candidates(
    bench: Workbench, ctx: ToolContext, folder: ResolvedPath, pattern: str, *, project: bool
) -> tuple[list[str], bool]:
    """The files below a folder in which something like this stands, and whether those are all."""
    selection = Selection(ctx, folder, None, hidden=not project, permissions=("read",))
    paths: list[str] = []

    def take(piece: bytes) -> bool:
        if selection(path := relative(piece)):
            paths.append(path)
        return len(paths) < MAX_CANDIDATES

    if project:
        narrowed = ["--glob=!node_modules/", *(f"--glob=!/{name}/" for name in environments(bench.project_files))]
    else:
        narrowed = ["--no-ignore", "--hidden"]
    types = [f"--type-add=code:*{suffix}" for suffix in BY_SUFFIX]
    arguments = ["--files-with-matches", "--null", f"--regexp={pattern}", *types, "--type=code", *narrowed]
    with search_target(bench.project_files, folder) as where:
        run = await run_ripgrep(arguments, ctx, where, take, end=b"\0", seconds=bench.limits.search_seconds)
    return paths, len(paths) < MAX_CANDIDATES and not run.timed_out


def _read_all(bench: Workbench, files: Mapping[str, Path], names: re.Pattern[bytes]) -> Iterator[Occurrence]:
    for path, file in files.items():
        yield from _read(bench, path, file, names)


def _read(bench: Workbench, path: str, file: Path, names: re.Pattern[bytes]) -> Iterator[Occurrence]:
    language = language_of(path)
    try:
        place = bench.project_files.resolve(str(file))
        data = (
            bench.project_files.read(place, MAX_FILE_BYTES) if language and place.inside and not place.secret else b""
        )
    except ToolError:
        return  # gone, too large, not to be read, or odd by its name: no place to find a definition in
    if language is None or not data:
        return
    lines = data.split(b"\n")
    for symbol in find_symbols(data, language, names):
        last = min(symbol.last_line, symbol.line + SNIPPET_LINES - 1)
        code = tuple(line.decode(errors="replace").rstrip()[:LINE_CHARS] for line in lines[symbol.line - 1 : last])
        yield Occurrence(path, symbol, code)


def _place(found: Occurrence) -> tuple[bool, str, int]:
    """What is in the tests comes last."""
    return "test" in found.path, found.path, found.symbol.line
