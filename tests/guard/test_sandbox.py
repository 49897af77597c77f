"""Finding a sandbox, doing without one, and what it leaves behind in a project: nothing."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sandbox_world import NOBODY, PYTHON, World, world

from toolpost.guard.sandbox.bubblewrap import environment
from toolpost.guard.sandbox.guarded_paths import git_folder
from toolpost.guard.sandbox.sandbox import (
    Bounds,
    Launch,
    Sandbox,
    SandboxedCommand,
    SandboxError,
    SandboxSettings,
    find_sandbox,
    limited,
    prove,
)
from toolpost.guard.sandbox.seccomp import seccomp_filter

KINDS = ("bubblewrap", "landlock")
FEW = Bounds(processes=20)


@pytest.fixture(scope="module")
def bubblewrap() -> Sandbox:
    sandbox = find_sandbox(SandboxSettings("bubblewrap"))
    assert sandbox.kind == "bubblewrap", sandbox.reason
    return sandbox


def run(launch: Launch) -> str:
    done = subprocess.run(
        launch.argv,
        env=launch.env,
        cwd=launch.cwd,
        pass_fds=launch.pass_fds,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        start_new_session=True,
    )
    return done.stdout.decode()


def in_project(sandbox: Sandbox, project: Path, script: str, **options: bool) -> str:
    env = {"PATH": os.environ["PATH"]}
    words = ["/bin/sh", "-c", script]
    for _ in range(2):
        with contextlib.closing(
            sandbox.wrap(SandboxedCommand(words, cwd=project, env=env, project=project, **options))
        ) as launch:
            said = run(launch)
        if not launch.refused:
            break
    return said


@pytest.mark.parametrize("kind", KINDS)
def test_a_sandbox_proves_itself(kind: str) -> None:
    sandbox = find_sandbox(SandboxSettings(kind))  # pyright: ignore[reportArgumentType]
    if sandbox.kind == "none" and kind == "landlock":
        pytest.skip(sandbox.reason)
    checks = prove(sandbox)
    assert len(checks) >= 14
    assert [check for check in checks if not check[1]] == []


def test_a_wall_that_is_none_does_not_prove_itself() -> None:
    from toolpost.guard.sandbox.sandbox import NoSandbox

    class Fake(NoSandbox):
        """Says that it is a sandbox."""

    fake = Fake(Bounds(), kind="bubblewrap")
    failed = {name for name, ok, _ in prove(fake) if not ok}
    assert failed >= {
        "nothing else can be written",
        "git hooks and agent settings can't be made",
        "a link in the place of .git opens nothing",
        "the home folder is hidden",
        "the rest of the machine is not there",
        "secret files of the project are hidden",
        "sockets in the project are out of reach",
        "no file runs as its owner or group",
        "other environments are hidden",
        "other processes are out of reach",
        "there is no network",
    }


def test_without_any_sandbox_nothing_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from toolpost.guard.sandbox import bubblewrap as sandbox_bubblewrap
    from toolpost.guard.sandbox import landlock

    monkeypatch.setattr(sandbox_bubblewrap, "_programs", lambda: iter([shutil.which("false")]))
    monkeypatch.setattr(landlock, "OLDEST", 1_000)
    sandbox = find_sandbox(SandboxSettings())
    assert sandbox.kind == "none"
    with pytest.raises(SandboxError, match="install bubblewrap") as refused:
        sandbox.wrap(SandboxedCommand(["touch", "x"], cwd=tmp_path, env={}, project=tmp_path))
    assert "sandbox = " in str(refused.value)
    assert "bubblewrap:" in str(refused.value)
    assert "landlock:" in str(refused.value)
    assert prove(sandbox) == [("a sandbox", False, sandbox.reason)]


def test_landlock_is_the_second_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    from toolpost.guard.sandbox import bubblewrap as sandbox_bubblewrap

    if find_sandbox(SandboxSettings("landlock")).kind == "none":
        pytest.skip("no Landlock here")
    monkeypatch.setattr(sandbox_bubblewrap, "_programs", lambda: iter(()))
    assert find_sandbox(SandboxSettings()).kind == "landlock"


def test_a_sandbox_that_is_switched_off_runs_commands_as_they_are(tmp_path: Path) -> None:
    sandbox = find_sandbox(SandboxSettings("off"))
    assert sandbox.kind == "none"
    said = in_project(sandbox, tmp_path, "echo hello; touch .mcp.json")
    assert said == "hello\n"
    assert (tmp_path / ".mcp.json").is_file()


def test_read_only_commands_do_not_run_without_a_sandbox(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="switched off"):
        in_project(find_sandbox(SandboxSettings("off")), tmp_path, "true", writable=False)


def test_a_project_is_left_as_it_was(tmp_path: Path, bubblewrap: Sandbox) -> None:
    assert "Read-only" in in_project(bubblewrap, tmp_path, "touch .mcp.json .toolpost/x .git/hooks/x")
    assert list(tmp_path.iterdir()) == []


def test_git_does_not_see_the_placeholders(tmp_path: Path, bubblewrap: Sandbox) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert in_project(bubblewrap, tmp_path, "git status --porcelain; git add -A; git status --porcelain") == ""


def test_a_commit_can_be_made_in_the_sandbox(tmp_path: Path, bubblewrap: Sandbox) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    script = "echo x > f; git add f && git -c user.name=a -c user.email=a@b commit -qm first && git log --oneline"
    assert "first" in in_project(bubblewrap, tmp_path, script)


def test_placeholders_stay_as_long_as_anybody_needs_them(tmp_path: Path, bubblewrap: Sandbox) -> None:
    one = bubblewrap.wrap(SandboxedCommand(["true"], cwd=tmp_path, env={}, project=tmp_path))
    other = bubblewrap.wrap(SandboxedCommand(["true"], cwd=tmp_path, env={}, project=tmp_path))
    one.close()
    assert (tmp_path / ".mcp.json").is_dir()
    other.close()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_taken_away_later(tmp_path: Path, bubblewrap: Sandbox) -> None:
    code = f"""
import os, signal
from pathlib import Path
from toolpost.guard.sandbox.sandbox import SandboxedCommand, SandboxSettings, find_sandbox
project = Path({str(tmp_path)!r})
find_sandbox(SandboxSettings("bubblewrap")).wrap(SandboxedCommand(["true"], cwd=project, env={{}}, project=project))
os.kill(os.getpid(), signal.SIGKILL)"""
    subprocess.run([sys.executable, "-c", code], check=False)
    assert (tmp_path / ".mcp.json").is_dir()
    assert "Read-only" in in_project(bubblewrap, tmp_path, "touch .mcp.json/x")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_the_users_is_not_taken_for_a_placeholder(tmp_path: Path, bubblewrap: Sandbox) -> None:
    (tmp_path / ".toolpost").mkdir()
    in_project(bubblewrap, tmp_path, "true")
    assert [path.name for path in tmp_path.iterdir()] == [".toolpost"]


def test_a_protected_name_that_is_a_link_stops_the_command(tmp_path: Path, bubblewrap: Sandbox) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".toolpost").symlink_to("elsewhere")
    with pytest.raises(SandboxError, match="symbolic link"):
        in_project(bubblewrap, tmp_path, "true")
    assert not (tmp_path / ".mcp.json").exists()


def test_the_whole_system_is_no_project(bubblewrap: Sandbox) -> None:
    with pytest.raises(SandboxError, match="whole system"):
        in_project(bubblewrap, Path("/"), "true")


def test_secrets_stay_hidden_when_the_home_folder_is_the_project(
    bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with world() as made:
        monkeypatch.setenv("HOME", str(made.home))
        script = "cat .ssh/* .aws/* .bash_history; echo bad >> .bashrc; echo bad > .zshrc; echo mine > file; cat file"
        said = in_project(bubblewrap, made.home, script)
        assert made.token not in said
        assert said.rstrip().endswith("mine")
        assert (made.home / ".bashrc").read_text() == "# mine\n"
        assert not (made.home / ".zshrc").exists()


def test_a_place_outside_that_was_granted_can_be_written(bubblewrap: Sandbox) -> None:
    with world() as made:
        words = ["/bin/sh", "-c", f"echo new > {made.visible}/new; echo bad > {made.visible.parent}/bad.toolpost"]
        with contextlib.closing(
            bubblewrap.wrap(
                SandboxedCommand(words, cwd=made.project, env={}, project=made.project, granted=[made.visible])
            )
        ) as launch:
            run(launch)
        assert (made.visible / "new").read_text() == "new\n"
        assert not (made.visible.parent / "bad.toolpost").exists()


def test_secrets_stay_hidden_in_a_place_that_was_granted(bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with world() as made:
        monkeypatch.setenv("HOME", str(made.home))
        words = ["/bin/sh", "-c", f"cat {made.home}/.ssh/id_rsa; echo x > {made.home}/new"]
        with contextlib.closing(
            bubblewrap.wrap(
                SandboxedCommand(words, cwd=made.project, env={}, project=made.project, granted=[made.home])
            )
        ) as launch:
            said = run(launch)
        assert made.token not in said
        assert (made.home / "new").exists()


def test_what_runs_by_itself_is_protected_in_a_place_that_was_granted(
    bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with world() as made:
        monkeypatch.setenv("HOME", str(made.home))
        settings, other = made.home / ".config", made.home / "other"
        (settings / "fish").mkdir(parents=True)
        (other / ".git" / "hooks").mkdir(parents=True)
        (other / ".mcp.json").write_text("{}")
        script = f"""
            echo bad > {settings}/fish/config.fish; mkdir {settings}/autostart; echo bad > {settings}/autostart/x
            echo bad > {other}/.git/hooks/pre-commit; echo bad > {other}/.mcp.json; mv {other}/.git {other}/old
            echo fine > {settings}/new; echo fine > {other}/new"""
        words = ["/bin/sh", "-c", script]
        with contextlib.closing(
            bubblewrap.wrap(
                SandboxedCommand(words, cwd=made.project, env={}, project=made.project, granted=[settings, other])
            )
        ) as launch:
            run(launch)
        found = {str(path.relative_to(made.home)) for top in (settings, other) for path in top.rglob("*")}
        expected = {".config/fish", ".config/new", "other/.git", "other/.git/hooks", "other/.mcp.json", "other/new"}
        assert found == expected
        assert (other / ".mcp.json").read_text() == "{}"


def test_a_worktree_sees_its_git_folder_and_a_liar_does_not(tmp_path: Path, bubblewrap: Sandbox) -> None:
    (main, tree), liar = _worktree(tmp_path), tmp_path / "liar"
    liar.mkdir()
    (liar / ".git").write_text((tree / ".git").read_text())
    assert git_folder(tree) == Path(os.path.realpath(main / ".git"))
    assert git_folder(liar) is None
    hook = main / ".git" / "hooks" / "pre-commit"
    said = in_project(bubblewrap, tree, f"git log --oneline; echo bad > {hook}")
    assert "first" in said
    assert not hook.exists()
    assert "first" not in in_project(bubblewrap, liar, "git log --oneline")


def test_git_works_beside_what_keeps_its_settings_in_place(tmp_path: Path, bubblewrap: Sandbox) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    with contextlib.closing(bubblewrap.wrap(SandboxedCommand(["true"], cwd=tmp_path, env={}, project=tmp_path))):
        assert (tmp_path / ".git" / "commondir").read_text() == ".\n"
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        for words in (["commit", "-q", "--allow-empty", "-m", "x"], ["status"], ["gc", "-q"], ["stash", "list"]):
            subprocess.run(["git", "-C", str(tmp_path), *identity, *words], check=True, capture_output=True)
    assert not (tmp_path / ".git" / "commondir").exists()


def test_a_worktree_can_not_be_turned_to_other_settings(tmp_path: Path, bubblewrap: Sandbox) -> None:
    main, tree = _worktree(tmp_path)
    shutil.rmtree(main / ".git" / "hooks")
    own, before = main / ".git" / "worktrees" / "tree", _texts(main / ".git")
    script = f"""
        mkdir evil; cp -r {main}/.git/. evil/; echo "[core] fsmonitor = touch {tmp_path}/escaped" >> evil/config
        echo {tree}/evil > {own}/commondir; rm -f {own}/commondir; mv {own} {own}2; cd {main}/.git
        mv worktrees w; cd -
        mkdir -p {main}/.git/hooks; echo bad > {main}/.git/hooks/pre-commit; echo bad > {main}/.git/commondir
        echo bad > {main}/.git/config.worktree; echo bad > {own}/gitdir; echo bad > .git"""
    in_project(bubblewrap, tree, script)
    assert _texts(main / ".git") == before
    subprocess.run(["git", "-C", str(tree), "status"], check=True, capture_output=True)
    assert not (tmp_path / "escaped").exists()
    script = "echo x > f; git add f && git -c user.name=a -c user.email=a@b commit -qm second && git log --oneline"
    assert "second" in in_project(bubblewrap, tree, script)


def _worktree(folder: Path) -> tuple[Path, Path]:
    main, tree = folder / "main", folder / "tree"
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", "init", "-q", str(main)], check=True)
    subprocess.run(["git", "-C", str(main), *identity, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run(["git", "-C", str(main), "worktree", "add", "-q", str(tree)], check=True)
    return main, tree


def _texts(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_setting_with_a_secret_is_not_shown(bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with world() as made:
        monkeypatch.setenv("HOME", str(made.home))
        settings = made.home / ".gitconfig"
        settings.write_text("[user]\n\tname = Somebody\n")
        assert "Somebody" in in_project(bubblewrap, made.project, f"cat {settings}")
        settings.write_text("[user]\n\tname = Somebody\n[http]\n\textraheader = Authorization: Basic c2VjcmV0\n")
        assert "Somebody" not in in_project(bubblewrap, made.project, f"cat {settings}")


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock", "off"])
def test_a_tree_is_gone_when_its_owner_is_killed(kind: str) -> None:
    if find_sandbox(SandboxSettings(kind)).kind == "none" and kind == "landlock":  # pyright: ignore[reportArgumentType]
        pytest.skip("no Landlock here")
    with world() as made:
        owner = _owner(kind, made)
        _until(lambda: len(made.stayed()) == 3, "the tree did not start")
        owner.send_signal(signal.SIGKILL)
        owner.wait()
        _until(lambda: not made.stayed(), "a process stayed behind")


def test_a_project_that_can_not_be_written_needs_no_protection(
    bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make a folder of somebody else's")
    with world() as made:
        made.folder.chmod(0o755)
        own = made.folder / "nobody"
        own.mkdir()
        os.chown(own, NOBODY, NOBODY)
        monkeypatch.setenv("HOME", str(own))
        os.seteuid(NOBODY)
        try:
            launch = bubblewrap.wrap(
                SandboxedCommand(["/bin/cat", "file"], cwd=made.project, env={}, project=made.project)
            )
        finally:
            os.seteuid(0)
        launch.close()
        made.assert_unharmed("")


def test_the_path_does_not_open_the_home_folder(bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with world() as made:
        monkeypatch.setenv("HOME", str(made.home))
        (made.home / "bin").mkdir()
        path = f"{made.home}:{made.home.parent}:/tmp:{made.home}/bin:/usr/bin:/bin"
        words = ["/bin/sh", "-c", f"cat {made.home}/.ssh/id_rsa {made.folder}/secret; ls -d {made.home}/bin"]
        with contextlib.closing(
            bubblewrap.wrap(SandboxedCommand(words, cwd=made.project, env={"PATH": path}, project=made.project))
        ) as launch:
            said = run(launch)
        assert made.token not in said
        assert said.rstrip().endswith(f"\n{made.home}/bin")


def test_programs_on_the_path_are_whole_wherever_home_is(bubblewrap: Sandbox, tmp_path: Path) -> None:
    with world() as made:
        other = made.folder / "other"
        for name in (".pyenv/shims/start", ".pyenv/libexec/work", ".ssh/key"):
            (other / name).parent.mkdir(parents=True, exist_ok=True)
            (other / name).write_text(f"content of {name}")
        words = ["/bin/sh", "-c", f"cat {other}/.pyenv/libexec/work {other}/.ssh/key"]
        env = {"PATH": f"{other}/.pyenv/shims:/usr/bin:/bin"}
        with contextlib.closing(
            bubblewrap.wrap(SandboxedCommand(words, cwd=made.project, env=env, project=made.project))
        ) as launch:
            said = run(launch)
        assert "content of .pyenv/libexec/work" in said
        assert "content of .ssh/key" not in said


def test_a_virtual_environment_on_the_path_works_wherever_it_is(bubblewrap: Sandbox) -> None:
    with world() as made:
        other = made.folder / "other"
        python = other / "python" / "bin"
        for path in (other / "venv" / "bin", other / "venv" / "lib", python):
            path.mkdir(parents=True)
        (other / "venv" / "pyvenv.cfg").write_text(f"home = {python}\nversion = 3.11\n")
        for path in (other / "venv" / "lib" / "package", python.parent / "library", other / "private"):
            path.write_text(f"content of {path.name}\n")
        words = ["/bin/sh", "-c", f"cat {other}/venv/lib/package {other}/python/library {other}/private"]
        env = {"PATH": f"{other}/venv/bin:/usr/bin:/bin"}
        with contextlib.closing(
            bubblewrap.wrap(SandboxedCommand(words, cwd=made.project, env=env, project=made.project))
        ) as launch:
            said = run(launch)
        assert "content of package" in said
        assert "content of library" in said
        assert "content of private" not in said


def test_what_is_secret_in_a_toolchain_is_hidden(bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with world() as made:
        monkeypatch.setenv("HOME", str(made.home))
        for name in (".local/share/uv/credentials/token", ".dotnet/corefx/key", ".vault-token", ".dotnet/sdk/file"):
            (made.home / name).parent.mkdir(parents=True, exist_ok=True)
            (made.home / name).write_text("shown" if name.endswith("file") else made.token)
        said = in_project(bubblewrap, made.project, f"cd {made.home}; find . -type f -exec cat {{}} +")
        assert made.token not in said
        assert "shown" in said


def test_a_folder_outside_can_be_the_one_to_run_in(bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with world() as made:
        monkeypatch.setenv("HOME", str(made.home))
        other = made.home / "other"
        other.mkdir()
        (other / "file").write_text("mine\n")
        words = ["/bin/sh", "-c", "cat file; touch new; cat ../.ssh/*"]
        with contextlib.closing(
            bubblewrap.wrap(SandboxedCommand(words, cwd=other, env={}, project=made.project))
        ) as launch:
            said = run(launch)
        assert said.startswith("mine\n")
        assert made.token not in said
        assert not (other / "new").exists()
        with contextlib.closing(
            bubblewrap.wrap(SandboxedCommand(words, cwd=made.home, env={}, project=made.project))
        ) as launch:
            assert made.token not in run(launch)


def test_other_processes_of_a_user_do_not_count_where_the_limit_is_the_users() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else")
    code = "import threading, time\nfor _ in range(60): threading.Thread(target=time.sleep, args=(60,)).start()"
    busy = subprocess.Popen(
        [str(PYTHON), "-c", f"{code}\nprint('busy', flush=True)"], stdout=subprocess.PIPE, user=NOBODY, group=NOBODY
    )
    with busy:
        assert busy.stdout is not None
        assert busy.stdout.readline() == b"busy\n"
        os.seteuid(NOBODY)
        try:
            words = limited(["/bin/sh", "-c", "for i in 1 2 3; do sleep 0.1 & done; wait; echo fine"], FEW, shared=True)
        finally:
            os.seteuid(0)
        done = subprocess.run(words, user=NOBODY, group=NOBODY, extra_groups=[], capture_output=True, check=False)
        busy.kill()
    assert done.stdout == b"fine\n", done.stderr


def test_the_environment_inside_leads_nowhere() -> None:
    inside = environment({"PATH": "/bin", "SSH_AUTH_SOCK": "/x", "DBUS_SESSION_BUS_ADDRESS": "y", "LANG": "C"})
    assert inside["PATH"] == "/bin"
    assert inside["LANG"] == "C"
    assert inside["TMPDIR"] == "/tmp"
    assert not {"SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS"} & inside.keys()


def test_the_filter_is_whole_for_the_machines_it_knows() -> None:
    for machine in ("x86_64", "aarch64"):
        program = seccomp_filter((1, 2), machine=machine)
        assert program is not None
        assert len(program) % 8 == 0
        steps = [program[at : at + 8] for at in range(0, len(program), 8)]
        for place, step in enumerate(steps):
            code, yes, no = step[0] | step[1] << 8, step[2], step[3]
            if code & 7 == 5:
                assert place + 1 + max(yes, no) < len(steps), "a jump leaves the program"
        assert steps[-1][0] == 6, "it ends without an answer"
    assert seccomp_filter((1,), machine="vax") is None


def _owner(kind: str, made: World) -> subprocess.Popen[bytes]:
    """A process that has started a tree in a sandbox and waits for it."""
    script = f"setsid sleep {made.mark} & (env -i nohup sleep {made.mark} &) ; sleep {made.mark}"
    code = f"""
import subprocess
from pathlib import Path
from toolpost.guard.sandbox.sandbox import SandboxedCommand, SandboxSettings, find_sandbox
project = Path({str(made.project)!r})
launch = find_sandbox(SandboxSettings({kind!r})).wrap(SandboxedCommand(
    ["/bin/sh", "-c", {script!r}], cwd=project, env={{"PATH": "/usr/bin:/bin"}}, project=project))
subprocess.run(launch.argv, env=launch.env, cwd=launch.cwd, pass_fds=launch.pass_fds, start_new_session=True)"""
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _until(true: "object", message: str) -> None:
    deadline = time.monotonic() + 20
    while not true():  # pyright: ignore[reportCallIssue]
        assert time.monotonic() < deadline, message
        time.sleep(0.01)
