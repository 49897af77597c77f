"""The limits of the built-in tools, each with a default and each overridable in `[tool_limits]`."""

from typing import Annotated

from msgspec import Meta, Struct

Positive = Annotated[int, Meta(gt=0, description="a whole number above 0")]
Seconds = Annotated[float, Meta(gt=0, description="a number of seconds above 0")]


class ToolLimits(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Times in seconds, sizes in bytes unless they say otherwise."""

    read_lines: Positive = 2_000
    read_line_chars: Positive = 2_000
    read_bytes: Positive = 50_000
    read_file_bytes: Positive = 200_000_000
    image_bytes: Positive = 5_000_000
    pdf_seconds: Seconds = 30.0
    edit_file_bytes: Positive = 50_000_000

    search_results: Positive = 100
    search_line_chars: Positive = 500
    search_seconds: Seconds = 30.0
    list_entries: Positive = 1_000

    bash_seconds: Seconds = 120.0
    bash_seconds_max: Seconds = 600.0
    bash_memory: Positive = 4_000_000_000
    bash_processes: Positive = 512
    bash_file_bytes: Positive = 10_000_000_000
    jobs: Positive = 8
    job_output_bytes: Positive = 1_000_000
    command_bytes: Positive = 64_000

    # What of a project is copied so that `undo` can take back what commands change.
    snapshot_files: Positive = 100_000
    snapshot_file_bytes: Positive = 10_000_000
    snapshot_bytes: Positive = 1_000_000_000
    snapshot_ignored_files: Positive = 1_000  # a folder that git ignores and that has more is not copied
    snapshot_seconds: Seconds = 5.0  # before one command; the rest is copied before the next
    snapshot_watches: Positive = 30_000  # folders; with more of them every file is looked at around each command
    snapshot_step_bytes: Positive = 500_000_000
    journal_bytes: Positive = 2_000_000_000  # of what commands changed; then the oldest goes

    fetch_seconds: Seconds = 30.0
    fetch_seconds_max: Seconds = 120.0
    fetch_bytes: Positive = 5_000_000
    fetch_redirects: Positive = 5
    search_chars: Positive = 8_000
    search_quick: Positive = 3
    search_deep: Positive = 10
    search_cache_seconds: Seconds = 900.0
    searches_a_minute: Positive = 20

    sql_rows: Positive = 200
    sql_bytes: Positive = 30_000
    sql_value_chars: Positive = 1_000
    sql_seconds: Seconds = 15.0
    sql_memory: Positive = 500_000_000  # of a query on a SQLite file

    task_seconds: Seconds = 1_800.0
    task_depth: Positive = 2
    task_steps: Positive = 50
    batch_calls: Positive = 25

    mcp_seconds: Seconds = 5.0  # a run waits so long for servers that are still connecting

    lsp_seconds: Seconds = 10.0
    lsp_diagnostics: Positive = 20
