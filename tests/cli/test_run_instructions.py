"""A clone of somebody's repository and `toolpost run`: nothing but the repository's own files reaches the provider."""

import subprocess

import pytest
from console import Console

from toolpost.testing import Upstream, text

MARK = "outside-marker-5521"


def git(folder, *arguments):
    named = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *named, *arguments], cwd=folder, check=True, capture_output=True, timeout=30)


@pytest.fixture
def cloned(tmp_path):
    """Make a repository in the given way, and clone it into the console's project."""

    def clone(console, make):
        origin = tmp_path / "origin"
        origin.mkdir()
        git(origin, "init")
        make(origin)
        git(origin, "add", "--all")
        git(origin, "commit", "-m", "first")
        git(console.folder, "clone", str(origin), "clone")
        return console.folder / "clone"

    return clone


@pytest.mark.parametrize("target", ["/proc/self/environ", "../../.ssh/id_rsa"])
async def test_a_link_in_a_clone_sends_nothing_of_the_users(tmp_path, cloned, target):
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "id_rsa").write_text(MARK)
    async with Upstream(text("hello")) as up:
        console = Console(tmp_path, up.base_url, PLANTED=MARK)
        clone = cloned(console, lambda origin: (origin / "AGENTS.md").symlink_to(target))
        done = await console.call("-C", str(clone), "run", "hello")
    assert done.status == 0
    assert "clone/AGENTS.md is left out" in done.err
    sent = str(up.requests[0].body)
    assert MARK not in sent
    assert "id_rsa" not in sent
    assert "environ" not in sent


async def test_a_file_that_the_person_names_is_sent_but_a_clone_does_not_say_which_it_is(tmp_path, cloned):
    (tmp_path / "notes.txt").write_text(MARK)
    (tmp_path / "link.txt").symlink_to("notes.txt")
    async with Upstream(text("one"), text("two"), text("three")) as up:
        console = Console(tmp_path, up.base_url)

        def make(origin):
            (origin / "plan.txt").symlink_to("../../notes.txt")
            (origin / "key.txt").symlink_to(".env")
            (origin / ".env").write_text(MARK)
            (origin / "schema.json").symlink_to("../../notes.txt")
            (origin / "sub").mkdir()
            (origin / "sub" / "plan.txt").symlink_to("../plan.txt")

        clone = cloned(console, make)
        for named in ("--file=plan.txt", "--file=key.txt", "--file=./plan.txt", "--output-schema=schema.json"):
            done = await console.call("-C", str(clone), "run", named, "hello")
            assert done.status != 0
            assert "to send that file, give its own path" in done.err
        done = await console.call("-C", str(clone / "sub"), "run", "--file=plan.txt", "hello")
        assert "to send that file, give its own path" in done.err
        assert not up.requests
        for named in (str(tmp_path / "notes.txt"), str(tmp_path / "link.txt"), str(clone / ".env")):
            assert (await console.call("-C", str(clone), "run", "--file", named, "hello")).status == 0
    assert all(MARK in str(request.body) for request in up.requests)


async def test_a_file_without_an_end_is_refused(tmp_path):
    console = Console(tmp_path)
    done = await console.call("run", "--file", "/dev/zero", "hello")
    assert done.status != 0
    assert "too large" in done.err
