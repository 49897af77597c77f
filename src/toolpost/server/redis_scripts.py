"""Lua scripts that count usage in Redis or Valkey: each runs as one atomic step, however many workers there are.

They follow the same rules as `usage_limits.LocalLedger`, and are tested beside it. A limit that is not set is -1.
"""

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

TAKE = (
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
SETTLE = (
    _REFRESH
    + """
redis.call('ZREM', KEYS[2], ARGV[11])
tokens = tokens - tonumber(ARGV[12])
day_cost, month_cost = day_cost + tonumber(ARGV[13]), month_cost + tonumber(ARGV[13])
keep()
return 1
"""
)
