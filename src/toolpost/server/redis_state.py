"""Usage counters and cached answers that several workers share in Redis or Valkey.

While it can't be reached, each worker uses its own memory, and the log says so once. The Lua scripts follow the same
rules as `usage_limits.LocalLedger`, and are tested beside it; each is one atomic step. A limit that is not set is -1.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from toolpost.config.schema import UseSettings
from toolpost.extras import missing_text
from toolpost.types.errors import ConfigError

from .usage_limits import CONCURRENT_RETRY, LEASE_SECONDS, LocalLedger, UsageCheck, day_and_month, seconds_left

if TYPE_CHECKING:
    from redis.asyncio import Redis


log = logging.getLogger("toolpost.server")
T = TypeVar("T")

PREFIX = "toolpost"
# The longest that a request waits for it; seconds.
PATIENCE = 2.0
# After a failure it is not asked for so long; seconds.
AWAY_SECONDS = 5.0
CONNECTIONS = 64
_SCHEMES = {"valkey": "redis", "valkeys": "rediss", "redis": "redis", "rediss": "rediss", "unix": "unix"}
# KEYS: the use, the leases. ARGV: now, requests and tokens a minute, concurrent, costs of a day and a month, the day,
# the month, seconds left of both, the lease, its seconds, the tokens, the seconds to wait for a place.
_REFRESH = """
local now, rpm, tpm = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local held = redis.call('HMGET', KEYS[1], 'at', 'requests', 'tokens', 'day', 'day_cost', 'month', 'month_cost')
local at = tonumber(held[1] or '0')
local passed = math.max(0, now - at)
local function filled(level, limit)
  if limit < 0 then return 0 end
  return math.min(limit, tonumber(level or '0') + passed * limit / 60)
end
local requests, tokens = filled(held[2], rpm), filled(held[3], tpm)
local day_cost = held[4] == ARGV[7] and tonumber(held[5] or '0') or 0
local month_cost = held[6] == ARGV[8] and tonumber(held[7] or '0') or 0
at = math.max(at, now)
local function number(value) return string.format('%.17g', value) end
local function keep()
  redis.call('HSET', KEYS[1], 'at', number(at), 'requests', number(requests), 'tokens', number(tokens),
    'day', ARGV[7], 'day_cost', number(day_cost), 'month', ARGV[8], 'month_cost', number(month_cost))
  redis.call('EXPIRE', KEYS[1], 3024000)
end
"""

_TAKE = (
    _REFRESH
    + """
local concurrent, most_day, most_month = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local refused, wait = '', 0
if concurrent >= 0 then redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[1]) end
if most_month >= 0 and month_cost >= most_month then
  refused, wait = 'cost_per_month', tonumber(ARGV[10])
elseif most_day >= 0 and day_cost >= most_day then
  refused, wait = 'cost_per_day', tonumber(ARGV[9])
elseif concurrent >= 0 and redis.call('ZCARD', KEYS[2]) >= concurrent then
  refused, wait = 'concurrent', tonumber(ARGV[14])
elseif rpm >= 0 and requests < 1 then
  refused, wait = 'requests_per_minute', (1 - requests) * 60 / rpm
elseif tpm >= 0 and tokens < 1 then
  refused, wait = 'tokens_per_minute', (1 - tokens) * 60 / tpm
else
  requests, tokens = requests - 1, tokens - tonumber(ARGV[13])
  if concurrent >= 0 then
    redis.call('ZADD', KEYS[2], number(now + tonumber(ARGV[12])), ARGV[11])
    redis.call('EXPIRE', KEYS[2], ARGV[12])
  end
end
keep()
return {refused, number(wait), number(requests), number(tokens)}
"""
)

# ARGV as above, as far as the lease; then the tokens beyond the estimate, and the cost.
_SETTLE = (
    _REFRESH
    + """
redis.call('ZREM', KEYS[2], ARGV[11])
tokens = tokens - tonumber(ARGV[12])
day_cost, month_cost = day_cost + tonumber(ARGV[13]), month_cost + tonumber(ARGV[13])
keep()
return 1
"""
)


class SharedRedis:
    """The connection; it `is_away` after a failure, until it answers again."""

    def __init__(self, url: str, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self._redis = _client(url)
        self._away_until = 0.0
        self.is_away = False
        self._tasks: set[asyncio.Task[Any]] = set()

    async def ask(self, question: Callable[["Redis"], Awaitable[T]]) -> T | None:
        """The answer, or None where there is none in time."""
        # Imported here: only who has one needs it.
        from redis.exceptions import RedisError

        if self.is_away:
            if time.monotonic() < self._away_until:
                return None
            # One asks whether it is back, and the others need not wait for that.
            self._away_until = time.monotonic() + AWAY_SECONDS
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await question(self._redis)
        except (RedisError, OSError, TimeoutError) as error:
            self._lost(error)
            return None
        if self.is_away:
            self.is_away = False
            log.warning("redis answers again: workers count together")
        return answer

    def later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do it beside what runs, which may be about to end."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settled(self) -> None:
        """Wait until all that was to be done later is done, which takes no longer than one answer."""
        await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        await self.settled()
        await self._redis.aclose()

    def _lost(self, error: Exception) -> None:
        self._away_until = time.monotonic() + AWAY_SECONDS
        if not self.is_away:
            self.is_away = True
            why = str(error) or "no answer in time"
            log.warning("redis can't be reached (%s): this worker counts alone until it answers", why)


class SharedLedger:
    def __init__(self, shared: SharedRedis) -> None:
        self._shared = shared
        self._local = LocalLedger(shared.clock)
        self._local_leases: set[str] = set()

    async def take(self, who: str, limits: UseSettings, lease: str, tokens: int) -> UsageCheck:
        keys, arguments = self._told(who, limits, lease)
        arguments += [LEASE_SECONDS, tokens, CONCURRENT_RETRY]
        answer: Any = await self._shared.ask(lambda redis: redis.register_script(_TAKE)(keys, arguments))
        if answer is None:
            self._local_leases.add(lease)
            return await self._local.take(who, limits, lease, tokens)
        refused, *numbers = (part.decode() for part in answer)
        return UsageCheck(refused, *map(float, numbers))

    def settle(self, who: str, limits: UseSettings, lease: str, tokens: int, cost: float) -> None:
        if lease in self._local_leases:
            self._local_leases.discard(lease)
            self._local.settle(who, limits, lease, tokens, cost)
            return
        # Should the others be lost from sight, at least what was spent here still counts.
        self._local.settle(who, limits, lease, 0, cost)
        keys, arguments = self._told(who, limits, lease)
        arguments += [tokens, repr(cost)]
        self._shared.later(self._shared.ask(lambda redis: redis.register_script(_SETTLE)(keys, arguments)))

    def _told(self, who: str, limits: UseSettings, lease: str) -> tuple[list[str], list[Any]]:
        now = self._shared.clock()
        bounds = (
            limits.requests_per_minute,
            limits.tokens_per_minute,
            limits.concurrent,
            limits.cost_per_day,
            limits.cost_per_month,
        )
        told = [-1 if bound is None else bound for bound in bounds]
        # What stands in braces is what a cluster looks at: both are in one place.
        keys = [f"{PREFIX}:{{{who}}}:use", f"{PREFIX}:{{{who}}}:leases"]
        return keys, [repr(now), *told, *day_and_month(now), *map(repr, seconds_left(now)), lease]


class SharedCacheStore:
    """Kept answers of models, or results of searches: `kind` says which. How many bytes of them in all is up to the
    server's own `maxmemory`."""

    def __init__(self, shared: SharedRedis, kind: str = "answer") -> None:
        self._shared = shared
        self._kind = kind

    async def get(self, key: str) -> bytes | None:
        answer: Any = await self._shared.ask(lambda redis: redis.get(f"{PREFIX}:{self._kind}:{key}"))
        return answer

    def put(self, key: str, value: bytes, seconds: float) -> None:
        milliseconds = max(1, round(seconds * 1000))
        place = f"{PREFIX}:{self._kind}:{key}"
        self._shared.later(self._shared.ask(lambda redis: redis.set(place, value, px=milliseconds)))


def _client(url: str) -> "Redis":
    scheme, mark, rest = url.partition("://")
    if not mark or scheme not in _SCHEMES:
        raise ConfigError(f"[server] redis must be redis://, rediss://, valkey:// or unix://, not {scheme!r}")
    try:
        from redis.asyncio import BlockingConnectionPool, Redis
    except ImportError:
        raise ConfigError(missing_text("redis", "[server] redis")) from None
    try:
        pool = BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType]
            f"{_SCHEMES[scheme]}://{rest}", max_connections=CONNECTIONS, timeout=PATIENCE
        )
    except ValueError as error:
        raise ConfigError(f"[server] redis is not a valid address: {error}") from None
    return Redis.from_pool(pool)
