"""Every number of the built-in tools, in one place, each with a default and each overridable in `[tool_limits]`."""

from msgspec import Struct


class ToolLimits(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Times in seconds, sizes in bytes unless they say otherwise."""

    read_lines: int = 2_000
    read_line_chars: int = 2_000
    read_bytes: int = 50_000
    read_file_bytes: int = 200_000_000
    image_bytes: int = 5_000_000
    edit_file_bytes: int = 50_000_000

    search_results: int = 100
    search_line_chars: int = 500
    search_seconds: float = 30.0
    list_entries: int = 1_000

    bash_seconds: float = 120.0
    bash_seconds_max: float = 600.0
    bash_memory: int = 4_000_000_000
    bash_processes: int = 512
    bash_file_bytes: int = 10_000_000_000
    jobs: int = 8
    job_output_bytes: int = 1_000_000
    command_bytes: int = 64_000

    fetch_seconds: float = 30.0
    fetch_seconds_max: float = 120.0
    fetch_bytes: int = 5_000_000
    fetch_redirects: int = 5
    search_chars: int = 8_000
    search_quick: int = 3
    search_deep: int = 10
    search_cache_seconds: float = 900.0
    searches_a_minute: int = 20

    task_seconds: float = 1_800.0
    task_depth: int = 2
    task_steps: int = 50
    batch_calls: int = 25

    mcp_seconds: float = 5.0  # a run waits so long for servers that are still connecting

    lsp_seconds: float = 10.0
    lsp_diagnostics: int = 20
