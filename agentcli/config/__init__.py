"""The config: what a user can set, read strictly, with the place every value came from."""

from agentcli.config.errors import ConfigError
from agentcli.config.example import example_text, write_example
from agentcli.config.loading import check_tool_names, load_config
from agentcli.config.places import Places, user_places
from agentcli.config.precedence import Flags, config_path
from agentcli.config.records import Config
from agentcli.config.safety import UnsafeFileError, distrust_of, read_guarded
from agentcli.config.show import Row, rows

__all__ = [
    "Config",
    "ConfigError",
    "Flags",
    "Places",
    "Row",
    "UnsafeFileError",
    "check_tool_names",
    "config_path",
    "distrust_of",
    "example_text",
    "load_config",
    "read_guarded",
    "rows",
    "user_places",
    "write_example",
]
