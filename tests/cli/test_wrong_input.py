"""What a command says to input that it can't use: one line that names it and says what to do."""

import io
import re
import sys

import pytest
from project import Project


@pytest.fixture
def project(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    return Project(tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("sessions show nope", 1, "no session nope: `toolpost sessions --all` lists them"),
        ("sessions rename nope new", 1, "no session nope: `toolpost sessions --all` lists them"),
        ("run -s nope hi", 1, "no session nope: `toolpost sessions --all` lists them"),
        ("run --resume -s nope", 1, "no session nope: `toolpost sessions --all` lists them"),
        ("run --resume nope", 1, "no session nope: `toolpost sessions --all` lists them"),
        ("trace nope", 1, "no session nope: `toolpost sessions --all` lists them"),
        ("schedule add go --every 1h --session nope", 1, "no session nope: `toolpost sessions --all` lists them"),
        ("schedule show nope", 1, "no schedule nope: `toolpost schedule list --all` lists them"),
        ("schedule pause nope", 1, "no schedule nope: `toolpost schedule list --all` lists them"),
        ("schedule resume nope", 1, "no schedule nope: `toolpost schedule list --all` lists them"),
        ("schedule remove nope", 1, "no schedule nope: `toolpost schedule list --all` lists them"),
        ("schedule run nope", 1, "no schedule nope: `toolpost schedule list --all` lists them"),
        ("sessions import nope.json", 1, "cannot read nope.json: No such file or directory"),
        ("run -m nope hi", 2, "'nope' is not a model id: write provider/model, for example openai/gpt-5-mini"),
        ("run --agent nope hi", 2, "no agent 'nope'; known: "),
        ("run --file nope.txt hi", 2, "--file nope.txt: No such file or directory"),
        ("run --tools nope.py hi", 2, "--tools nope.py: no such file"),
        ("run --output-schema nope.json hi", 2, "--output-schema nope.json: No such file or directory"),
        ("run --output-schema broken.json hi", 2, "--output-schema broken.json is not valid JSON: it ends too early"),
        ("run", 2, 'no prompt: use toolpost run "…", or pipe a text in'),
        ("permissions revoke", 2, "nothing to revoke is given: use toolpost permissions revoke ID, or --all"),
        ("permissions revoke nope", 1, "no saved approval nope: `toolpost permissions list --all` lists them"),
        ("quarantine restore nope", 1, "no quarantined files nope: `toolpost quarantine list` lists them"),
        ("quarantine drop", 2, "nothing to delete is given: use toolpost quarantine drop ID, or --all"),
        ("mcp test nope", 2, "unknown MCP server nope"),
        ("eval --set nope.jsonl openai/x", 2, "nope.jsonl"),
        (
            "eval --report nope",
            2,
            "No such file or directory; `toolpost eval` writes it",
        ),
        ("eval --report broken", 2, "was not written by `toolpost eval`: it ends too early"),
        ("config set-key nope", 2, "unknown provider 'nope'"),
        ("-C nope run hi", 2, "cannot use the folder nope: No such file or directory"),
        (
            "models pull nope",
            2,
            "there is no file nope: give a GGUF file, an http(s) URL, or one of qwen2.5-coder-1.5b",
        ),
        ("undo --message nope", 1, "no message nope changed a file here; `toolpost diff --steps` lists them"),
    ],
)
def test_wrong_input_is_told_in_one_line_with_what_to_do(project, words, status, said):
    project.write("broken.json", '{"a": ')
    (project.folder / "broken").mkdir()
    project.write("broken/results.jsonl", '{"a": \n')
    done = project.call(*words.split())
    assert done.status == status
    (line,) = re.findall(r"^toolpost: .*", done.err, re.MULTILINE)
    assert said in line


def test_a_tool_file_that_is_not_there_is_told_without_python(project):
    done = project.call("tools", "check", "nope.py")
    assert (done.status, done.out) == (1, "nope.py: no such file\n")


def test_a_tool_is_listed_with_its_first_sentence(project):
    listed = {line.split()[0]: line for line in project.call("tools").out.splitlines() if "builtin" in line}
    assert listed["batch"].endswith("come back in the order of the calls.")
    assert listed["bash"].endswith("wait for it: tests, builds, git.")
