"""Attacks on the sandbox from a hostile project, and from a command that runs beside another one."""

import contextlib
import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sandbox_world import NOBODY, PYTHON, World, name_of, users, world

from toolpost.guard.sandbox.guarded_paths import clear_placeholders, git_folder
from toolpost.guard.sandbox.hidden_files import ProjectSecrets
from toolpost.guard.sandbox.mount_check import REFUSED
from toolpost.guard.sandbox.sandbox import (
    Launch,
    Sandbox,
    SandboxedCommand,
    SandboxError,
    SandboxSettings,
    find_sandbox,
)
from toolpost.guard.sandbox.seccomp import seccomp_filter
from toolpost.workspace import Workspace

SITUATIONS = [*(("bubblewrap", user) for user in users()), ("landlock", None)]
GUARDED = (".git", ".toolpost", ".mcp.json", ".vscode", ".git/hooks", ".git/config", ".git/info/attributes")
SWAP_SECONDS = 2.0
SWAPPER = f"""
import ctypes, os, sys, time
libc = ctypes.CDLL(None)
one, other = (word.encode() for word in sys.argv[1:])
print("swapping", flush=True)
end = time.monotonic() + {SWAP_SECONDS}
while time.monotonic() < end:
    for _ in range(50):
        libc.renameat2(-100, one, -100, other, 2)
"""


@pytest.fixture(params=SITUATIONS, ids=lambda one: f"{one[0]} as {name_of(one[1])}")
def walled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Sandbox, World]]:
    kind, user = request.param
    with world(user) as made:
        monkeypatch.setenv("HOME", str(made.home))
        sandbox = find_sandbox(SandboxSettings(kind))
        if sandbox.kind == "none" and kind == "landlock":
            pytest.skip(sandbox.reason)
        assert sandbox.kind == kind, sandbox.reason
        made.before = made.state()
        yield sandbox, made


@pytest.fixture(scope="module")
def bubblewrap() -> Sandbox:
    sandbox = find_sandbox(SandboxSettings("bubblewrap"))
    assert sandbox.kind == "bubblewrap", sandbox.reason
    return sandbox


def start(launch: Launch) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        launch.argv,
        env=launch.env,
        cwd=launch.cwd,
        pass_fds=launch.pass_fds,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def run(sandbox: Sandbox, command: SandboxedCommand) -> str:
    """What a command says. As with the tool, what was refused is tried once more."""
    for _ in range(2):
        with contextlib.closing(sandbox.wrap(command)) as launch, start(launch) as process:
            said = process.communicate(timeout=30)[0].decode(errors="replace")
        if not launch.refused:
            break
    return said + launch.refused


def shell(project: Path, script: str, **options: object) -> SandboxedCommand:
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    return SandboxedCommand(["/bin/bash", "-c", script], project, project, env, **options)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("name", GUARDED)
@pytest.mark.parametrize("target", ["../..", "../home", "/", "elsewhere", "missing"])
def test_a_guarded_name_that_is_a_link_opens_nothing(name: str, target: str, walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    project = made.folder / "unpacked"
    (project / "elsewhere").mkdir(parents=True)
    (project / name).parent.mkdir(parents=True, exist_ok=True)
    (project / name).symlink_to(target)
    script = f'cat {name}/secret {name}/home/.ssh/id_rsa {name}/.ssh/id_rsa; touch "{name}/escaped"; echo tried'
    with pytest.raises(SandboxError, match="symbolic link"):
        run(sandbox, shell(project, script))
    assert (project / name).is_symlink()
    said = run(sandbox, shell(project, script, writable=False))
    made.assert_unharmed(said)


def test_a_file_that_says_it_is_a_worktree_opens_no_other_folder(walled: tuple[Sandbox, World]) -> None:
    """`.git` names a folder of the project, which in turn names the folder above as the one with the settings."""
    sandbox, made = walled
    for common in ("../..", "../../home", str(made.home), "/"):
        project = made.folder / "spoofed"
        (project / "evil" / "worktrees" / "x").mkdir(parents=True, exist_ok=True)
        for own in (project / "evil", project / "evil" / "worktrees" / "x"):
            (project / ".git").write_text(f"gitdir: {own.relative_to(project)}\n")
            (own / "gitdir").write_text(f"{project}/.git\n")
            (own / "commondir").write_text(f"{common}\n")
            assert git_folder(project) is None
            said = run(
                sandbox, shell(project, 'cat ../secret ../home/.ssh/id_rsa; echo bad > "../home/new"; echo tried')
            )
            assert said.rstrip().endswith("tried")
            made.assert_unharmed(said)


def swapped(
    sandbox: Sandbox, made: World, one: str, other: str, script: str, before_commands: Callable[[], object]
) -> list[str]:
    """What commands say while a job swaps two paths of the project as fast as it can."""
    (made.project / "src" / "swap.py").write_text(SWAPPER)
    job = SandboxedCommand(
        [str(PYTHON), "src/swap.py", one, other], made.project, made.project, {"PATH": "/usr/bin:/bin"}
    )
    said: list[str] = []
    with contextlib.closing(sandbox.wrap(job)) as launch, start(launch) as swapping:
        assert swapping.stdout is not None
        assert swapping.stdout.readline() == b"swapping\n"
        before_commands()
        while swapping.poll() is None:
            # What can't be set up while it is changed is refused, which is as good.
            with contextlib.suppress(SandboxError, OSError):
                said.append(run(sandbox, shell(made.project, script)))
    return said


def test_a_folder_that_is_swapped_for_a_link_opens_nothing(
    bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is guarded only for commands that start later, so that the job can swap it."""
    with world() as made:
        monkeypatch.setenv("HOME", str(made.home))
        (made.project / ".git" / "info").mkdir()
        (made.project / ".git" / "link").symlink_to("../../home")
        attributes = made.project / ".git" / "info" / "attributes"
        script = "cat .git/info/.ssh/id_rsa .git/link/.ssh/id_rsa ../home/.ssh/id_rsa; touch .git/info/new ../home/new"

        def guard() -> None:
            with contextlib.suppress(OSError):
                attributes.write_text("* text\n")

        said = swapped(bubblewrap, made, ".git/info", ".git/link", script, guard)
        assert said
        assert made.token not in "\n".join(said)
        assert not (made.home / "new").exists()


def test_a_secret_is_covered_whatever_is_swapped(bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with world() as made:
        monkeypatch.setenv("HOME", str(made.home))
        for folder in ("config", "src/decoy"):
            (made.project / folder).mkdir()
        (made.project / "config" / ".env").write_text(f"KEY={made.token}\n")
        said = swapped(
            bubblewrap, made, "config", "src/decoy", "cat config/.env src/decoy/.env; echo tried", lambda: None
        )
        assert said
        assert made.token not in "\n".join(said)


def test_what_is_mounted_is_compared_with_what_was_meant(bubblewrap: Sandbox, tmp_path: Path) -> None:
    """The check inside, by itself: a command whose project was moved between its planning and its start is not run."""
    project, other = tmp_path / "project", tmp_path / "other"
    for folder in (project, other):
        (folder / ".vscode").mkdir(parents=True)
    with contextlib.closing(bubblewrap.wrap(shell(project, "echo ran"))) as launch:
        (project / ".vscode").rename(project / "moved")
        (project / ".vscode").mkdir()
        with start(launch) as process:
            said = process.communicate(timeout=30)[0].decode()
    assert "ran" not in said.split()
    assert REFUSED in said + launch.refused or "bwrap:" in said


SECRETS = {
    ".env": "cat .e*; cat .env; head -c 100 .env",
    "deep/er/.env.local": "grep -rh KEY . ; find . -name '.env*' -exec cat {} +",
    "key.pem": "cat k*.pem; tar c . | strings; cp key.pem src/copy; cat src/copy",
    ".aws/credentials": "cat .aws/*; cp -r .aws src/aws; cat src/aws/*",
    "service-account.json": "python3 -c \"print(open('service-account.json').read())\"",
    ".npmrc": "cat .npmrc",
}


@pytest.mark.parametrize("name", SECRETS)
def test_secret_files_of_the_project_are_not_read(name: str, walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    path = made.project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"//registry/:_authToken={made.token}\nKEY={made.token}\n")
    (made.project / "src" / "plain").write_text("plain text\n")
    script = f"{SECRETS[name]}; ln {name} src/hard && cat src/hard; mv {name} src/moved && cat src/moved; cat src/plain"
    said = run(sandbox, shell(made.project, script))
    assert made.token not in said
    assert "plain text" in said
    assert made.token in path.read_text()
    shown = run(sandbox, shell(made.project, f"cat {name}", reveals=lambda found: path.is_relative_to(found)))
    assert made.token in shown


@pytest.mark.parametrize("folder", [".devcontainer", ".vscode", ".toolpost", ".claude", ".git/info"])
def test_secrets_and_sockets_in_guarded_folders_are_covered(folder: str, walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    (made.project / folder).mkdir(parents=True, exist_ok=True)
    (made.project / folder / ".env").write_text(made.token)
    (made.project / ".git" / "info").mkdir(exist_ok=True)
    (made.project / ".git" / "info" / "attributes").write_text("")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(made.project / folder / "socket"))
        server.listen()
        code = f"import socket; socket.socket(socket.AF_UNIX).connect('{folder}/socket'); print('reached')"
        said = run(sandbox, shell(made.project, f'cat {folder}/.e*; python3 -c "{code}"; echo tried'))
    # Git's own folder is not searched for files, only for sockets.
    assert made.token not in said or folder == ".git/info"
    assert "reached" not in said
    assert "tried" in said


@pytest.mark.parametrize(
    "move",
    [
        "mv config node_modules; mkdir -p src/x; mv node_modules src/x/node_modules",
        "mv config .venv",
        "mv config/deep venv",
        "mv config src/site-packages",
        "mv config/.docker plain",
        "rm link.pem .env",
    ],
)
def test_a_secret_stays_one_wherever_it_is_moved(move: str, walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    for name in ("config/.env", "config/deep/key.pem", "config/.docker/config.json", "src/settings.txt"):
        (made.project / name).parent.mkdir(parents=True, exist_ok=True)
        (made.project / name).write_text(made.token)
    (made.project / ".env").symlink_to("src/settings.txt")
    look = "find . -type f -not -path './.git/*' -exec cat {} +; echo tried"
    for script in (look, f"{move}; {look}", look):
        said = run(sandbox, shell(made.project, script))
        assert made.token not in said
        assert "tried" in said


def test_odd_files_do_not_hold_up_a_command(walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    os.mkfifo(made.project / ".npmrc")
    os.mkfifo(made.project / "src" / ".env")
    (made.project / "src" / "deeper").mkdir()
    os.mkfifo(made.project / "src" / "deeper" / ".git")
    (made.project / ".pypirc").symlink_to(".npmrc")
    assert "tried" in run(sandbox, shell(made.project, "echo tried"))
    (made.folder / "other").mkdir()
    os.mkfifo(made.folder / "other" / ".git")
    assert "tried" in run(sandbox, shell(made.folder / "other", "echo tried"))


def test_folders_that_can_not_be_looked_into_are_covered(bubblewrap: Sandbox) -> None:
    """Very long paths; and, for a normal user, folders with a mode that a command can change."""
    with world() as made:
        deep = made.project / "src"
        while len(str(deep)) < 3_700:
            deep = deep / ("d" * 200)
        deep.mkdir(parents=True)
        (deep / ".env").write_text(made.token)
        said = run(bubblewrap, shell(made.project, "find . -name .env -exec cat {} +; grep -r SECRET .; echo tried"))
        assert made.token not in said
        assert "tried" in said


def test_a_folder_of_ours_that_can_not_be_written_is_no_gap(
    bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its owner could change its mode inside, and then make what was not held."""
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else")
    with world(NOBODY) as made:
        monkeypatch.setenv("HOME", str(made.home))
        (made.project / ".git" / "config").unlink()
        (made.project / ".git").chmod(0o555)
        os.seteuid(NOBODY)
        try:
            with pytest.raises(SandboxError, match="can't be protected"):
                bubblewrap.wrap(shell(made.project, "true"))
        finally:
            os.seteuid(0)


def test_limits_of_other_processes_are_out_of_reach(walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    with made.victim() as victim:
        code = f"import resource; resource.prlimit({victim}, resource.RLIMIT_NOFILE, (3, 3)); print('changed')"
        own = "resource.prlimit(0, resource.RLIMIT_CORE, (0, 0)); print('own limits')"
        said = run(sandbox, shell(made.project, f'python3 -c "{code}"; python3 -c "import resource; {own}"'))
        assert "changed" not in said
        assert "own limits" in said


def test_programs_on_the_path_of_a_home_project_are_not_changed(
    bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with world() as made:
        monkeypatch.setenv("HOME", str(made.home))
        for name in (".local/bin/git", ".config/gh/hosts.yml"):
            (made.home / name).parent.mkdir(parents=True, exist_ok=True)
            (made.home / name).write_text(made.token)
        script = "echo bad > .local/bin/git; echo bad > .local/bin/new; cat .config/gh/*; echo mine > file; cat file"
        said = run(bubblewrap, shell(made.home, script))
        assert [path.name for path in (made.home / ".local" / "bin").iterdir()] == ["git"]
        assert (made.home / ".local/bin/git").read_text() == made.token
        assert made.token not in said
        assert "mine" in said


def test_a_link_does_not_give_a_secret_another_name(walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    (made.project / "src" / "settings.txt").write_text(f"KEY={made.token}\n")
    (made.project / ".env").symlink_to("src/settings.txt")
    assert made.token not in run(sandbox, shell(made.project, "cat .env src/settings.txt"))


def test_settings_of_a_package_manager_without_a_secret_can_be_read(walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    (made.project / ".npmrc").write_text("save-exact=true\n")
    assert "save-exact" in run(sandbox, shell(made.project, "cat .npmrc"))


def test_a_secret_that_comes_later_is_found_too(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    secrets = ProjectSecrets(tmp_path)
    assert secrets.find() == []
    for name in (".env", "a/b/id_rsa", "a/node_modules/x/.env", ".env.example"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert sorted(secrets.find()) == [tmp_path / ".env", tmp_path / "a/b/id_rsa"]
    (tmp_path / ".env").unlink()
    assert secrets.find() == [tmp_path / "a/b/id_rsa"]


def test_many_secrets_in_a_folder_are_covered_with_it(walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    keys = made.project / "keys"
    keys.mkdir()
    for number in range(400):
        (keys / f"{number}.pem").write_text(made.token)
    said = run(sandbox, shell(made.project, "cat keys/*; ls src; echo tried"))
    assert made.token not in said
    assert "tried" in said


@pytest.mark.parametrize("network", [False, True])
def test_a_socket_in_the_project_is_not_reached(network: bool, walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    before = Path.cwd()
    with socket.socket(socket.AF_UNIX) as absolute, socket.socket(socket.AF_UNIX) as relative:
        absolute.bind(str(made.project / "src" / "absolute.sock"))
        os.chdir(made.project)
        try:
            Path("node_modules").mkdir()
            relative.bind("node_modules/relative.sock")
        finally:
            os.chdir(before)
        for server, name in ((absolute, "src/absolute.sock"), (relative, "node_modules/relative.sock")):
            server.listen()
            server.setblocking(False)
            code = f"import socket; one = socket.socket(socket.AF_UNIX); one.connect('{name}'); print('reached')"
            said = run(sandbox, shell(made.project, f'python3 -c "{code}"; echo tried', network=network))
            assert "reached" not in said
            assert "tried" in said
            with pytest.raises(BlockingIOError):
                server.accept()


def test_programs_inside_can_use_sockets_among_themselves(bubblewrap: Sandbox) -> None:
    with world() as made:
        code = (
            "import socket; one = socket.socket(socket.AF_UNIX); one.bind('src/own.sock'); one.listen(); "
            "two = socket.socket(socket.AF_UNIX); two.connect('src/own.sock'); print('connected')"
        )
        assert "connected" in run(bubblewrap, shell(made.project, f'python3 -c "{code}"'))


SET_ID = {
    "O_TMPFILE": "f = os.open('src', os.O_TMPFILE | os.O_RDWR, {mode}); os.write(f, b'#!'); "
    "os.link(f'/proc/self/fd/{{f}}', 'src/made', follow_symlinks=True)",
    "O_CREAT": "os.open('src/made', os.O_CREAT | os.O_RDWR, {mode})",
    "chmod": "open('src/made', 'w'); os.chmod('src/made', {mode})",
    "fchmod": "os.fchmod(open('src/made', 'w').fileno(), {mode})",
    "mknod": "os.mknod('src/made', {mode} | 0o100000)",
    "creat": "ctypes.CDLL(None).creat(b'src/made', {mode})",
    "fchmodat2": "open('src/made', 'w'); ctypes.CDLL(None).syscall(452, -100, b'src/made', {mode}, 0)",
    "openat2": "ctypes.CDLL(None).syscall(437, -100, b'src/made', struct.pack('QQQ', 0o102, {mode}, 0), 24)",
}


@pytest.mark.parametrize("mode", ["0o4755", "0o2755", "0o6755"])
@pytest.mark.parametrize("way", SET_ID)
def test_no_file_runs_as_its_owner_or_group(way: str, mode: str, bubblewrap: Sandbox) -> None:
    with world() as made:
        code = f"import ctypes, os, struct\nos.umask(0)\n{SET_ID[way].format(mode=mode)}"
        run(bubblewrap, shell(made.project, f"python3 - <<'CODE'\n{code}\nCODE"))
        for path in (made.project / "src").iterdir():
            assert not path.lstat().st_mode & (stat.S_ISUID | stat.S_ISGID)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_looks_at_both_bits(machine: str) -> None:
    program = seccomp_filter((1,), machine=machine)
    assert program is not None
    values = {program[at + 4 : at + 8] for at in range(0, len(program), 8)}
    assert (0o6000).to_bytes(4, "little") in values
    assert (0o20000100).to_bytes(4, "little") in values


def test_the_rest_of_the_machine_is_not_there(walled: tuple[Sandbox, World]) -> None:
    """Whatever a user may read: data of services, other people's folders, settings with passwords."""
    sandbox, made = walled
    if os.geteuid() != 0:
        pytest.skip("only root can put something there")
    places = [Path("/srv"), Path("/var/lib"), Path("/var/log"), Path("/etc"), Path("/")]
    planted = [place / f"toolpost-test-{os.getpid()}" for place in places]
    try:
        for path in planted:
            path.write_text(made.token)
            path.chmod(0o644)
        said = run(
            sandbox,
            shell(
                made.project,
                f"cat {' '.join(map(str, planted))}; grep -rs {made.token} /etc /srv; test -x /usr/bin/env && echo usr",
            ),
        )
    finally:
        for path in planted:
            path.unlink(missing_ok=True)
    assert made.token not in said
    assert "usr" in said.split()


def test_a_place_outside_that_was_opened_can_be_read_and_not_written(walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    data = made.folder / "data"
    data.mkdir()
    (data / "table.csv").write_text("one,two\n")
    script = f"cat {data}/table.csv; echo bad > {data}/new; cat {made.home}/.ssh/id_rsa"
    assert "one,two" not in run(sandbox, shell(made.project, script))
    said = run(sandbox, shell(made.project, script, readable=[data]))
    assert "one,two" in said
    assert not (data / "new").exists()
    made.assert_unharmed(said)


def test_secrets_in_a_place_that_was_opened_are_covered(walled: tuple[Sandbox, World]) -> None:
    sandbox, made = walled
    data = made.folder / "data"
    (data / "sub").mkdir(parents=True)
    for name in (".env", "sub/id_rsa"):
        (data / name).write_text(made.token)
    (data / "plain").write_text("plain text\n")
    script = f"cat {data}/.e* {data}/sub/*; cat {data}/plain"
    for options in ({"readable": [data]}, {"granted": [data]}):
        said = run(sandbox, shell(made.project, script, **options))
        assert made.token not in said
        assert "plain text" in said


def test_programs_that_were_unpacked_somewhere_find_their_libraries(bubblewrap: Sandbox) -> None:
    with world() as made:
        for name in ("tool/bin/start", "tool/lib/work", "tool/private"):
            (made.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (made.folder / name).write_text(f"content of {name}\n")
        top = made.folder / "tool"
        env = {"PATH": f"{top}/bin:/usr/bin:/bin"}
        words = ["/bin/sh", "-c", f"cat {top}/bin/start {top}/lib/work {top}/private"]
        said = run(bubblewrap, SandboxedCommand(words, made.project, made.project, env))
        assert "content of tool/bin/start" in said
        assert "content of tool/lib/work" in said
        assert "content of tool/private" not in said


def test_no_descriptor_of_a_folder_is_left_open_inside(bubblewrap: Sandbox) -> None:
    with world() as made:
        (made.project / ".env").write_text("KEY=1")
        said = run(bubblewrap, shell(made.project, "readlink /proc/self/fd/* /proc/1/fd/*; echo tried"))
        assert str(made.folder) not in said
        assert "tried" in said


def test_nothing_is_left_open_outside(bubblewrap: Sandbox) -> None:
    with world() as made:
        (made.project / ".env").write_text("KEY=1")
        (made.project / "worktree").mkdir()
        run(bubblewrap, shell(made.project, "true"))
        before = len(list(Path("/proc/self/fd").iterdir()))
        for _ in range(3):
            run(bubblewrap, shell(made.project, "true"))
            bubblewrap.wrap(shell(made.project, "true")).close()
        assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_placeholders_of_a_killed_process_are_gone_at_the_next_start(tmp_path: Path, bubblewrap: Sandbox) -> None:
    code = f"""
import os, signal
from pathlib import Path
from toolpost.guard.sandbox.sandbox import SandboxedCommand, SandboxSettings, find_sandbox
project = Path({str(tmp_path)!r})
find_sandbox(SandboxSettings("bubblewrap")).wrap(SandboxedCommand(["true"], project, project, {{}}))
os.kill(os.getpid(), signal.SIGKILL)"""
    subprocess.run([sys.executable, "-c", code], check=False)
    assert (tmp_path / ".mcp.json").is_dir()
    with contextlib.closing(bubblewrap.wrap(shell(tmp_path, "true"))):
        clear_placeholders(tmp_path)
        assert (tmp_path / ".mcp.json").is_dir(), "another command still needs it"
    assert list(tmp_path.iterdir()) == []
    subprocess.run([sys.executable, "-c", code], check=False)
    assert (tmp_path / ".mcp.json").is_dir()
    assert Workspace(tmp_path).bench.project_files.root == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_caches_can_be_used_and_stay_as_they_were(bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with world() as made:
        monkeypatch.setenv("HOME", str(made.home))
        cache = made.home / ".cache" / "uv"
        cache.mkdir(parents=True)
        (cache / "wheel").write_text("built before\n")
        said = run(
            bubblewrap,
            shell(made.project, f"cat {cache}/wheel; echo new > {cache}/new; cat {cache}/new; rm {cache}/wheel"),
        )
        assert said.split() == ["built", "before", "new"]
        assert [path.name for path in cache.iterdir()] == ["wheel"]


def test_a_toolchain_that_is_a_link_does_not_lead_out(bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """`~/bin` leads into the project, where a command can turn it to anything."""
    with world() as made:
        monkeypatch.setenv("HOME", str(made.home))
        (made.home / "bin").symlink_to(made.project / "tools")
        (made.project / "tools").symlink_to(made.home / ".ssh")
        (made.home / ".nvm").symlink_to(made.folder / "node")
        (made.folder / "node").mkdir()
        (made.folder / "node" / "version").write_text("22\n")
        said = run(bubblewrap, shell(made.project, f"cat {made.home}/bin/id_rsa {made.home}/.nvm/version"))
        assert made.token not in said
        assert "22" in said


def test_an_environment_of_the_project_opens_no_other_folder(
    bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with world() as made:
        monkeypatch.setenv("HOME", str(made.home))
        bin_folder = made.project / ".venv" / "bin"
        bin_folder.mkdir(parents=True)
        (made.project / ".venv" / "pyvenv.cfg").write_text(f"home = {made.home}/.ssh/bin\n")
        env = {"PATH": f"{bin_folder}:/usr/bin:/bin"}
        words = ["/bin/sh", "-c", f"cat {made.home}/.ssh/id_rsa"]
        assert made.token not in run(bubblewrap, SandboxedCommand(words, made.project, made.project, env))


def test_a_project_with_an_odd_name_works(bubblewrap: Sandbox, tmp_path: Path) -> None:
    project = tmp_path / "a b\\c\td\ne $(x) 'y' \"z\" *"
    (project / ".git").mkdir(parents=True)
    (project / ".env").write_text("KEY=1")
    said = run(bubblewrap, shell(project, "echo one > file; cat file; cat .env"))
    assert said.startswith("one\n")
    assert "KEY" not in said


def test_a_project_in_a_place_that_is_otherwise_private_works(bubblewrap: Sandbox) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can write there")
    for top in ("/dev/shm", "/srv", "/usr/local", "/var/tmp"):
        project = Path(top, f"toolpost-test-{os.getpid()}")
        project.mkdir()
        try:
            assert run(bubblewrap, shell(project, "echo one > file; cat file")) == "one\n"
        finally:
            (project / "file").unlink(missing_ok=True)
            project.rmdir()


def test_another_user_of_the_machine_reads_nothing_through_the_covers(bubblewrap: Sandbox) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else")
    with world(NOBODY) as made:
        (made.project / ".env").write_text(made.token)
        deadline = time.monotonic() + 10
        said = run(bubblewrap, shell(made.project, "cat .env; echo tried"))
        assert time.monotonic() < deadline
        assert made.token not in said
