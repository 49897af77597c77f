"""Build the documentation site into build/site: `python scripts/docs_site.py`, which is what `make docs` calls.

The pages are those that people read in the repository, in two halves: English, and Chinese in the folder `zh`. Each is
staged into one folder, with its README as the first page; the English half has the API reference from the docstrings of
`toolpost.__all__`. Links from one half lead to the other, links out of both to the repository.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import toolpost

ROOT = Path(__file__).resolve().parent.parent
STAGED, SITE = ROOT / "build" / "docs", ROOT / "build" / "site"
CHINESE, STAGED_CHINESE, SITE_CHINESE = ROOT / "docs" / "zh", ROOT / "build" / "docs-zh", ROOT / "build" / "site-zh"
# Pages of the repository that stand outside of docs/, and what they are called on the site.
ELSEWHERE: Mapping[str, str] = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "bench/README.md": "bench.md",
    "bench/chart.svg": "chart.svg",
    "training/README.md": "training.md",
}
# The public names, in the order in which somebody meets them.
REFERENCE: Mapping[str, str] = {
    "Agents and sessions": "Agent Session RunResult Limits Status Answer Rule",
    "Tools": "tool Tool ToolContext ToolResult RateLimit InitContext CancelSignal run_process",
    "Messages and events": "Message TextPart FilePart ToolPart Usage Event",
    "Models": "OpenAIChat OpenAIResponses Anthropic Gemini Ollama Prompted "
    "Model ModelInfo ModelRequest ToolSpec extract_calls CallScanner",
    "Stores, servers and plugins": "Store MemoryStore SqliteStore McpServer Plugin",
    "Errors": "ToolpostError ConfigError ModelError OutputError PermissionDenied RunNotStored "
    "SessionBusy SessionNotFound StoreError ToolError",
}
_LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", type=Path, metavar="FOLDER", help="only look for dead links in a site that is built")
    given = parser.parse_args()
    if given.check is None:
        stage()
        build()
    dead = sorted(set(dead_links(given.check or SITE)))
    if dead:
        sys.exit("links that lead nowhere:\n" + "\n".join(dead))
    print(f"the site is in {SITE.relative_to(ROOT)}: open index.html")


def stage() -> None:
    """Copy all pages and pictures into one folder for each language, with links that hold there."""
    for folder in (STAGED, STAGED_CHINESE):
        shutil.rmtree(folder, ignore_errors=True)
    places = staged_places()
    for source, target in places.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            target.write_text(_relinked(source, places), encoding="utf-8")
        else:
            shutil.copyfile(source, target)
    (STAGED / "reference.md").write_text("\n".join(_reference()), encoding="utf-8")


def staged_places() -> dict[Path, Path]:
    """Where each file of the repository stands in the staged folder."""
    docs = [path for path in (ROOT / "docs").rglob("*") if path.is_file()]
    english = {path: STAGED / path.relative_to(ROOT / "docs") for path in docs if not path.is_relative_to(CHINESE)}
    chinese = {path: STAGED_CHINESE / path.relative_to(CHINESE) for path in docs if path.is_relative_to(CHINESE)}
    chinese[ROOT / "README.zh.md"] = STAGED_CHINESE / "index.md"
    return {**english, **chinese, **{ROOT / name: STAGED / target for name, target in ELSEWHERE.items()}}


def build() -> None:
    """Build both halves, and put the Chinese one into the other."""
    for config in ("zensical.toml", "zensical.zh.toml"):
        command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "--config-file", config]
        subprocess.run(command, cwd=ROOT, check=True, timeout=300)
    shutil.move(SITE_CHINESE, SITE / "zh")


def dead_links(site: Path) -> Iterator[str]:
    """Links of the built pages to files or headings that are not there. Other sites are not asked."""
    pages = {path: _Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = Path(os.path.normpath(path.parent / unquote(parts.path))) if parts.path else path
            if target.is_dir():
                target /= "index.html"
            is_dead = not target.exists() or (
                parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids
            )
            if is_dead:
                yield f"{path.relative_to(site)}: {link}"


class _Page(HTMLParser):
    """The links of a page, and the places in it that a link can lead to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if place := values.get("id") or values.get("name"):
            self.ids.add(place)
        if link := values.get("href") or values.get("src"):
            self.links.append(link)


def _relinked(source: Path, places: Mapping[Path, Path]) -> str:
    """The page with each link to a staged file as it is reached from there, and others as links to the repository."""
    here = places[source].parent

    def relink(match: re.Match[str]) -> str:
        before, target, after = match.groups()
        if urlsplit(target).scheme:
            return match[0]
        path = Path(os.path.normpath(source.parent / target))
        if path in places:
            return f"{before}{_from(here, places[path])}{after}"
        kind = "tree" if path.is_dir() else "blob"
        return f"{before}{_repository()}/{kind}/main/{path.relative_to(ROOT)}{after}"

    return _LINK.sub(relink, source.read_text(encoding="utf-8"))


def _from(here: Path, target: Path) -> str:
    """The way to a page or picture: as a page of this half, or of the site that both are in."""
    if here.is_relative_to(STAGED_CHINESE) == target.is_relative_to(STAGED_CHINESE):
        return os.path.relpath(target, here)
    built = _on_site(target).with_suffix(".html") if target.suffix == ".md" else _on_site(target)
    if built.name == "README.html":
        built = built.with_name("index.html")
    return os.path.relpath(built, _on_site(here))


def _on_site(staged: Path) -> Path:
    if staged.is_relative_to(STAGED_CHINESE):
        return SITE / "zh" / staged.relative_to(STAGED_CHINESE)
    return SITE / staged.relative_to(STAGED)


def _repository() -> str:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Repository"]


def _reference() -> Iterator[str]:
    yield "# API reference"
    yield ""
    yield "Everything that `from toolpost import …` gives, from the docstrings. All other names are private."
    for title, names in REFERENCE.items():
        yield from ("", f"## {title}", "")
        for name in names.split():
            yield from (f"::: toolpost.{name}", "")
    missing = set(toolpost.__all__) - {name for names in REFERENCE.values() for name in names.split()}
    if missing:
        raise SystemExit(f"scripts/docs_site.py: REFERENCE lacks {', '.join(sorted(missing))}")


if __name__ == "__main__":
    main()
