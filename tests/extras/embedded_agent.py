"""What the extra `local` is for: a model inside the process answers, and the adapters of others are there."""

import sys

from toolpost import Agent
from toolpost.models.embedded.qwen import ADAPTER_SHA256, adapter_of

result = Agent("embedded/smollm2", options={"max_tokens": 4}).run_sync("Say hello.")
assert result.text, result
assert all(adapter_of(name).is_file() for name in ADAPTER_SHA256)
sys.stdout.write("done\n")
