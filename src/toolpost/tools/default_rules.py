"""The default permission rules of the built-in tools: which are allowed; everything else asks."""

from toolpost.guard.rules import Rule

# Whatever is not here is asked for: edit, bash, job_start, web_fetch, external_directory, secret and so on.
ALLOWED = (
    "batch",
    "calculator",
    "code_search",
    "glob",
    "grep",
    "job_read",
    "job_stop",
    "job_wait",
    "list",
    "lsp",
    "mcp_call_tool",
    "mcp_list_resources",
    "mcp_read_resource",
    "mcp_search_tools",
    "question",
    "read",
    "skill",
    "task",
    "todo_read",
    "todo_write",
    "web_search",
)

# What is asked for beside the permission that a tool has, or shares with others.
BESIDE = ("bash_network", "doom_loop", "external_directory", "mcp_sampling", "repository_settings", "secret")

# The source of rules that are there to be overruled.
DEFAULT = "default"
DEFAULT_RULES = tuple(Rule(permission, "*", "allow", DEFAULT) for permission in ALLOWED)
