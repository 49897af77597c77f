"""What is compared, and what is measured of it."""

from typing import Literal, NamedTuple


class Framework(NamedTuple):
    """`adapter` is a module in `frameworks/`; `environment` a list in `peers/`, or nothing for Toolpost's own."""

    name: str
    label: str
    adapter: str
    imports: str
    environment: str = ""
    store: Literal["", "disk", "memory"] = ""


class Column(NamedTuple):
    """One figure: the `field` of what `measure` gives."""

    measure: str
    field: str
    title: str
    digits: int
    better: Literal["lower", "higher"] = "lower"

    @property
    def key(self) -> str:
        return f"{self.measure}.{self.field}"


def _peer(name: str, imports: str) -> Framework:
    module = name.replace("-", "_")
    return Framework(name, name, module, imports, module)


LIMIT = "limit"
FRAMEWORKS = (
    Framework("asyncio", "raw asyncio", "raw_asyncio", "import bench.frameworks.raw_asyncio"),
    Framework(LIMIT, "limit: asyncio + httptools", "raw_httptools", "import bench.frameworks.raw_httptools"),
    Framework("toolpost", "**Toolpost**", "toolpost", "from toolpost import Agent, tool"),
    Framework("toolpost-disk", "Toolpost, SQLite", "toolpost", "", store="disk"),
    Framework("toolpost-shm", "Toolpost, SQLite without a disk", "toolpost", "", store="memory"),
    _peer("agno", "from agno.agent import Agent; from agno.models.openai import OpenAIChat"),
    _peer("strands", "from strands import Agent, tool; from strands.models.openai import OpenAIModel"),
    _peer("langgraph", "from langchain.agents import create_agent; from langchain_openai import ChatOpenAI"),
    _peer("pydantic-ai", "from pydantic_ai import Agent; from pydantic_ai.models.openai import OpenAIChatModel"),
    _peer("openai-agents", "from agents import Agent, Runner, function_tool"),
)

COLUMNS = (
    Column("steps", "cpu_ms", "CPU a step, ms", 2),
    Column("chunks", "per_s", "chunks/s", 0, "higher"),
    Column("many", "per_s", "steps/s, 200 runs", 0, "higher"),
    Column("many", "rss_mb", "peak MB there", 0),
    Column("growth", "cpu_s", "400 steps, CPU s", 2),
    Column("growth", "times", "step 400 to step 1", 1),
    Column("parallel", "wall_ms", "8 calls of 100 ms, ms", 0),
    Column("import", "wall_ms", "import, ms", 0),
    Column("once", "wall_ms", "cold script, ms", 0),
    Column("once", "rss_mb", "its peak MB", 0),
)
# Up to a minute for a peer, and so far from the rest that one round tells enough.
LONG = "growth"
LONG_ROUNDS = 1
