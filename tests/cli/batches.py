"""A console with a batch in it: its items, its results, and a model that answers every prompt."""

import msgspec
from console import Console

from toolpost.testing import Turn, text


def prompt_in(request) -> str:
    """The last thing that a person said to the model."""
    said = [message["content"] for message in request.body["messages"] if message["role"] == "user"]
    return said[-1]


def echo(request) -> Turn:
    return text(f"answer to {prompt_in(request)}")


class BatchConsole(Console):
    def write(self, *items, name: str = "items.jsonl") -> None:
        (self.folder / name).write_bytes(b"".join(msgspec.json.encode(item) + b"\n" for item in items))

    async def batch(self, *arguments: str, stdin: bytes | None = None, items: str = "items.jsonl"):
        return await self.call("batch", items, *arguments, stdin=stdin)

    async def batch_to_file(self, *arguments: str):
        return await self.batch("--output", "results.jsonl", *arguments)

    async def start_batch(self, *arguments: str):
        return await self.start("batch", "items.jsonl", *arguments)

    @property
    def results(self):
        return decoded((self.folder / "results.jsonl").read_bytes())


def decoded(data: bytes | str):
    lines = data.encode() if isinstance(data, str) else data
    return [msgspec.json.decode(line) for line in lines.splitlines()]


def by_id(results):
    found = {result["id"]: result for result in results}
    assert len(found) == len(results), "a result was written twice"
    return found
