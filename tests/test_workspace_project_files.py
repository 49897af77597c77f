"""Files and folders of a project, found by letters of their paths."""

import asyncio
from pathlib import Path

from toolpost.workspace import Workspace
from toolpost.workspace.project_files import FileIndex


def project(folder: Path, *paths: str) -> Workspace:
    (folder / ".git").mkdir()
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("x")
    return Workspace(folder, trusted=True)


async def test_folders_are_found_with_their_files(tmp_path: Path) -> None:
    index = FileIndex(project(tmp_path, "src/app/main.py", "src/app/view.py", "docs/app.md", ".hidden/app.md"))
    assert await index.files_and_folders("app", 10) == [
        "src/app/",
        "docs/app.md",
        "src/app/main.py",
        "src/app/view.py",
    ]
    assert await index.files("app", 10) == ["docs/app.md", "src/app/main.py", "src/app/view.py"]
    assert await index.files_and_folders("./src\\ma", 10) == ["src/app/main.py"]
    assert await index.files_and_folders("", 2) == ["docs/", "src/"]
    assert index.is_whole


async def test_searches_at_once_list_the_files_once(tmp_path: Path) -> None:
    index = FileIndex(project(tmp_path, "a.py", "b.py"))
    found = await asyncio.gather(*(index.files(query, 5) for query in ("a", "b", "py")))
    assert found == [["a.py"], ["b.py"], ["a.py", "b.py"]]


async def test_an_empty_folder_has_nothing(tmp_path: Path) -> None:
    assert await FileIndex(project(tmp_path)).files_and_folders("a", 5) == []
