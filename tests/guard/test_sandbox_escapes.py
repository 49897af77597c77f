"""Nothing gets out of the sandbox: real commands in the real one, each looked at from outside."""

import os
import shlex
from collections.abc import Iterator

import pytest
from sandbox_escapes import ESCAPES, KINDS, NETWORK, Escape
from sandbox_world import PYTHON, World, name_of, users, world

from toolpost.guard.sandbox.cgroups import open_group
from toolpost.guard.sandbox.sandbox import Bounds, Sandbox, SandboxSettings, find_sandbox

pytestmark = pytest.mark.skipif(PYTHON is None, reason="attempts are written in Python: there is none in /usr/bin")

SMALL = Bounds(memory=300_000_000, processes=64, file_bytes=50_000_000, temporary=64_000_000)
SIGNALS_ARE_KEPT_IN = 6


def _situations() -> list[tuple[str, int | None]]:
    # Landlock's launcher is this interpreter, which another user may not be able to read.
    return [*(("bubblewrap", user) for user in users()), ("landlock", None)]


@pytest.fixture(scope="module", params=_situations(), ids=lambda one: f"{one[0]} as {name_of(one[1])}")
def walled(request: pytest.FixtureRequest) -> Iterator[tuple[Sandbox, World]]:
    kind, user = request.param
    with pytest.MonkeyPatch.context() as patch, world(user) as made:
        patch.setenv("HOME", str(made.home))
        sandbox = find_sandbox(SandboxSettings(kind, SMALL))
        # What a sandbox needs is made when it is found, in the cache folder.
        made.before = made.state()
        if sandbox.kind == "none" and kind == "landlock":
            pytest.skip(sandbox.reason)
        assert sandbox.kind == kind, sandbox.reason
        if getattr(sandbox, "version", SIGNALS_ARE_KEPT_IN) < SIGNALS_ARE_KEPT_IN:
            pytest.skip("this kernel's Landlock does not keep signals in")
        yield sandbox, made


@pytest.mark.parametrize("name", KINDS)
def test_there_is_no_way_out_by(name: str, walled: tuple[Sandbox, World]) -> None:
    """All attempts of a kind in one sandbox, each in a shell of its own; the last ones in a sandbox each."""
    sandbox, made = walled
    tried = [escape for escape in KINDS[name] if escape.only in ("", sandbox.kind)]
    for batch in (*_together(tried), *([escape] for escape in tried if escape.only)):
        script = "".join(f'bash -c {shlex.quote(escape.script)}; echo "tried {escape.name}"\n' for escape in batch)
        said = made.run(sandbox, f"trap '' TERM\n{script}")
        for escape in batch:
            assert f"tried {escape.name}" in said, said
        made.assert_unharmed(said)


def _together(escapes: list[Escape]) -> list[list[Escape]]:
    return [[escape for escape in escapes if not escape.only]]


def test_there_are_enough_attempts() -> None:
    assert len({escape.name for escape in ESCAPES}) == len(ESCAPES) >= 100


def test_a_command_can_still_work(walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    script = """
        set -e
        echo one > src/one; mkdir src/sub; mv src/one src/sub/two; ln -s two src/sub/three
        test "$(cat src/sub/three)" = one
        echo data > "$TMPDIR/x"; test -s "$TMPDIR/x"
        test "$(echo a | tr a b)" = b; cat <(echo sub) > /dev/null; ls /usr > /dev/null; test -r /etc/passwd
        python3 -c "import subprocess, threading; subprocess.run(['true']); threading.Thread(target=print).start()"
        rm -r src/sub
        echo worked"""
    said = made.run(sandbox, script)
    assert said.rstrip().endswith("worked"), said
    made.assert_unharmed(said)


def test_a_read_only_command_changes_nothing(walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    before = sorted((made.project / "src").iterdir())
    said = made.run(sandbox, "echo bad > src/file; mkdir src/x; rm -rf .git; cat .git/HEAD; echo tried", writable=False)
    assert "ref: refs/heads/main" in said
    assert said.rstrip().endswith("tried")
    assert sorted((made.project / "src").iterdir()) == before
    assert (made.project / ".git" / "HEAD").exists()
    made.assert_unharmed(said)


def test_the_network_is_there_when_it_is_allowed(walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    said = made.run(sandbox, 'exec 3<>"/dev/tcp/127.0.0.1/$TCP" && echo reached', network=True)
    assert "reached" in said
    connection, _ = made.servers[0].accept()
    connection.close()


def test_the_network_does_not_lead_to_sockets_without_a_place(walled: tuple[Sandbox, World]) -> None:
    """A display of this machine, for one, is one of those; it belongs to the network, as the kernel sees it."""
    sandbox, made = walled
    reach = next(escape for escape in NETWORK if escape.name == "reach an abstract socket")
    said = made.run(sandbox, f"{reach.script}\necho tried", network=True)
    assert said.rstrip().endswith("tried"), said
    made.assert_unharmed(said)


def test_a_flood_of_processes_is_bounded(walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    if os.geteuid() == 0 and made.user is None and not _has_groups(sandbox):
        pytest.skip("root's processes are bounded by control groups only, and none can be made here")
    script = """python3 - <<'CODE'
import os, time
count = 0
try:
    while count < 500:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        count += 1
except OSError:
    pass
print("ESCAPED" if count > 80 else f"bounded at {count}", flush=True)
CODE
echo tried"""
    said = made.run(sandbox, script)
    assert "bounded at" in said, said
    made.assert_unharmed(said)


@pytest.mark.parametrize(
    "script",
    [
        "python3 -c \"x = bytearray(1_000_000_000); print('ESCAPED')\"",
        "python3 -c \"import mmap; mmap.mmap(-1, 900_000_000, flags=mmap.MAP_PRIVATE | 0x20); print('ESCAPED')\"",
        "head -c 200000000 /dev/zero > $TMPDIR/big && [ $(stat -c %s $TMPDIR/big) -ge 200000000 ] && echo ESCAPED",
        "head -c 200000000 /dev/zero > /dev/shm/big && echo ESCAPED",
        "head -c 200000000 /dev/zero > src/big && echo ESCAPED; rm -f src/big",
    ],
    ids=["memory", "a mapping", "the private folder", "shared memory", "a file of the project"],
)
def test_a_glutton_is_bounded(script: str, walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    said = made.run(sandbox, f"{script}\necho tried")
    assert said.rstrip().endswith("tried"), said
    made.assert_unharmed(said)


def _has_groups(sandbox: Sandbox) -> bool:
    group = open_group(SMALL.memory, SMALL.processes) if sandbox.kind == "bubblewrap" else None
    if group is not None:
        group.close()
    return group is not None
