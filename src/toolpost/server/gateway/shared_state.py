"""What a server counts and keeps between requests, in its own memory or together with other workers."""

from toolpost.config.schema import GatewaySettings
from toolpost.server.redis_state import SharedKeeper, SharedLedger, SharedRedis
from toolpost.server.usage_limits import LocalLedger

from .budgets import Budgets
from .cache import Answers, LocalKeeper


class Counting:
    def __init__(self, config: GatewaySettings) -> None:
        self._shared = shared = SharedRedis(config.redis) if config.redis else None
        ledger = SharedLedger(shared) if shared else LocalLedger()
        keeper = SharedKeeper(shared) if shared else LocalKeeper(config.cache.most_bytes)
        users = {name: user.limits for name, user in config.users.items()}
        self.budgets = Budgets(ledger, config.limits, users, config.keys)
        self.answers = Answers(config.cache, keeper)

    async def close(self) -> None:
        if self._shared is not None:
            await self._shared.close()
