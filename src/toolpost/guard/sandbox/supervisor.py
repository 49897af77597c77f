"""Run one command, supervise it, and end every process that it started; under Landlock and seccomp if asked.

A program of its own, with as little of the standard library as will do, since it starts with each command:
`python -I -S supervisor.py POLICY-FD LIFELINE-FD`.
"""

import ctypes
import marshal
import os
import select
import stat
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from typing import Any
else:
    # What `signal` is made of: the same names as plain numbers, without tables that take longer than all the rest.
    import _signal as signal

MARK = "TOOLPOST_PROCESS"
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_DROP_CAPABILITY = 38, 22, 36, 24
CAPABILITIES = 64
CAPABILITY_VERSION = 0x20080522
READ = 0b1101  # execute, read a file, read a folder
WRITE_FILE, TRUNCATE, DEVICE_CONTROL = 1 << 1, 1 << 14, 1 << 15
ALL_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
OF_A_FILE = 0b111 | TRUNCATE | DEVICE_CONTROL
SCOPES = 0b11  # abstract sockets, signals
FIRST_WITH_SCOPES = 6


def main() -> int:
    policy_fd, lifeline = int(sys.argv[1]), int(sys.argv[2])
    with os.fdopen(policy_fd, "rb") as opened:
        policy = marshal.load(opened)
    os.set_inheritable(lifeline, False)
    libc = ctypes.CDLL(None, use_errno=True)
    # Whatever loses its parent becomes our child, so that nothing can slip away.
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    ended, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _noted)
    child = os.fork()
    if child == 0:
        _become(policy, libc)
    code = _watch(child, ended, lifeline)
    _end_all()
    return code


def landlock_version(libc: ctypes.CDLL) -> int:
    """The version of the kernel's interface, or a number below 1."""
    return int(libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1))


def _become(policy: "dict[str, Any]", libc: ctypes.CDLL) -> None:
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(policy["cwd"])
        if policy["restricted"]:
            _drop_capabilities(libc)
            _checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
            _restrict_files(policy, libc)
            _restrict_calls(policy["seccomp"], libc)
        # The process that started us finds what we started by this mark, should we be killed.
        marks = {name: value for name, value in os.environ.items() if name == MARK}
        os.execve(policy["argv"][0], policy["argv"], policy["env"] | marks)
    except OSError as error:
        os.write(2, f"the sandbox could not be set up: {error}\n".encode())
    finally:
        os._exit(126)


def _drop_capabilities(libc: ctypes.CDLL) -> None:
    """Root without its powers, and no program that gives them back."""
    for number in range(CAPABILITIES):
        libc.prctl(PR_DROP_CAPABILITY, number, 0, 0, 0)
    _checked(libc.capset(struct.pack("=Ii", CAPABILITY_VERSION, 0), bytes(24)))


def _restrict_files(policy: "dict[str, Any]", libc: ctypes.CDLL) -> None:
    version = landlock_version(libc)
    everything = max(rights for known, rights in ALL_BY_VERSION.items() if known <= version)
    scoped = SCOPES if version >= FIRST_WITH_SCOPES else 0
    attributes = struct.pack("=QQQ", everything, 0, scoped)
    size = 24 if scoped else 8
    ruleset = _checked(libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(size), 0))
    for opened in policy["read"]:
        _allow(libc, ruleset, opened, READ)
    for opened in policy["write"]:
        _allow(libc, ruleset, opened, everything)
    for opened in policy["devices"]:
        _allow(libc, ruleset, opened, READ | WRITE_FILE | (DEVICE_CONTROL & everything))
    _checked(libc.syscall(RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, opened: int, rights: int) -> None:
    if not stat.S_ISDIR(os.fstat(opened).st_mode):
        rights &= OF_A_FILE
    rule = struct.pack("=Qi", rights, opened)
    _checked(libc.syscall(ADD_RULE, ruleset, 1, rule, 0))
    os.close(opened)


def _restrict_calls(program: bytes, libc: ctypes.CDLL) -> None:
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    _checked(libc.prctl(PR_SET_SECCOMP, 2, header, 0, 0))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _watch(child: int, ended: int, lifeline: int) -> int:
    """The exit code of the command; that of a signal if we were told to stop, or our parent is gone."""
    while True:
        ready, _, _ = select.select([ended, lifeline], [], [])
        told = os.read(ended, 4096) if ended in ready else b""
        if lifeline in ready or any(number != signal.SIGCHLD for number in told):
            return 128 + signal.SIGTERM
        while True:
            pid, status = _reap()
            if pid == child:
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
            if not pid:
                break


def _reap() -> tuple[int, int]:
    try:
        return os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return 0, 0


def _end_all() -> None:
    """Kill children until none is left: those of a killed one become ours, and are next."""
    while True:
        for pid in _children():
            try:  # noqa: SIM105 - contextlib would have to be imported
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children() -> list[int]:
    with open(f"/proc/self/task/{os.getpid()}/children") as listed:  # noqa: PTH123 - and pathlib
        return [int(pid) for pid in listed.read().split()]


def _noted(number: int, frame: object) -> None:
    pass


if __name__ == "__main__":
    sys.exit(main())
