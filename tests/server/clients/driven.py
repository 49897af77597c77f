"""Processes that play clients' parts, one scene after the other: see `driver.mjs` and `client_driver.py`."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

HERE = Path(__file__).parent


class SceneFailed(Exception):
    """What a client threw; `status` and `kind` as its error had them."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['name']}: {error['message']}\n{error.get('stack', '')}")
        self.name: str = error["name"]
        self.message: str = error["message"]
        self.status: int | None = error["status"]
        self.kind: str | None = error["kind"]


class Driver:
    """A process that is asked in lines of JSON and answers in them."""

    def __init__(self, *command: str, **variables: str) -> None:
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("ANTHROPIC_", "OPENAI_"))}
        self._process = subprocess.Popen(
            command,
            cwd=HERE,
            env={**keep, **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    @classmethod
    def node(cls) -> Self:
        return cls("node", "driver.mjs")

    @classmethod
    def python(cls, packages: str) -> Self:
        """`packages` is a folder that is looked in before all others; empty for those that are installed."""
        places = str(HERE / "python_modules" / packages) if packages else ""
        return cls(sys.executable, "client_driver.py", PYTHONPATH=places)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        finally:
            self._process.stdout.close()

    async def play(self, scene: str, url: str, token: str, **stage: Any) -> Any:
        """What the client made of it; raises `SceneFailed` with what it threw. `scene` is `module.function`."""
        module, _, function = scene.rpartition(".")
        line = json.dumps({"module": module, "scene": function, "url": url, "token": token, **stage})
        told = json.loads(await asyncio.to_thread(self._ask, line))
        if "error" in told:
            raise SceneFailed(told["error"])
        return told["value"]

    def _ask(self, line: str) -> str:
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()
