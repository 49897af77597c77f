"""Files of the project for whoever mentions one."""

from pathlib import Path

from gateway_play import write
from resource_play import people


async def test_files_are_found_by_letters_of_their_paths(folder: Path) -> None:
    for name in ("src/main.py", "src/domain/model.py", "docs/main.md", "README.md"):
        write(folder / name, "x")
    async with people(folder) as every:
        found = (await every.ann.get("/api/project-files", query="main"))["files"]
        spread = (await every.ann.get("/api/project-files", query="sdmo"))["files"]
        every_one = await every.ann.get("/api/project-files", limit=2)
        await every.ann.get("/api/project-files", limit=51, status=400)
    assert found == ["src/main.py", "docs/main.md", "src/domain/model.py"]
    assert spread == ["src/domain/model.py"]
    assert (len(every_one["files"]), every_one["is_whole"]) == (2, True)


async def test_what_is_ignored_hidden_secret_or_held_back_is_left_out(folder: Path) -> None:
    for name in ("kept.txt", "built.log", ".hidden", ".env", "private/key.txt", "id_rsa"):
        write(folder / name, "x")
    write(folder / ".gitignore", "*.log\n")
    rules = '[permissions.glob]\n"*" = "allow"\n"private/**" = "deny"\n'
    async with people(folder, config=rules) as every:
        found = (await every.ann.get("/api/project-files"))["files"]
    assert found == ["kept.txt"]
