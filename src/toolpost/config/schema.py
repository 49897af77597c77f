"""The schema of `config.toml`: one struct per table. None means not set, so the default applies."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, structs

from toolpost.guard.rules import Rule
from toolpost.tools.limits import Positive, Seconds, ToolLimits
from toolpost.tools.lsp.settings import LanguageServerSettings
from toolpost.tools.sql.settings import DatabaseSettings
from toolpost.tools.web.settings import WebSettings

Count = Annotated[int, Meta(ge=0, description="a whole number, 0 or more")]
Amount = Annotated[float, Meta(ge=0, description="a number, 0 or more")]
Rate = Annotated[float, Meta(gt=0, description="a number above 0")]

Headless = Literal["deny", "allow", "fail"]
Resume = Literal["auto", "ask", "never"]
TuiChoice = Literal["auto", "full", "inline", "plain"]
Notify = Literal["auto", "bell", "off"]
# An action with its key or keys; `app.help = "f1"` is a table in TOML.
Keys = dict[str, str | tuple[str, ...] | dict[str, str | tuple[str, ...]]]
AgentMode = Literal["primary", "subagent", "all"]
ToolCalls = Literal["native", "prompted", "auto"]
SandboxChoice = Literal["auto", "bubblewrap", "landlock", "off"]
Effort = Literal["low", "medium", "high"]
Right = Literal["use", "machine", "administer", "metrics"]
Grammar = Literal["llamacpp", "vllm", "sglang", "ollama", "json_schema", "off"]


class Given(Struct, frozen=True):
    """A table of optional settings that is laid over another one."""

    def given(self) -> dict[str, Any]:
        """Only what was set."""
        return {name: value for name, value in structs.asdict(self).items() if value not in (None, {}, ())}


class LimitSettings(Given, frozen=True):
    """`[limits]`: what stops a run, a stream, a call or an output. Seconds and US dollars."""

    max_steps: Positive | None = None
    max_tokens: Positive | None = None
    max_cost: Amount | None = None
    max_seconds: Seconds | None = None
    stream_idle: Seconds | None = None
    tool_timeout: Seconds | None = None
    retries: Count | None = None
    retry_after_max: Amount | None = None
    output_lines: Positive | None = None
    output_bytes: Positive | None = None
    repetition: Positive | None = None


class OptionSettings(Given, frozen=True):
    """`[options]`: what a model is asked with. `extra` is merged into the request body as it stands."""

    temperature: Amount | None = None
    top_p: Amount | None = None
    top_k: Count | None = None
    max_tokens: Positive | None = None
    stop: tuple[str, ...] | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    extra: dict[str, Any] = {}


class PriceSettings(Struct, frozen=True):
    """`price` of a model: US dollars for a million tokens. What is read from the provider's cache, or written to it,
    costs as much as other input unless it is said."""

    input: Amount
    output: Amount
    cache_read: Amount | None = None
    cache_write: Amount | None = None


class ModelSettings(Struct, frozen=True):
    """`[providers.<provider>.models.<name>]`; a variant is the same model with other options. `price` stands in the
    place of the price list's."""

    context_window: Positive | None = None
    max_output: Positive | None = None
    price: PriceSettings | None = None
    tool_calls: ToolCalls | None = None
    dialect: str | None = None
    grammar: Grammar | None = None
    options: OptionSettings = OptionSettings()
    variants: dict[str, OptionSettings] = {}


class ProviderSettings(Struct, frozen=True):
    """`[providers.<name>]`. The key itself is never here: `api_key_env` names the variable that holds it, or several of
    them, which a server uses in turn; or `auth_token_env` the one that holds a bearer token, for servers on the
    Anthropic wire that want one. `tool_calls`, `dialect` and `grammar` say how its models are asked for calls.
    `max_context` bounds the context of its models, where their server says how large it may be."""

    base_url: str | None = None
    api_key_env: str | tuple[str, ...] | None = None
    auth_token_env: str | None = None
    wire: str | None = None
    tool_calls: ToolCalls | None = None
    dialect: str | None = None
    grammar: Grammar | None = None
    headers: dict[str, str] = {}
    extra_body: dict[str, Any] = {}
    max_context: Positive | None = None
    options: OptionSettings = OptionSettings()
    models: dict[str, ModelSettings] = {}

    @property
    def key_variables(self) -> tuple[str, ...]:
        """The variables that hold keys; none where the preset's is meant."""
        given = self.api_key_env or ()
        return (given,) if isinstance(given, str) else given


class TranslationSettings(Given, frozen=True):
    """`translations` of an agent: its prompt in English and in Chinese."""

    en: str | None = None
    zh: str | None = None


class AgentSettings(Struct, frozen=True):
    """`[agents.<name>]`. `tools` is either the whole list, or a table that switches single ones on and off.

    `mode` says what it is for: to be talked to (primary), to be sent by others (subagent), or both, as by default. One
    that is `read_only` is offered only tools that change nothing, and so are those that it sends. `presearch` puts web
    results beside each question. `translations` are the prompt (`system`) in other languages: a conversation has
    the one of its first question."""

    description: str | None = None
    mode: AgentMode | None = None
    read_only: bool | None = None
    presearch: bool | None = None
    model: str | None = None
    variant: str | None = None
    system: str | None = None
    translations: TranslationSettings = TranslationSettings()
    tools: dict[str, bool] | tuple[str, ...] | None = None
    permissions: tuple[Rule, ...] = ()
    options: OptionSettings = OptionSettings()
    limits: LimitSettings = LimitSettings()


class McpLoginSettings(Given, frozen=True):
    """`[mcp.<name>.oauth]`, where the login server wants a client that was registered by hand. With `grant` as
    "client_credentials" no person logs in: `client_secret` or `private_key` (PEM) does. `issuer` is the only login
    server that gets them."""

    client_id: str | None = None
    client_secret: str | None = None
    scope: str | None = None
    port: Positive | None = None
    grant: Literal["authorization_code", "client_credentials"] | None = None
    private_key: str | None = None
    issuer: str | None = None
    client_metadata_url: str | None = None


class McpSettings(Given, frozen=True):
    """`[mcp.<name>]`: a command to start, or the address of a server. `${NAME}` in texts is an environment variable's
    value, which is how secrets get into `env` and `headers`."""

    command: str | None = None
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    cwd: str | None = None
    url: str | None = None
    headers: dict[str, str] = {}
    type: Literal["stdio", "http", "sse"] | None = None
    enabled: bool = True
    timeout: Seconds | None = None
    idle_timeout: Seconds | None = None
    connect_timeout: Seconds | None = None
    oauth: McpLoginSettings = McpLoginSettings()


class WhenSettings(Struct, frozen=True, omit_defaults=True):
    """`when` of a route: all that is said has to be true of a request. `models` (the name asked for), `tools` (what is
    offered), `system` (the prompt), `users` and `wires` are texts or patterns of which one has to fit. `thinking` is
    true, false, or the least effort that is asked for; `min_tokens` and `max_tokens` are about the estimated size."""

    models: tuple[str, ...] = ()
    thinking: bool | Effort | None = None
    images: bool | None = None
    min_tokens: Count | None = None
    max_tokens: Count | None = None
    tools: tuple[str, ...] = ()
    system: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    wires: tuple[str, ...] = ()


class RouteSettings(Struct, frozen=True):
    """`[server.routes.<name>]`: the model behind a name that clients ask for, and those that stand in for it. With
    `when` it also answers requests that are so, whatever they ask for. The route `default` answers for every name that
    is neither a route nor `provider/model`; some names have a `when` of their own (`server.gateway.choosing`)."""

    model: str
    fallbacks: tuple[str, ...] = ()
    when: WhenSettings = WhenSettings()


class UseSettings(Given, frozen=True, omit_defaults=True):
    """`[server.limits]`, `[server.users.<name>.limits]`, `[server.keys.<variable>]`: how much may be used. Costs are in
    US dollars, days and months those of UTC. `unpriced`: whether models whose price nobody knows may be used where
    there is a limit of cost."""

    requests_per_minute: Positive | None = None
    tokens_per_minute: Positive | None = None
    concurrent: Positive | None = None
    cost_per_day: Amount | None = None
    cost_per_month: Amount | None = None
    unpriced: bool | None = None


class TokenSettings(Struct, frozen=True, omit_defaults=True):
    """`[server.metrics]`: the token for `/metrics` and nothing else. The token itself is never here: `token_env` names
    the variable that holds it, or `token_sha256` is its SHA-256 in hex."""

    token_env: str = ""
    token_sha256: str = ""


class UserSettings(TokenSettings, frozen=True, omit_defaults=True):
    """`[server.users.<name>]`, as `toolpost serve --new-token NAME` makes it. Without a `role` it is a member, or with
    `admin` an admin."""

    admin: bool = False
    role: str = ""
    limits: UseSettings = UseSettings()


class RoleSettings(Struct, frozen=True, omit_defaults=True):
    """`[server.roles.<name>]`: what people with this role may use. `agents`, `models` (names of routes, or
    provider/model) and `tools` are names or patterns; `permissions` are stronger than those of the folder. What is not
    said is as in the built-in role of this name, or in `member`."""

    agents: tuple[str, ...] | None = None
    models: tuple[str, ...] | None = None
    tools: tuple[str, ...] | None = None
    permissions: tuple[Rule, ...] = ()
    limits: UseSettings = UseSettings()
    rights: tuple[Right, ...] | None = None


class LoginSettings(Struct, frozen=True, omit_defaults=True):
    """`[server.logins]`: a person who does nothing for `idle_hours` has to log in again, and everybody after `hours`.
    Who knows an invitation may sign up; with `sign_up` anybody, who then has the role `sign_up_role`."""

    idle_hours: Seconds = 168.0
    hours: Seconds = 720.0
    sign_up: bool = False
    sign_up_role: str = "member"


class OidcSettings(Struct, frozen=True, omit_defaults=True):
    """`[server.oidc.<name>]`: an OpenID Connect provider that people log in with. `title` is shown on the page,
    `client_secret_env` names the variable that holds the secret. With `roles` the groups in `groups_claim` decide about
    a person's role: the first one here that the person is in; "*" is for everybody else, who without it can't log in.
    Without `roles` all are members, until an admin changes it."""

    issuer: str = ""
    client_id: str = ""
    client_secret_env: str = ""
    title: str = ""
    scopes: tuple[str, ...] = ("openid", "profile", "email")
    name_claim: str = "preferred_username"
    groups_claim: str = "groups"
    roles: dict[str, str] = {}


class CacheSettings(Struct, frozen=True, omit_defaults=True):
    """`[server.cache]`: answers to identical deterministic requests are kept for so many `seconds`, none with 0. A user
    gets only what the same user asked for before, unless they are `shared`."""

    seconds: Amount = 0.0
    most_bytes: Positive = 64_000_000
    shared: bool = False


class ResponseSettings(Struct, frozen=True, omit_defaults=True):
    """`[server.responses]`: what is kept of each user's responses and conversations on OpenAI's Responses wire, so that
    a later request can go on from them: at most so many, so many bytes, and for so many `days`; none with `most` 0.
    `most_sockets` are the WebSockets that a user may have open at once."""

    most: Count = 1000
    most_bytes: Positive = 256_000_000
    days: Amount = 30.0
    most_sockets: Positive = 32


class ScheduleSettings(Struct, frozen=True, omit_defaults=True):
    """`[server.schedules]`: how many schedules each person may have, and the shortest time between two firings of one,
    which hold for everybody but admins; and how many runs of schedules go on at once in each process."""

    most: Count = 100
    shortest_seconds: Seconds = 60.0
    most_runs: Positive = 20


class TelemetrySettings(Struct, frozen=True, omit_defaults=True):
    """`[server.telemetry]`: the address of a collector that takes OTLP over HTTP, where OpenTelemetry's own variables
    do not say it. What was said and called is told only with `content`."""

    endpoint: str | None = None
    content: bool = False


class GatewaySettings(Struct, frozen=True, omit_defaults=True):
    """`[server]`. `tools` are names or patterns of this folder's tools that clients get besides their own: by default
    those of its MCP servers. `hosts` are names by which the server may be called, `origins` pages that may call it,
    `trusted_proxies` the addresses and networks of proxies in front of it that say who the client is.
    With `pin` a client that asks for `provider/model` gets it; else clients choose among routes only. `limits` are
    those of every user that has none of its own, `keys` those of providers' keys, by the variable that holds them.
    A run that has waited for a person for `park_seconds` is parked: it holds nothing until the answer comes.
    `redis` is the address of a Redis or Valkey where several workers count together. A request that failed before
    anything of its answer was sent is tried again `retries` times. `files_and_commands`: whose sessions may use tools
    that touch this machine's files or run commands; where there are no `users`, whoever has the token is an admin."""

    routes: dict[str, RouteSettings] = {}
    pin: bool = True
    park_seconds: Amount = 30.0
    users: dict[str, UserSettings] = {}
    roles: dict[str, RoleSettings] = {}
    accounts: bool = False
    url: str | None = None
    logins: LoginSettings = LoginSettings()
    oidc: dict[str, OidcSettings] = {}
    files_and_commands: Literal["admins", "everyone"] = "admins"
    metrics: TokenSettings = TokenSettings()
    limits: UseSettings = UseSettings()
    keys: dict[str, UseSettings] = {}
    cache: CacheSettings = CacheSettings()
    responses: ResponseSettings = ResponseSettings()
    schedules: ScheduleSettings = ScheduleSettings()
    redis: str | None = None
    telemetry: TelemetrySettings = TelemetrySettings()
    retries: Count = 1
    tools: tuple[str, ...] = ("mcp__*", "mcp_*")
    max_steps: Positive = 20
    max_seconds: Seconds = 600.0
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()


class SmallSettings(Struct, frozen=True):
    """`[small]`: a small model for what needs no large one: titles, summaries, and routes of the server that name
    `small` as their model. `options` are laid over those of its provider and of the model itself."""

    model: str | None = None
    options: OptionSettings = OptionSettings()


class EmbeddedSettings(Struct, frozen=True):
    """`[embedded]`: models inside this process. `mirror` is where known weights are looked for first: a URL of a folder
    or of a file, or a path."""

    mirror: str | None = None


class EngineSettings(Struct, frozen=True, omit_defaults=True):
    """`[engine]`: the Temporal server that decides which process drives which run; without a `url` it is the one that
    accepted it. A run goes to the workers of its `pool`, or where there is none to those of its folder on this machine.
    A worker drives so many runs at once (`slots`), and all of a pool begin so many `per_second`. `park_seconds`: a run
    that has waited for a person for so long is let go of. The key itself is never here: `api_key_env` names the
    variable that holds it."""

    url: str | None = None
    pool: str | None = None
    slots: Positive = 10
    per_second: Rate | None = None
    park_seconds: Seconds | None = None
    tls: bool = False
    api_key_env: str | None = None


class TerminalSettings(Struct, frozen=True, omit_defaults=True):
    """`[terminal]`: the full screen. `theme` is a name, or auto: by the background of the terminal. `notify` tells who
    looks elsewhere that a run waits or has ended. The first line that `status_command` prints stands in the status
    line; it gets the facts of the session as JSON."""

    theme: str = "auto"
    mouse: bool = True
    vim: bool = False
    notify: Notify = "auto"
    motion: bool = True
    side_pane: bool = True
    status_command: str = ""


class Config(Struct, frozen=True):
    """The whole configuration. `permissions` is a table in the file and a list of rules, later ones stronger, here.
    Commands run in the `sandbox`, without the network unless `network` is true or a person allows it. `resume` says
    what becomes of a run whose process died: it goes on by itself, a person says so, or it is closed. `tui` is the face
    of the chat in a terminal: the full screen, line by line, plain text, or what fits the terminal."""

    model: str | None = None
    agent: str | None = None
    system: str | None = None
    instructions: tuple[str, ...] = ()
    permissions: tuple[Rule, ...] = ()
    headless: Headless = "deny"
    resume: Resume = "auto"
    tui: TuiChoice = "auto"
    terminal: TerminalSettings = TerminalSettings()
    keys: Keys = {}
    store: str | None = None
    limits: LimitSettings = LimitSettings()
    options: OptionSettings = OptionSettings()
    small: SmallSettings = SmallSettings()
    providers: dict[str, ProviderSettings] = {}
    agents: dict[str, AgentSettings] = {}
    tools: dict[str, bool] = {}
    plugins: dict[str, bool] = {}
    embedded: EmbeddedSettings = EmbeddedSettings()
    mcp: dict[str, McpSettings] = {}
    resources: dict[str, str] = {}
    lsp: dict[str, LanguageServerSettings] = {}
    web: WebSettings = WebSettings()
    databases: dict[str, DatabaseSettings] = {}
    sandbox: SandboxChoice = "auto"
    network: bool = False
    tool_limits: ToolLimits = ToolLimits()
    server: GatewaySettings = GatewaySettings()
    engine: EngineSettings = EngineSettings()
