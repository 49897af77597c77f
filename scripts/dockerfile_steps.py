"""Run the steps of the Dockerfile without a container: `python scripts/dockerfile_steps.py FOLDER`.

Each stage gets a folder of its own, which stands for its root: absolute paths of the steps lie in it. What needs root
or a Debian of its own is told and left out. So the files that are copied, the commands and what they install are tried;
the base images are not.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
# They change the machine, or its users.
NEEDS_ROOT = ("useradd ", "apt-get ")


class Step(NamedTuple):
    instruction: str
    rest: str


def steps(text: str) -> Iterator[Step]:
    """The instructions of a Dockerfile, without comments, each on one line."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n\s*", " ", "\n".join(lines)).splitlines():
        instruction, _, rest = line.partition(" ")
        yield Step(instruction, rest.strip())


class Stage:
    """`root` stands for /. Programs come from this machine, and Python and what pip installs from a new environment."""

    def __init__(self, root: Path, stages: dict[str, "Stage"]) -> None:
        self.root = root
        self.work = root
        self._stages = stages
        venv.create(root / "python", with_pip=True, symlinks=True)
        self.environ = {**os.environ, "PATH": f"{root / 'python' / 'bin'}:{os.environ['PATH']}"}
        self.environ.pop("VIRTUAL_ENV", None)

    def workdir(self, path: str) -> None:
        self.work = self._inside(path)
        self.work.mkdir(parents=True, exist_ok=True)

    def copy(self, rest: str) -> None:
        parts = rest.split()
        origin = ROOT
        if parts[0].startswith("--from="):
            origin = self._stages[parts.pop(0).partition("=")[2]].root
        *sources, target = parts
        place = self._inside(target)
        for source in sources:
            found = origin / source.lstrip("/")
            if found.is_dir():
                # As .dockerignore has it.
                ignored = shutil.ignore_patterns("node_modules", "__pycache__", *(["page"] if origin == ROOT else []))
                shutil.copytree(found, place, ignore=ignored, dirs_exist_ok=True, symlinks=True)
            else:
                into = place / found.name if target.endswith("/") or place.is_dir() else place
                into.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(found, into)

    def run(self, command: str) -> None:
        if command.startswith(NEEDS_ROOT):
            print(f"left out: {command}")
            return
        moved = re.sub(r"(?<![\w./])/(?=build|opt|data|project)", f"{self.root}/", command)
        print(f"$ {moved}", flush=True)
        subprocess.run(["sh", "-ec", moved], cwd=self.work, env=self.environ, check=True)

    def _inside(self, path: str) -> Path:
        return self.root / path.lstrip("/") if path.startswith("/") else self.work / path


def run_all(dockerfile: Path, folder: Path) -> Stage:
    """Run all stages; the last one's root is `folder`/last."""
    stages: dict[str, Stage] = {}
    stage = None
    for step in steps(dockerfile.read_text()):
        match step.instruction:
            case "FROM":
                name = step.rest.partition(" AS ")[2] or "last"
                stages[name] = stage = Stage(folder / name, stages)
            case "WORKDIR" if stage:
                stage.workdir(step.rest)
            case "COPY" if stage:
                stage.copy(step.rest)
            case "RUN" if stage:
                stage.run(step.rest)
            case "ENV" | "USER" | "VOLUME" | "EXPOSE" | "HEALTHCHECK" | "ENTRYPOINT" | "CMD":
                pass
            case other:
                sys.exit(f"this script does not know {shlex.quote(other)}")
    assert stage is not None
    return stage


def main() -> None:
    target = Path(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="toolpost-image-") as folder:
        last = run_all(ROOT / "Dockerfile", Path(folder))
        shutil.rmtree(target, ignore_errors=True)
        # Scripts name their environment with its whole path; tests start modules.
        shutil.copytree(last.root / "opt" / "toolpost", target, symlinks=True)


if __name__ == "__main__":
    main()
