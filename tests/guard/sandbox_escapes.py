"""Attempts to get out of a sandbox, each a script for bash. One that gets somewhere says ESCAPED, or leaves a trace.

They run as root too, so one that works must do no harm: what is outside is opened for writing, and not written.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Escape:
    name: str
    script: str
    # The only sandbox that it is tried in: others do not keep it in, or could take the machine down if they failed.
    only: str = ""


def _python(code: str) -> str:
    return f"python3 - <<'CODE'\n{code}\nCODE"


def _call(name: str, x86: int, arm: int, arguments: str) -> Escape:
    """A system call that has to be refused, whatever the arguments."""
    code = f"""
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
number = {arm} if platform.machine() == "aarch64" else {x86}
result = libc.syscall(number, {arguments})
refused = result == -1 and ctypes.get_errno() in (1, 38)
print("refused" if refused else f"ESCAPED {{result}} {{ctypes.get_errno()}}")"""
    return Escape(name, _python(code))


def _socket(name: str, family: int, kind: str = "SOCK_STREAM") -> Escape:
    code = f"import socket\nsocket.socket({family}, socket.{kind})\nprint('ESCAPED')"
    return Escape(name, _python(code))


def _connect(name: str, family: str, address: str, kind: str = "SOCK_STREAM") -> Escape:
    code = f"""
import os, socket
one = socket.socket(socket.{family}, socket.{kind})
one.settimeout(2)
one.{"sendto(b'hello', " if kind == "SOCK_DGRAM" else "connect("}{address})
print("ESCAPED")"""
    return Escape(name, _python(code))


FILES = [
    Escape("make a file outside", 'echo bad > "$VISIBLE/new"'),
    Escape("append to a file outside", 'echo bad >> "$VISIBLE/victim"'),
    Escape("empty a file outside", ': > "$VISIBLE/victim"'),
    Escape("delete what is outside", 'rm -rf "$VISIBLE"/* "$VISIBLE"'),
    Escape("change a mode outside", 'chmod 777 "$VISIBLE/victim" "$VISIBLE"'),
    Escape("change a time outside", 'touch -d 2001-01-01 "$VISIBLE/victim"', only="bubblewrap"),
    Escape("change an owner outside", 'chown 1:1 "$VISIBLE/victim"'),
    Escape("rename what is outside", 'mv "$VISIBLE/victim" "$VISIBLE/moved"'),
    Escape("move a file out", 'echo bad > src/f; mv src/f "$VISIBLE/f"; cp src/f "$VISIBLE/g"'),
    Escape("write through a link to a file", 'ln -s "$VISIBLE/victim" src/link; echo bad > src/link'),
    Escape("write through a link to a folder", 'ln -s "$VISIBLE" src/folder; echo bad > src/folder/new'),
    Escape("write through a hard link", 'ln "$VISIBLE/victim" src/hard && echo bad > src/hard && echo ESCAPED'),
    Escape("go up", 'echo bad > ../escaped; mkdir -p ../../escaped; echo bad > "$WORLD/secret"'),
    Escape("write beside the home folder", 'echo bad > "$WORLD/home/new"; rm -rf "$WORLD/home"'),
    Escape("by /proc/self/root", 'echo bad > "/proc/self/root$VISIBLE/new"; cat "/proc/self/root$WORLD/secret"'),
    Escape("by /proc/1/root", 'echo bad > "/proc/1/root$VISIBLE/new"; cat "/proc/1/root$WORLD/secret"'),
    Escape("by /proc/self/cwd", 'echo bad > "/proc/self/cwd/../escaped"; cat /proc/self/cwd/../secret'),
    Escape("write to every open descriptor", "for fd in /proc/self/fd/*; do echo bad >> $fd; done; ls -l /proc/1/fd"),
    Escape(
        "read through old descriptors", 'for fd in /proc/1/fd/* /proc/self/fd/*; do cat "$fd/secret"; ls $fd/; done'
    ),
    Escape("move the project", 'mv "$PROJECT" "$PROJECT.old"; rmdir "$PROJECT"; mkdir "$WORLD/x"'),
    Escape(
        "swap folders",
        _python(
            "import ctypes, os\nlibc = ctypes.CDLL(None)\n"
            "libc.renameat2(-100, b'src', -100, os.environb[b'VISIBLE'], 2) == 0 and print('ESCAPED')"
        ),
    ),
    Escape("leave a program that runs as its owner", "cp /bin/sh src/sh; chmod 4755 src/sh; chmod u+s src/sh"),
    Escape(
        "make a program that runs as its owner",
        _python("import os\nos.open('src/suid', os.O_CREAT | os.O_WRONLY, 0o4755)\nos.mknod('src/suid2', 0o104755)"),
    ),
    Escape(
        "make a device",
        _python("import os, stat\nos.mknod('src/disk', 0o600 | stat.S_IFBLK, os.makedev(8, 0))\nprint('ESCAPED')"),
    ),
    Escape(
        "read disks and memory",
        "for d in mem kmem kmsg port vda sda nvme0n1 kvm; do head -c 1 /dev/$d >/dev/null && echo ESCAPED; done",
    ),
    Escape(
        "write system settings",
        "for f in kernel/core_pattern vm/overcommit_memory kernel/modprobe; "
        "do (: >> /proc/sys/$f) && echo ESCAPED; done;"
        "(: >> /sys/kernel/mm/ksm/run) && echo ESCAPED",
    ),
    Escape("write to sysrq", "(: >> /proc/sysrq-trigger) && echo ESCAPED"),
    Escape(
        "change programs",
        '(: >> "$(readlink /proc/1/exe)") && echo ESCAPED; (: >> /usr/bin/env) && echo ESCAPED; '
        "rmdir $(mktemp -d -p /usr/bin) && echo ESCAPED",
    ),
    Escape(
        "change the system's settings",
        "(: >> /etc/passwd) && echo ESCAPED; rm $(mktemp -p /etc) && echo ESCAPED",
    ),
    Escape("read password hashes", "grep -q . /etc/shadow && echo ESCAPED; grep -q . /etc/gshadow && echo ESCAPED"),
]
HOME = [
    Escape("read a key", "cat ~/.ssh/id_rsa ~/.ssh/*"),
    Escape("read credentials and history", "cat ~/.aws/credentials ~/.bash_history"),
    Escape(
        "look for keys everywhere",
        'find / -xdev \\( -name id_rsa -o -name credentials \\) -path "*$(basename $WORLD)*" -exec cat {} + '
        "2>/dev/null",
    ),
    Escape("read a key by its real path", 'cat "/proc/self/root$HOME/.ssh/id_rsa" "$WORLD/home/.ssh/id_rsa"'),
    Escape("add a key", "mkdir -p ~/.ssh; echo bad >> ~/.ssh/authorized_keys; echo bad > ~/.ssh/config"),
    Escape("change the shell's settings", "echo bad >> ~/.bashrc; echo bad > ~/.profile; echo bad > ~/.zshenv"),
    Escape("read what is in /tmp", 'cat "$WORLD/secret" /tmp/*/secret'),
]
PROTECTED = [
    Escape("change a hook", "echo bad >> .git/hooks/pre-push; chmod +x .git/hooks/pre-push"),
    Escape("add a hook", "echo bad > .git/hooks/pre-commit; cp /bin/sh .git/hooks/post-checkout"),
    Escape("remove the hooks", "rm -rf .git/hooks; rmdir .git/hooks; mv .git/hooks .git/old"),
    Escape("put a link in the hooks' place", "mkdir src/h; ln -sfn ../src/h .git/hooks; mv -T src/h .git/hooks"),
    Escape("move .git away", "mv .git .git2 && cp -r .git2 .git && echo bad > .git/hooks/pre-commit && echo ESCAPED"),
    Escape(
        "change git's settings",
        "git config core.fsmonitor ./evil; git config core.hooksPath src; echo bad >> .git/config",
    ),
    Escape(
        "replace git's settings",
        "echo bad > src/config; mv src/config .git/config; cp src/config .git/config; rm -f .git/config",
    ),
    Escape("git's settings through a hard link", "ln .git/config src/hard && echo bad > src/hard && echo ESCAPED"),
    Escape(
        "git's settings of the worktree",
        "echo bad > .git/config.worktree && echo ESCAPED; mkdir .git/config.worktree/x && echo ESCAPED",
    ),
    Escape(
        "give git another folder for its settings",
        "mkdir src/g; echo ../src/g > .git/commondir; rm -f .git/commondir; echo ../src/g > src/c; "
        "mv src/c .git/commondir; ln -sf ../src/c .git/commondir; truncate -s 0 .git/commondir",
    ),
    Escape(
        "give a worktree another folder for its settings",
        "echo bad > .git/worktrees/other/commondir; rm -rf .git/worktrees/other; mv .git/worktrees .git/old",
    ),
    Escape(
        "make .mcp.json", "echo bad > .mcp.json; rmdir .mcp.json && echo ESCAPED; mv .mcp.json src/m && echo ESCAPED"
    ),
    Escape(
        "put a link in the place of .mcp.json",
        "ln -sfn src/evil .mcp.json && echo ESCAPED; mv -T src .mcp.json && echo ESCAPED",
    ),
    Escape("make .toolpost", "mkdir -p .toolpost/tools; echo bad > .toolpost/config.toml; mv src .toolpost"),
    Escape(
        "open protected names to writing",
        "chmod 777 .mcp.json .toolpost .git/hooks .git/config; echo bad > .toolpost/x",
    ),
    Escape("take a mount away", "umount .git/hooks; umount -l .mcp.json; mount -o remount,rw .git/config"),
]
PROCESSES = [
    Escape("read the environment of pid 1", "tr '\\0' '\\n' < /proc/1/environ"),
    Escape("read every environment", "cat /proc/[0-9]*/environ | tr '\\0' '\\n'"),
    Escape(
        "read the environment of another process",
        'cat "/proc/$VICTIM/environ"; cat "/proc/$VICTIM/task/$VICTIM/environ"',
    ),
    Escape(
        "read the memory of another process",
        _python(
            "import os\nvictim = os.environ['VICTIM']\n"
            "lines = open(f'/proc/{victim}/maps').read().splitlines()\nprint('ESCAPED', lines[0])"
        ),
    ),
    Escape(
        "read memory that processes share",
        _python(
            "import ctypes, os\nlibc = ctypes.CDLL(None)\nlibc.shmat.restype = ctypes.c_void_p\n"
            "address = libc.shmat(int(os.environ['SHARED']), None, 0o10000)\n"
            "address in (None, 2**64 - 1) or print('ESCAPED', ctypes.string_at(address))"
        ),
    ),
    Escape(
        "trace another process",
        _python(
            "import ctypes, os\nlibc = ctypes.CDLL(None)\n"
            "libc.ptrace(16, int(os.environ['VICTIM']), 0, 0) == 0 and print('ESCAPED')"
        ),
    ),
    Escape("kill another process", 'kill -9 "$VICTIM"; kill -TERM "$VICTIM"; kill -9 "-$VICTIM"'),
    Escape(
        "kill everything", '[ "$(cat /proc/1/comm)" = bwrap ] && { trap "" TERM; kill -TERM -1; }', only="bubblewrap"
    ),
    Escape("stay behind", "setsid sleep $MARK >/dev/null 2>&1 & (nohup sleep $MARK >/dev/null 2>&1 &)"),
    Escape("stay behind without an environment", "(env -i setsid sleep $MARK >/dev/null 2>&1 &)"),
    Escape("become another user", "su root -c id; sudo -n id; setpriv --reuid 1 id 2>/dev/null && echo ESCAPED"),
    Escape(
        "get capabilities",
        "grep -q 'CapEff:.*[1-9a-f]' /proc/self/status && echo ESCAPED; "
        "grep -q 'NoNewPrivs:.*1' /proc/self/status || echo ESCAPED",
    ),
    Escape(
        "raise limits",
        "ulimit -u unlimited 2>/dev/null && echo ESCAPED; ulimit -d unlimited 2>/dev/null && echo ESCAPED; "
        "ulimit -f unlimited 2>/dev/null && echo ESCAPED",
    ),
    Escape(
        "leave the control group",
        "for f in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do (echo $$ > $f) && echo ESCAPED; done",
    ),
    Escape(
        "make a control group",
        "rmdir $(mktemp -d -p /sys/fs/cgroup) && echo ESCAPED; "
        "rmdir $(mktemp -d -p /sys/fs/cgroup/memory) && echo ESCAPED",
    ),
    Escape(
        "type into a terminal",
        _python("""
import fcntl, os, pty
leader, follower = pty.openpty()
os.setsid() if os.getpid() != os.getsid(0) else None
fcntl.ioctl(follower, 0x540E, 0)
for number in (0x5412, 0x541C, 0x100005412):
    try:
        fcntl.ioctl(follower, number & 0xFFFFFFFF, b"x")
        print("ESCAPED")
    except PermissionError:
        print("refused")"""),
    ),
]
NETWORK = [
    Escape("reach a server", 'exec 3<>"/dev/tcp/127.0.0.1/$TCP" && echo ESCAPED >&3 && echo ESCAPED'),
    _connect("reach a server from Python", "AF_INET", "('127.0.0.1', int(os.environ['TCP']))"),
    _connect("reach a server over IPv6", "AF_INET6", "('::1', int(os.environ['TCP6']))"),
    Escape("send a datagram", 'echo hello > "/dev/udp/127.0.0.1/$UDP"'),
    _connect("reach a service by its socket", "AF_UNIX", "os.environ['VISIBLE'] + '/socket'"),
    _connect("reach a socket in the home folder", "AF_UNIX", "os.environ['HOME'] + '/socket'"),
    _connect("reach an abstract socket", "AF_UNIX", "'\\0' + os.environ['MARK']"),
    _socket("open a raw socket", 2, "SOCK_RAW"),
    _socket("open a packet socket", 17, "SOCK_RAW"),
    _socket("talk to the host of a virtual machine", 40),
    _socket("use the kernel's ciphers", 38, "SOCK_SEQPACKET"),
    _socket("open a Bluetooth socket", 31),
]
CALLS = [
    _call("mount", 165, 40, "b'none', b'/tmp', b'tmpfs', 0, 0"),
    _call("remount", 165, 40, "0, b'/', 0, 4096 | 32, 0"),
    _call("umount", 166, 39, "b'/proc', 2"),
    _call("open_tree", 428, 428, "-100, b'/', 1"),
    _call("fsopen", 430, 430, "b'tmpfs', 0"),
    _call("move_mount", 429, 429, "-1, b'', -100, b'/tmp', 4"),
    _call("mount_setattr", 442, 442, "-100, b'/', 0, 0, 0"),
    _call("pivot_root", 155, 41, "b'/', b'/'"),
    _call("chroot", 161, 51, "b'src'"),
    _call("unshare", 272, 97, "0x10000000"),
    _call("clone with a namespace", 56, 220, "0x10000000 | 17, 0, 0, 0, 0"),
    _call("clone3", 435, 435, "0, 0"),
    _call("setns", 308, 268, "0, 0"),
    _call("ptrace itself", 101, 117, "0, 0, 0, 0"),
    _call("process_vm_readv", 310, 270, "int(os.environ['VICTIM']), 0, 0, 0, 0, 0"),
    _call("process_vm_writev", 311, 271, "int(os.environ['VICTIM']), 0, 0, 0, 0, 0"),
    _call("pidfd_getfd", 438, 438, "0, 0, 0"),
    _call("keyctl", 250, 219, "0, -3, 0"),
    _call("add_key", 248, 217, "b'user', b'x', b'x', 1, -3"),
    _call("bpf", 321, 280, "0, 0, 0"),
    _call("userfaultfd", 323, 282, "0"),
    _call("perf_event_open", 298, 241, "0, 0, -1, -1, 0"),
    _call("io_uring_setup", 425, 425, "1, 0"),
    _call("open_by_handle_at", 304, 265, "0, 0, 0"),
    _call("init_module", 175, 105, "0, 0, b''"),
    _call("kexec_load", 246, 104, "0, 0, 0, 0"),
    _call("settimeofday", 164, 170, "0, 0"),
    _call("swapon", 167, 224, "b'src/none', 0"),
    _call("a call of another interface", 0x40000000 + 101, 101 + 0x40000000, "0, 0, 0, 0"),
]
KINDS = {
    "files": FILES,
    "the home folder": HOME,
    "protected names": PROTECTED,
    "processes": PROCESSES,
    "the network": NETWORK,
    "system calls": CALLS,
}
ESCAPES = [escape for kind in KINDS.values() for escape in kind]
