"""A folder as every face but the SDK opens it: its configuration, tools, MCP servers, plugins, rules and store."""

from .model_settings import provider_config
from .tooling import outputs_folder
from .workspace import Workspace

__all__ = ["Workspace", "outputs_folder", "provider_config"]
