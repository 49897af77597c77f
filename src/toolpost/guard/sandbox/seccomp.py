"""Build a seccomp filter that refuses system calls which no command needs, or which lead out of a sandbox."""

import errno
import platform
import struct

from msgspec import Struct

AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
NEW_NAMESPACES = 0x7E020080  # CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET and TIME
X32 = 0x40000000
SET_ID = 0o6000  # of the user, of the group
CREATES = 0o20000100  # O_CREAT, O_TMPFILE

# The same number on every architecture.
_COMMON = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "quotactl_fd": 443,
}
_REFUSED = {
    "x86_64": _COMMON
    | {
        "ptrace": 101,
        "syslog": 103,
        "uselib": 134,
        "vhangup": 153,
        "modify_ldt": 154,
        "pivot_root": 155,
        "_sysctl": 156,
        "adjtimex": 159,
        "chroot": 161,
        "acct": 163,
        "settimeofday": 164,
        "mount": 165,
        "umount2": 166,
        "swapon": 167,
        "swapoff": 168,
        "reboot": 169,
        "sethostname": 170,
        "setdomainname": 171,
        "iopl": 172,
        "ioperm": 173,
        "init_module": 175,
        "delete_module": 176,
        "quotactl": 179,
        "nfsservctl": 180,
        "lookup_dcookie": 212,
        "clock_settime": 227,
        "kexec_load": 246,
        "add_key": 248,
        "request_key": 249,
        "keyctl": 250,
        "unshare": 272,
        "perf_event_open": 298,
        "fanotify_init": 300,
        "open_by_handle_at": 304,
        "clock_adjtime": 305,
        "setns": 308,
        "process_vm_readv": 310,
        "process_vm_writev": 311,
        "kcmp": 312,
        "finit_module": 313,
        "kexec_file_load": 320,
        "bpf": 321,
        "userfaultfd": 323,
    },
    "aarch64": _COMMON
    | {
        "lookup_dcookie": 18,
        "umount2": 39,
        "mount": 40,
        "pivot_root": 41,
        "chroot": 51,
        "vhangup": 58,
        "quotactl": 60,
        "acct": 89,
        "unshare": 97,
        "kexec_load": 104,
        "init_module": 105,
        "delete_module": 106,
        "clock_settime": 112,
        "syslog": 116,
        "ptrace": 117,
        "reboot": 142,
        "sethostname": 161,
        "setdomainname": 162,
        "settimeofday": 170,
        "adjtimex": 171,
        "add_key": 217,
        "request_key": 218,
        "keyctl": 219,
        "swapon": 224,
        "swapoff": 225,
        "perf_event_open": 241,
        "fanotify_init": 262,
        "open_by_handle_at": 265,
        "clock_adjtime": 266,
        "setns": 268,
        "process_vm_readv": 270,
        "process_vm_writev": 271,
        "kcmp": 272,
        "finit_module": 273,
        "bpf": 280,
        "userfaultfd": 282,
        "kexec_file_load": 294,
    },
}


# Modes, owners, extended attributes.
_ATTRIBUTES = {
    "x86_64": (90, 91, 92, 93, 94, 188, 189, 190, 197, 198, 199, 260, 268, 452, 463, 466, 469),
    "aarch64": (5, 6, 7, 14, 15, 16, 52, 53, 54, 55, 452, 463, 466, 469),
}
# Memory, messages and counters that processes share by a number or a name: shmget, shmat, shmctl, semget, semop,
# semctl, msgget, msgsnd, msgrcv, msgctl, semtimedop and the calls that begin with mq_.
_SHARED = {
    "x86_64": (29, 30, 31, 64, 65, 66, 68, 69, 70, 71, 220, *range(240, 246)),
    "aarch64": (*range(180, 198),),
}


class Machine(Struct, frozen=True):
    """The system call numbers that differ between architectures: the audit number and the calls that are looked
    into."""

    audit: int
    clone: int
    ioctl: int
    socket: int
    # Calls that give a file a mode, with the place of that mode among their arguments.
    modes: dict[int, int]
    # Calls that may make a file, with the places of flags and mode.
    opens: dict[int, tuple[int, int]]
    prlimit: int
    clone3: int = 435
    openat2: int = 437


_MACHINES = {
    "x86_64": Machine(
        0xC000003E,
        *(56, 16, 41),
        modes={85: 1, 90: 1, 91: 1, 133: 1, 259: 2, 268: 2, 452: 2},
        opens={2: (1, 2), 257: (2, 3)},
        prlimit=302,
    ),
    "aarch64": Machine(0xC00000B7, 220, 29, 198, modes={52: 1, 53: 2, 452: 2, 33: 2}, opens={56: (2, 3)}, prlimit=261),
}

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16


def seccomp_filter(families: tuple[int, ...], *, namespaces: bool = True, machine: str = "") -> bytes | None:
    """The filter as bytes, or None for an architecture that is not known. `families` are the sockets allowed.

    Without `namespaces` of its own a command would reach what they keep apart: so no mode, owner or extended attribute
    of a file can be changed, and nothing can be shared with other processes by a number or a name.
    """
    name = machine or platform.machine()
    known = _MACHINES.get(name)
    if known is None:
        return None
    refused = _RETURN, 0, 0, _ERRNO | errno.EPERM
    unknown = _RETURN, 0, 0, _ERRNO | errno.ENOSYS
    allowed = _RETURN, 0, 0, _ALLOW
    steps: list[tuple[int, int, int, int]] = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, known.audit),
        unknown,
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, X32),
        unknown,
    ]
    numbers = [*_REFUSED[name].values(), *(() if namespaces else (*_ATTRIBUTES[name], *_SHARED[name]))]
    for number in numbers:
        steps += [(_EQUAL, 0, 1, number), refused]
    # Their flags are in memory, where a filter can't look; without them, programs fall back to `clone` and `openat`.
    for number in (known.clone3, known.openat2):
        steps += [(_EQUAL, 0, 1, number), unknown]
    steps += [(_EQUAL, 0, 4, known.clone), _argument(0), (_ANY_BIT, 0, 1, NEW_NAMESPACES), refused, allowed]
    steps += [(_EQUAL, 0, 5, known.ioctl), _argument(1), (_EQUAL, 1, 0, TIOCSTI), (_EQUAL, 0, 1, TIOCLINUX), refused]
    steps += [allowed]
    # A program that runs as its owner, or its group, would be one that runs as this user for everybody on the machine.
    for number, mode in known.modes.items():
        steps += [(_EQUAL, 0, 4, number), _argument(mode), (_ANY_BIT, 0, 1, SET_ID), refused, allowed]
    for number, (flags, mode) in known.opens.items():
        steps += [(_EQUAL, 0, 6, number), _argument(flags), (_ANY_BIT, 0, 3, CREATES)]
        steps += [_argument(mode), (_ANY_BIT, 0, 1, SET_ID), refused, allowed]
    if not namespaces:
        # Its own limits, which are those of process 0; not those of others of the same user.
        steps += [(_EQUAL, 0, 4, known.prlimit), _argument(0), (_EQUAL, 1, 0, 0), refused, allowed]
    steps += [(_EQUAL, 0, 2 + 2 * len(families), known.socket), _argument(0)]
    for family in families:
        steps += [(_EQUAL, 0, 1, family), allowed]
    steps += [refused, allowed]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _argument(index: int) -> tuple[int, int, int, int]:
    """Load the lower half of an argument: what is looked at here has 32 bits."""
    return _LOAD, 0, 0, _ARGUMENTS + 8 * index
