"""What can be wrong with a schedule that a person asks for."""

from toolpost.types.errors import ConfigError


class TimingError(ConfigError):
    """When a schedule should fire can't be read, or never comes. `field` is what is wrong: cron, every, at, until,
    time_zone."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
