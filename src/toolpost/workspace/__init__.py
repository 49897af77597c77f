"""Open a folder for the command line and the server: configuration, tools, MCP servers, plugins, rules and store."""

from .model_settings import provider_config
from .tool_setup import outputs_folder
from .workspace import Workspace

__all__ = ["Workspace", "outputs_folder", "provider_config"]
