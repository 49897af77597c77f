"""Model families: which dialect a model was trained to write its calls in, told from its name."""

import re
from typing import NamedTuple

USUAL_DIALECT = "hermes"


class Family(NamedTuple):
    """`trained`: the dialect and its results are the family's own, so it needs few words."""

    dialect: str = USUAL_DIALECT
    trained: bool = True


UNKNOWN = Family(trained=False)

# The first that matches the name decides, so the narrower ones stand first.
_FAMILIES: tuple[tuple[str, Family], ...] = (
    (r"(qwen-?3[^/]*coder|qwen-?3\.[5-9]|nemotron-?3|mimo)", Family("qwen3_coder_xml")),
    (r"step-?3\.5", Family("step3p5_xml")),
    (r"step-?3", Family("step3")),
    (r"(qwen|qwq|qvq|hermes|exaone)", Family("hermes")),
    (r"functiongemma", Family("functiongemma")),
    (r"gemma-?4", Family("gemma4")),
    (r"gemma", Family("gemma_tool_code")),
    (r"gpt-oss", Family("harmony")),
    (r"llama-?4", Family("llama4_pythonic")),
    (r"llama-?3\.2[^/]*\b[13]b", Family("pythonic")),
    (r"llama-?3\.[123]", Family("llama3_json")),
    (r"deepseek-?v4", Family("deepseek_v4_dsml")),
    (r"deepseek-?v3\.2", Family("deepseek_v32_dsml")),
    (r"deepseek-?v3\.1", Family("deepseek_v31")),
    (r"(deepseek-?(v3|r1))", Family("deepseek_v3")),
    (r"kimi-?k3", Family("kimi_k3")),
    (r"(kimi|moonshot)", Family("kimi_k2")),
    (r"(glm-?(4\.[5-9]|5))", Family("glm45_argkey")),
    (r"seed-?oss", Family("seed_oss_xml")),
    (r"minimax-?m3", Family("minimax_m3")),
    (r"minimax-?m2", Family("minimax_m2")),
    (r"minimax-?m1", Family("minimax_m1")),
    (r"(mi[ns]tral-?(small-?3\.2|3|large-?3)|ministral|devstral|magistral)", Family("mistral_args")),
    (r"(mi[sx]tral|codestral)", Family("mistral")),
    (r"phi-?4-?mini", Family("phi4mini_functools")),
    (r"granite-?4", Family("granite4_hermes")),
    (r"granite-?3", Family("granite3")),
    (r"command-?r-?plus", Family("command_r_plus")),
    (r"command", Family("cohere_command3")),
    (r"(internlm|intern-?s1)", Family("internlm2")),
    (r"ernie-?4\.5", Family("ernie45")),
    (r"hunyuan-?a13b", Family("hunyuan_a13b")),
    (r"hunyuan", Family("hunyuan_v3")),
    (r"jamba", Family("jamba")),
    (r"lfm-?2", Family("lfm2_pythonic")),
    (r"olmo-?3", Family("olmo3_pythonic")),
    (r"apertus", Family("apertus")),
    (r"apriel", Family("apriel_toolcalls")),
    (r"gigachat-?3", Family("gigachat3")),
    (r"xlam", Family("xlam")),
    (r"functionary[^/]*3\.2", Family("functionary_v32")),
    (r"functionary", Family("functionary_v31")),
    (r"longcat", Family("longcat_hermes")),
    (r"nemotron", Family("nemotron_toolcall_list")),
    (r"minicpm-?5", Family("minicpm5_xml")),
    (r"ling-?3", Family("ling3")),
    (r"dots", Family("dots")),
    (r"reka", Family("reka_edge")),
    (r"claude", Family("anthropic_invoke")),
)
_WITHOUT_CALLS = (
    r"(gemma(-?[123](?![.\d])|$)|(code-?)?llama(-?[23](?![.\d])|$)|codellama|tinyllama|vicuna|alpaca"
    r"|phi-?([123]|4(?!-?mini))|qwen-?(1|1\.5|2)(?![.\d])|smollm|stablelm|falcon|yi-|baichuan|chatglm)"
)
_START = r"(?:^|[^a-z])"

# Made of a tokenizer's own tokens. Most servers leave those out of what they send, so the call would arrive in pieces.
_OF_TOKENS = frozenset(
    {
        *("mistral", "mistral_args", "deepseek_v3", "deepseek_v3_asciibar", "deepseek_v31", "kimi_k2", "kimi_k3"),
        *("internlm2", "cohere_command3", "cohere_command4", "harmony", "gemma4", "functiongemma", "apertus"),
        *("gigachat3", "inkling", "llama4_pythonic", "lfm2_pythonic", "step3", "granite3", "minimax_m3"),
        *("deepseek_v32_dsml", "deepseek_v4_dsml", "muse_glimmer"),
    }
)
# Cannot be told from prose, or cannot hold two calls: fine to read, not to ask for.
_NOT_ASKED_FOR = frozenset({"functionary_v32", "bare_json", "generic_json", "json_fenced"})


def family_of(name: str) -> Family:
    """The family of a model, by its name: `Qwen/Qwen3-8B`, `qwen3:8b` and `qwen3-8b-instruct-q4_k_m.gguf` are one."""
    plain = _plain(name)
    return next((family for pattern, family in _FAMILIES if re.search(_START + pattern, plain)), UNKNOWN)


def calls_natively(name: str) -> bool:
    """False for families that were never taught tool calls: to offer them tools natively is a wasted request."""
    return not re.search(_START + _WITHOUT_CALLS, _plain(name))


def asked_for(family: Family, *, keeps_tokens: bool) -> Family:
    """The dialect to ask a model of this family for. `keeps_tokens`: the server sends special tokens as text."""
    if family.dialect in _NOT_ASKED_FOR or (family.dialect in _OF_TOKENS and not keeps_tokens):
        return family._replace(dialect=USUAL_DIALECT, trained=False)
    return family


def _plain(name: str) -> str:
    return re.sub(r"[_\s:]", "-", name.rpartition("/")[2].lower())
