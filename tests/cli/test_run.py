"""`toolpost run`, piped: what comes out where, and which exit status says what."""

import asyncio
import re
import signal
import stat
import sys

import msgspec
import pytest
from console import Console, finished, interrupt, sessions_in

from toolpost.models.embedded.weights.folder import path_of
from toolpost.models.embedded.weights.known import DEFAULT, KNOWN, LIGHT
from toolpost.store.sqlite.store import SqliteStore
from toolpost.testing import Gate, Upstream, call, calls, cut, error, http_error, pause, text, turn
from toolpost.types.events import MessageUpdate

TOKYO = call("get_weather", {"city": "Tokyo"})


async def stored(console: Console, words: str) -> None:
    """Wait until the run has stored that the model said this."""
    store = SqliteStore(console.data / "toolpost.db")
    try:
        async with asyncio.timeout(30):
            async for _ in store.follow():
                async for info in store.sessions():
                    said = [event async for event in store.events(info.id) if isinstance(event, MessageUpdate)]
                    if "".join(event.text for event in said) == words:
                        return
    finally:
        await store.close()


async def test_stdout_holds_only_the_answer_and_the_calls_are_told_on_stderr(tmp_path):
    async with Upstream(text("Let me look.") + TOKYO, text("It is **sunny**.", chunk=2)) as up:
        done = await Console(tmp_path, up.base_url).run("--allow", "get_weather", "How", "is", "Tokyo?")
    assert (done.status, done.out) == (0, "Let me look.\nIt is **sunny**.\n")
    assert done.err == '● get_weather  city="Tokyo"\n  Tokyo: sunny, 22°C  0.0 s\n'
    assert up.requests[0].body["messages"][-1]["content"] == "How is Tokyo?"


async def test_what_is_piped_on_holds_no_escape_codes_whoever_wrote_them(tmp_path):
    evil = "a\x1b]0;owned\x07b\x1b[2Jc\x9b31md\x1b]52;c;ZXZpbA==\x07e\x1b[31"
    async with Upstream(text(evil) + call("long_text", {}), text("m \x1b[8mtail", chunk=1)) as up:
        done = await Console(tmp_path, up.base_url).run("--allow", "*", "go")
    assert done.status == 0
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", done.out + done.err)
    assert done.out.startswith("abcde␛[31\n")


async def test_json_keeps_what_was_said_and_escapes_it(tmp_path):
    evil = "a\x1b[2Jb\x07"
    async with Upstream(text(evil)) as up:
        done = await Console(tmp_path, up.base_url).run("--format", "json", "go")
    assert "\x1b" not in done.out
    assert evil in [event.get("text") for event in done.events]


async def test_words_of_the_prompt_may_stand_between_options(tmp_path):
    async with Upstream(text("ok")) as up:
        done = await Console(tmp_path, up.base_url).run("one", "--max-steps", "3", "two")
    assert done.status == 0
    assert up.requests[0].body["messages"][-1]["content"] == "one two"


async def test_piped_text_follows_the_prompt_or_is_the_prompt(tmp_path):
    async with Upstream(text("a"), text("b")) as up:
        console = Console(tmp_path, up.base_url)
        await console.run("Summarise this:", stdin=b"some text\n")
        await console.run(stdin="all of it é".encode())
    prompts = [request.body["messages"][-1]["content"] for request in up.requests]
    assert prompts == ["Summarise this:\n\nsome text", "all of it é"]


async def test_json_is_one_event_a_line_and_ends_with_settled(tmp_path):
    async with Upstream(TOKYO, text("sunny")) as up:
        done = await Console(tmp_path, up.base_url).run("--format", "json", "--allow", "*", "go")
    types = [event["type"] for event in done.events]
    assert (done.status, types[0], types[-1]) == (0, "run_start", "settled")
    assert {"tool_call", "tool_execution_start", "tool_execution_end", "run_end"} <= set(types)
    assert [event["seq"] for event in done.events] == sorted({event["seq"] for event in done.events})
    assert done.err == ""


async def test_a_call_that_nobody_can_allow_is_denied_and_the_exact_flag_is_told(tmp_path):
    command = call("sh", {"command": "git commit -m 'x y'"})
    async with Upstream(calls(TOKYO, command), text("I could not."), TOKYO + command, text("Now I could.")) as up:
        console = Console(tmp_path, up.base_url)
        done = await console.run("go")
        assert (done.status, done.out) == (4, "I could not.\n")
        flags = ["--allow", "get_weather", "--allow", "shell:git commit -m 'x y'"]
        assert "--allow get_weather --allow 'shell:git commit -m '\"'\"'x y'\"'\"''" in done.err
        again = await console.run(*flags, "go")
    assert (again.status, again.out) == (0, "Now I could.\n")


async def test_a_later_deny_is_stronger_than_an_allow(tmp_path):
    async with Upstream(call("sh", {"command": "rm x"}), text("ok")) as up:
        done = await Console(tmp_path, up.base_url).run("--allow", "*", "--deny", "shell:rm *", "go")
    assert done.status == 0
    assert "✗ denied: shell is denied for 'rm x' by a rule" in done.err


async def test_a_limit_gives_3_and_says_which(tmp_path):
    async with Upstream(TOKYO, text("That is all I know.")) as up:
        done = await Console(tmp_path, up.base_url).run("--allow", "*", "--max-steps", "1", "go")
    assert (done.status, done.out) == (3, "That is all I know.\n")
    assert "max_steps; raise it with --max-steps" in done.err
    assert sessions_in(done.err)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run"], "no prompt"),
        (["rnu", "x"], "did you mean `toolpost run`?"),
        (["run", "-m", "nope/x", "hi"], "unknown provider 'nope'"),
        (["run", "-m", "scripted", "hi"], "write provider/model"),
        (["run", "--max-steps", "0", "hi"], "not a whole number above 0"),
        (["run", "--max-cost", "nan", "hi"], "not a number above 0"),
        (["run", "--allow", "bash:", "hi"], "no pattern after its colon"),
        (["run", "--agent", "nobody", "hi"], "no agent 'nobody'"),
        (["run", "--tools", "none.py", "hi"], "none.py: no such file"),
        (["run", "--file", "none.png", "hi"], "none.png: No such file"),
        (["run", "--output-schema", "tools.py", "hi"], "is not valid JSON"),
        (["run", "--no-store", "-c", "hi"], "--no-store cannot be combined with"),
        (["-C", "nowhere", "run", "hi"], "cannot use the folder nowhere"),
        (["chat"], "a chat needs a terminal"),
        ([], "usage: toolpost"),
    ],
)
async def test_wrong_usage_gives_2_and_one_clear_text(tmp_path, arguments, said):
    done = await Console(tmp_path).call(*arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err


async def test_a_tool_file_with_a_mistake_is_named_with_its_line(tmp_path):
    console = Console(tmp_path)
    (console.folder / "bad.py").write_text("import toolpost\ndef oops(:\n")
    done = await console.call("run", "--tools", "bad.py", "hi")
    assert done.status == 2
    assert "bad.py:2: SyntaxError" in done.err


@pytest.mark.parametrize("line", ["import no_such_module", "raise RuntimeError('no')", "import sys; sys.exit(3)"])
async def test_a_tool_file_that_fails_as_it_is_loaded_is_named_too(tmp_path, line):
    console = Console(tmp_path)
    (console.folder / "bad.py").write_text(f"import toolpost\n{line}\n")
    done = await console.call("run", "--tools", "bad.py", "hi")
    assert done.status == 2
    assert "bad.py:2: " in done.err


async def test_a_failing_model_gives_1_and_how_to_go_on(tmp_path):
    async with Upstream(http_error(401, "bad key sk-test-0123456789abcdef"), text("fine")) as up:
        console = Console(tmp_path, up.base_url)
        done = await console.run("hi")
        assert (done.status, done.out) == (1, "")
        assert "401" in done.err
        assert "sk-test" not in done.err
        again = await console.run("-s", sessions_in(done.err)[0], "hi")
    assert (again.status, again.out) == (0, "fine\n")


async def test_of_a_retried_answer_only_what_stands_is_piped_on(tmp_path):
    turns = (text("Let me s") + cut(), text("Let me see.") + TOKYO, text("It is su") + cut(), text("It is sunny."))
    async with Upstream(*turns) as up:
        console = Console(tmp_path, up.base_url, TOOLPOST_LIMITS_RETRIES="1", TOOLPOST_LIMITS_RETRY_DELAY="0.01")
        done = await console.run("--allow", "*", "hi")
    assert (done.status, done.out) == (0, "Let me see.\nIt is sunny.\n")
    assert done.err.count("retrying") == 2


async def test_an_answer_that_stays_broken_is_piped_on_as_far_as_it_came(tmp_path):
    async with Upstream(text("It is s") + cut(), text("It is su") + cut()) as up:
        console = Console(tmp_path, up.base_url, TOOLPOST_LIMITS_RETRIES="1", TOOLPOST_LIMITS_RETRY_DELAY="0.01")
        done = await console.run("hi")
    assert (done.status, done.out) == (1, "It is su\n")


async def test_events_tell_of_every_attempt(tmp_path):
    async with Upstream(text("It is su") + cut(), text("It is sunny.")) as up:
        console = Console(tmp_path, up.base_url, TOOLPOST_LIMITS_RETRIES="1", TOOLPOST_LIMITS_RETRY_DELAY="0.01")
        done = await console.run("--format", "json", "hi")
    ends = [event["message"] for event in done.events if event["type"] == "message_end"]
    attempt, answer = [message for message in ends if message["role"] == "assistant"]
    assert attempt["id"] != answer["id"]
    assert (attempt["parts"][-1]["type"], attempt["parts"][1]["text"]) == ("retry", "It is su")
    assert done.events[-2]["text"] == "It is sunny."


async def test_a_stored_session_goes_on_with_all_it_knows(tmp_path):
    async with Upstream(text("one"), text("two"), text("three")) as up:
        console = Console(tmp_path, up.base_url)
        await console.run("first", "--title", "Mine")
        await console.run("-c", "second")
        listed = await console.call("sessions", "--json")
        session = msgspec.json.decode(listed.out)[0]
        done = await console.run("-s", session["id"], "third")
    assert done.out == "three\n"
    texts = [message["content"] for message in up.requests[2].body["messages"] if message["role"] != "system"]
    assert texts == ["first", "one", "second", "two", "third"]
    assert session["title"] == "Mine"


async def test_without_a_store_nothing_is_written(tmp_path):
    async with Upstream(text("one")) as up:
        console = Console(tmp_path, up.base_url)
        done = await console.run("--no-store", "first")
    assert (done.status, done.out) == (0, "one\n")
    assert not console.data.exists()


async def test_an_unknown_session_gives_1(tmp_path):
    done = await Console(tmp_path).run("-s", "ses_none", "hi")
    assert done.status == 1
    assert "no session ses_none" in done.err


async def test_structured_output_prints_the_valid_json_and_nothing_else(tmp_path):
    schema = {"type": "object", "properties": {"degrees": {"type": "integer"}}, "required": ["degrees"]}
    async with Upstream(text("Looking.") + TOKYO, call("final_output", {"degrees": 22})) as up:
        console = Console(tmp_path, up.base_url)
        (console.folder / "schema.json").write_bytes(msgspec.json.encode(schema))
        done = await console.run("--allow", "*", "--output-schema", "schema.json", "go")
    assert (done.status, done.out) == (0, '{"degrees":22}\n')
    assert "final_output" not in done.err


async def test_output_that_never_becomes_valid_gives_1(tmp_path):
    schema = {"type": "object", "properties": {"degrees": {"type": "integer"}}, "required": ["degrees"]}
    async with Upstream(*[text("warm")] * 3) as up:
        console = Console(tmp_path, up.base_url)
        (console.folder / "schema.json").write_bytes(msgspec.json.encode(schema))
        done = await console.run("--output-schema", "schema.json", "go")
    assert (done.status, done.out) == (1, "")
    assert "no valid output" in done.err


async def test_files_go_along_with_the_prompt(tmp_path):
    async with Upstream(text("ok")) as up:
        console = Console(tmp_path, up.base_url)
        (console.folder / "dot.png").write_bytes(b"\x89PNG")
        (console.folder / "code.ts").write_text("let a = 1")
        done = await console.run("look", "--file", "dot.png", "--file", "code.ts")
    assert done.status == 0
    content = up.requests[0].body["messages"][-1]["content"]
    assert content[1]["image_url"]["url"].startswith("data:image/png;base64,")
    assert "let a = 1" in content[2]["text"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_the_first_signal_stops_the_run_and_the_session_can_go_on(tmp_path, number):
    gate = Gate()
    async with Upstream(text("It is ") + pause(gate), text("sunny.")) as up:
        console = Console(tmp_path, up.base_url)
        process = await console.start("run", "How is Tokyo?")
        await asyncio.wait_for(gate.reached.wait(), 30)
        await stored(console, "It is ")
        interrupt(process, number)
        done = await finished(process)
        await up.closed()
        assert (done.status, done.out) == (130, "It is \n")
        session = sessions_in(done.err)[0]
        assert f'toolpost run -s {session} "…"' in done.err
        again = await console.run("--continue", "Go on")
    assert (again.status, again.out) == (0, "sunny.\n")
    texts = [message["content"] for message in up.requests[1].body["messages"] if message["role"] != "system"]
    assert texts == ["How is Tokyo?", "It is ", "Go on"]


async def test_json_ends_with_settled_when_it_is_stopped_too(tmp_path):
    gate = Gate()
    async with Upstream(text("It is ") + pause(gate)) as up:
        process = await Console(tmp_path, up.base_url).start("run", "--format", "json", "hi")
        await asyncio.wait_for(gate.reached.wait(), 30)
        interrupt(process)
        done = await finished(process)
    assert done.status == 130
    assert [event["type"] for event in done.events][-2:] == ["run_end", "settled"]
    assert done.events[-2]["reason"] == "aborted"


async def test_a_reader_that_leaves_ends_the_run_quietly_and_at_once(tmp_path):
    gate = Gate()
    async with Upstream(text("first\n") + TOKYO, text("second") + pause(gate)) as up:
        console = Console(tmp_path, up.base_url)
        process = await console.start("run", "--tools", str(console.tools), "--allow", "*", "hi")
        assert await process.stdout.readline() == b"first\n"
        await asyncio.wait_for(gate.reached.wait(), 30)
        process.stdout._transport.close()
        async with asyncio.timeout(30):
            err = await process.stderr.read()
            assert await process.wait() == 141
    assert b"Traceback" not in err
    assert b"BrokenPipe" not in err


async def test_a_data_folder_that_cannot_be_used_is_one_clear_line(tmp_path):
    console = Console(tmp_path)
    console.data.write_text("a file where a folder should be")
    done = await console.run("hi")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("toolpost: cannot use ")
    assert len(done.err.splitlines()) == 1


async def test_the_log_is_private_and_holds_what_a_tool_raised(tmp_path):
    async with Upstream(call("crash", {}), text("ok")) as up:
        console = Console(tmp_path, up.base_url)
        raising = 'raise KeyError("sk-test-0123456789abcdef")'
        console.tools.write_text(f'from toolpost import tool\n@tool\ndef crash():\n    "Crash."\n    {raising}\n')
        done = await console.run("--allow", "*", "hi")
    log = console.data / "toolpost.log"
    assert done.status == 0
    assert "KeyError" in log.read_text()
    assert "sk-test" not in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


async def test_the_version_needs_neither_the_event_loop_nor_msgspec(tmp_path):
    code = "import sys; from toolpost.cli.main import main; main(['--version']); print(sorted(sys.modules))"
    console = Console(tmp_path)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, env=console.environ, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    first, modules = out.decode().splitlines()
    assert first.startswith("toolpost ")
    assert not {"asyncio", "msgspec", "argparse", "logging", "rich"} & set(eval(modules))


async def test_a_run_loads_no_heavy_library(tmp_path):
    async with Upstream(TOKYO, text("ok")) as up:
        console = Console(tmp_path, up.base_url)
        code = (
            "import sys, runpy; sys.argv[0] = 'toolpost'\n"
            "from toolpost.cli.main import main\n"
            "main(sys.argv[1:]); print(sorted(sys.modules))"
        )
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", code, "run", "--tools", str(console.tools), "--allow", "*", "hi"),
            cwd=console.folder,
            env=console.environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        done = await finished(process)
    modules = set(eval(done.out.splitlines()[-1]))
    heavy = {"rich", "prompt_toolkit", "pydantic", "jsonschema_rs", "genai_prices", "keyring", "uvloop", "textual"}
    assert not heavy & modules


async def test_a_key_at_another_address_uses_the_first_model_that_is_listed_there(tmp_path):
    async with Upstream(text("from there"), models=("text-embedding-9", "large")) as up:
        done = await Console(tmp_path, up.base_url, TOOLPOST_MODEL="").run("hi")
    assert (done.status, done.out) == (0, "from there\n")
    assert "using openai/large because OPENAI_API_KEY is set" in done.err


async def test_a_key_for_a_server_that_does_not_tell_its_models_asks_for_one(tmp_path):
    done = await Console(tmp_path, TOOLPOST_MODEL="").run("hi")
    assert done.status == 2
    assert "OPENAI_API_KEY is set: use -m openai/<model>" in done.err


async def test_a_repeated_call_ends_the_run_with_4(tmp_path):
    async with Upstream(*[TOKYO] * 4, strict=False) as up:
        done = await Console(tmp_path, up.base_url).run("--allow", "*", "go")
    assert done.status == 4
    assert "the model repeated the same call" in done.err


async def test_a_model_error_in_json_gives_1_and_a_settled_stream(tmp_path):
    async with Upstream(error("auth", "no", status=401)) as up:
        done = await Console(tmp_path, up.base_url).run("--format", "json", "hi")
    assert (done.status, done.events[-1]["type"]) == (1, "settled")
    assert done.events[-2]["error"]["code"] == "auth"


async def test_an_answer_cut_at_the_models_own_limit_gives_3(tmp_path):
    async with Upstream(turn(text("half an ans"), finish="length")) as up:
        done = await Console(tmp_path, up.base_url).run("go")
    assert (done.status, done.out) == (3, "half an ans\n")
    assert "output limit" in done.err


def without_a_model(tmp_path, **environ) -> Console:
    """No key, no configured model, and no server where the local ones are looked for."""
    console = Console(tmp_path, TOOLPOST_MODEL="", OPENAI_API_KEY="", **environ)
    nowhere = "\n".join(
        f'[providers.{name}]\nbase_url = "http://127.0.0.1:9/v1"' for name in ("vllm", "llamacpp", "lmstudio")
    )
    (console.folder / ".toolpost" / "config.toml").write_text(nowhere)
    return console


async def test_a_server_on_this_machine_answers_when_nobody_chose_a_model(tmp_path):
    async with Upstream(text("from here"), models=("nomic-embed-text", "qwen3")) as up:
        done = await without_a_model(tmp_path, OLLAMA_HOST=up.url).run("hi")
    assert (done.status, done.out) == (0, "from here\n")
    assert "using ollama/qwen3" in done.err
    assert up.requests[0].body["model"] == "qwen3"


async def test_without_key_or_server_the_model_inside_is_used_and_it_is_said_how_small_it_is(tmp_path):
    console = without_a_model(tmp_path, OLLAMA_HOST="127.0.0.1:9")
    give_holes(console, LIGHT, DEFAULT)
    done = await console.run("hi")
    assert f"using embedded/{DEFAULT}, a small model in this process" in done.err
    assert "fetched" not in done.err


async def test_where_only_the_light_model_is_here_it_is_used_and_nothing_is_fetched(tmp_path):
    console = without_a_model(tmp_path, OLLAMA_HOST="127.0.0.1:9")
    give_holes(console, LIGHT)
    done = await console.run("hi")
    assert f"the weights of embedded/{DEFAULT} are not here" in done.err
    assert f"using embedded/{LIGHT}, a small model in this process" in done.err
    assert "to fetch" not in done.err


def give_holes(console, *names):
    """Files of the right size with nothing in them: which model is chosen shows before it fails to load."""
    for name in names:
        place = path_of(name, console.environ)
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("wb") as file:
            file.truncate(KNOWN[name].size)


async def test_without_any_model_a_stand_in_replies_and_says_that_it_is_one(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['xllamacpp'] = None\n")
    console = without_a_model(tmp_path, OLLAMA_HOST="127.0.0.1:9", PYTHONPATH=str(tmp_path))
    done = await console.run("--allow", "*", "What's the weather in Tokyo?")
    assert done.status == 0
    assert done.out
    assert "scripted demo" in done.err
    assert "not a real model" in done.err


async def test_the_folder_may_be_given_before_or_after_the_command(tmp_path):
    async with Upstream(text("one"), text("two")) as up:
        console = Console(tmp_path, up.base_url)
        inner = console.folder / "inner"
        inner.mkdir()
        (inner / "AGENTS.md").write_text("Speak like a sailor.")
        await console.call("-C", "inner", "run", "hi")
        await console.call("run", "-C", "inner", "hi")
    assert all("sailor" in str(request.body["messages"][0]) for request in up.requests)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
async def test_a_stream_that_was_closed_from_the_start_is_no_trouble(tmp_path, closed):
    async with Upstream(text("fine")) as up:
        console = Console(tmp_path, up.base_url)
        process = await asyncio.create_subprocess_exec(
            *("sh", "-c", f'"$0" -m toolpost run hi {closed}', sys.executable),
            cwd=console.folder,
            env=console.environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        done = await finished(process)
    assert (done.status, done.out, done.err) == (0, "" if closed == ">&-" else "fine\n", "")


async def test_a_disk_that_is_full_is_told_and_gives_1(tmp_path):
    async with Upstream(text("fine")) as up:
        console = Console(tmp_path, up.base_url)
        process = await asyncio.create_subprocess_exec(
            *("sh", "-c", '"$0" -m toolpost run hi >/dev/full', sys.executable),
            cwd=console.folder,
            env=console.environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        done = await finished(process)
    assert done.status == 1
    assert "cannot write the answer: No space left on device" in done.err


async def test_a_word_that_is_no_utf_8_is_asked_as_far_as_it_can_be_read(tmp_path):
    async with Upstream(text("ok")) as up:
        done = await Console(tmp_path, up.base_url).run("caf\udce9 today")
    assert (done.status, done.out) == (0, "ok\n")
    assert up.requests[0].body["messages"][-1]["content"] == "caf\ufffd today"


async def test_an_answer_without_a_word_is_told(tmp_path):
    async with Upstream(text("")) as up:
        done = await Console(tmp_path, up.base_url).run("hi")
    assert (done.status, done.out) == (0, "")
    assert "returned an empty answer" in done.err


async def test_a_schema_that_is_none_is_wrong_usage_before_any_request(tmp_path):
    async with Upstream() as up:
        console = Console(tmp_path, up.base_url)
        (console.folder / "schema.json").write_text('{"type": "objec"}')
        done = await console.run("--output-schema", "schema.json", "hi")
    assert done.status == 2
    assert "JSON Schema of the output is not valid" in done.err
    assert not up.requests


async def test_a_missing_key_is_told_with_what_gives_one(tmp_path):
    done = await Console(tmp_path).call("run", "-m", "deepseek/deepseek-chat", "hi")
    assert done.status == 2
    assert "deepseek needs a key: set DEEPSEEK_API_KEY\n" in done.err, "there is no keyring to keep it in"


async def test_a_missing_key_can_be_kept_in_a_keyring_where_there_is_one(tmp_path):
    console = Console(tmp_path, PYTHON_KEYRING_BACKEND="keyring.backends.chainer.ChainerBackend")
    done = await console.call("run", "-m", "deepseek/deepseek-chat", "hi")
    assert "set DEEPSEEK_API_KEY, or run `toolpost config set-key deepseek`\n" in done.err


async def test_a_run_that_is_not_kept_names_no_command_that_would_look_it_up(tmp_path):
    async with Upstream(text(""), text("")) as up:
        console = Console(tmp_path, up.base_url)
        assert "toolpost trace" not in (await console.run("--no-store", "hi")).err
        assert "see `toolpost trace`" in (await console.run("hi")).err


VARIANTS = """
[providers.openai.models.scripted.variants.terse]
max_tokens = 100
temperature = 0
[small]
model = "openai/tiny"
options = { temperature = 0.5 }
"""


async def test_a_run_has_the_variant_that_it_names(tmp_path):
    async with Upstream(text("one"), text("two")) as up:
        console = Console(tmp_path, up.base_url)
        (console.folder / ".toolpost" / "config.toml").write_text(VARIANTS.partition("[small]")[0])
        assert (await console.run("--variant", "terse", "go")).status == 0
        assert (await console.run("--variant", "high", "go")).status == 0
        unknown = await console.run("--variant", "tense", "go")
    terse, high = (request.body for request in up.requests)
    assert (terse["temperature"], terse.get("reasoning_effort")) == (0, None)
    assert high["reasoning_effort"] == "high"
    assert unknown.status != 0
    assert "openai/scripted has no variant 'tense': it has low, medium, high, terse" in unknown.err


async def test_the_small_model_of_the_configuration_writes_the_title(tmp_path):
    def answered(request):
        return text("Weather in Tokyo" if request.body["model"] == "tiny" else "Sunny.")

    async with Upstream(answered, answered) as up:
        console = Console(tmp_path, up.base_url)
        (console.folder / ".toolpost" / "config.toml").write_text(VARIANTS)
        assert (await console.run("How is the weather?")).out == "Sunny.\n"
        listed = await console.call("sessions", "list")
    assert "Weather in Tokyo" in listed.out
    (small,) = [request.body for request in up.requests if request.body["model"] == "tiny"]
    assert small["temperature"] == 0.5


async def test_a_model_is_told_the_date_the_folder_and_the_operating_system(tmp_path):
    async with Upstream(text("ok")) as up:
        console = Console(tmp_path, up.base_url)
        await console.run("go")
    told = str(up.requests[0].body["messages"][0])
    assert f"Working folder: {console.folder}" in told
    assert "Today's date: 20" in told
    assert "Operating system: " in told
