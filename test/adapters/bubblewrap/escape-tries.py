"""Tries to get out of the sandbox that it runs in, and prints `held` or `OPEN` for each try. Nothing is ever written."""
import ctypes
import os
import socket
import stat

libc = ctypes.CDLL(None, use_errno=True)


def tell(name, ways):
    print(f"{'OPEN' if ways else 'held'}\t{name}{': ' + ', '.join(map(str, ways[:5])) if ways else ''}", flush=True)


def opens(path, flags):
    try:
        os.close(os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC))
        return True
    except OSError:
        return False


def writable_below(root, skipped):
    found, seen = [], 0
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not skipped(os.path.join(folder, name))]
        for name in files:
            path = os.path.join(folder, name)
            if skipped(path):
                continue
            seen += 1
            if opens(path, os.O_WRONLY):
                found.append(path)
    return found, seen


def own(path):
    first = path.split("/")[2] if path.startswith("/proc/") else ""
    return first.isdigit() or first in ("self", "thread-self")


for root in ("/proc", "/sys"):
    found, seen = writable_below(root, own)
    tell(f"open each file below {root} for writing ({seen} files)", found)

tell("open another process's files for writing",
     [path for path in ("/proc/1/mem", "/proc/1/oom_score_adj", "/proc/1/uid_map") if opens(path, os.O_WRONLY)])

status = dict(line.split(":\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\t" in line)
tell("have a capability", [key for key in ("CapPrm", "CapEff", "CapBnd", "CapAmb") if int(status[key], 16)])
tell("be root, or of a group of root's", [0] if 0 in os.getresuid() + os.getresgid() + tuple(os.getgroups()) else [])
tell("gain rights by a set-uid program", [] if status["NoNewPrivs"] == "1" else ["NoNewPrivs is 0"])

# The folder that is listed is open meanwhile: what is gone afterwards was that.
tell("use a descriptor that was inherited",
     [fd for fd in os.listdir("/proc/self/fd") if int(fd) > 2 and os.path.exists(f"/proc/self/fd/{fd}")])

secrets = ["/etc/shadow", "/etc/ssh", "/root", "/proc/kcore", "/proc/kmsg", "/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda",
           "/var/run/docker.sock", "/run/docker.sock", "/sys/kernel", "/sys/fs/cgroup"]
tell("read what is root's", [path for path in secrets if opens(path, os.O_RDONLY)])

places = ["/", "/usr", "/usr/bin", "/bin", "/lib", "/etc", "/dev", "/proc", "/var", "/opt"]
tell("write to the system", [path for path in places if os.access(path, os.W_OK)])
tell("write a program of the system", [path for path in ("/usr/bin/env", "/etc/passwd", "/etc/gitconfig") if opens(path, os.O_WRONLY)])


def device():
    try:
        os.mknod("/tmp/device", stat.S_IFBLK | 0o600, os.makedev(254, 0))
        return ["made"]
    except OSError:
        return []


tell("make a device", device())


def linked():
    ways = []
    for path in ("/usr/bin/env", "/etc/passwd"):
        try:
            os.link(path, "linked")
            ways.append(path)
        except OSError:
            pass
    return ways


tell("give a file of the system a second name in the folder", linked())

calls = {
    "x86_64": {"unshare": (272, 0x10000000), "setns": (308, 0, 0), "mount": (165, 0, 0, 0, 0, 0), "ptrace": (101, 0, 0, 0, 0),
               "keyctl": (250, 0, -3, 0), "bpf": (321, 0, 0, 0), "io_uring_setup": (425, 1, 0), "userfaultfd": (323, 1),
               "perf_event_open": (298, 0, 0, -1, -1, 0), "clone3": (435, 0, 0), "x32 getpid": (0x40000000 + 39,)},
    "aarch64": {"unshare": (97, 0x10000000), "setns": (268, 0, 0), "mount": (40, 0, 0, 0, 0, 0), "ptrace": (117, 0, 0, 0, 0),
                "keyctl": (219, 0, -3, 0), "bpf": (280, 0, 0, 0), "io_uring_setup": (425, 1, 0), "userfaultfd": (282, 1),
                "perf_event_open": (241, 0, 0, -1, -1, 0), "clone3": (435, 0, 0)},
}.get(os.uname().machine, {})
EPERM, ENOSYS = 1, 38
answered = []
for name, (number, *arguments) in calls.items():
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_ulong(number), *[ctypes.c_long(each) for each in arguments])
    if ctypes.get_errno() not in (EPERM, ENOSYS):
        answered.append(name)
tell(f"ask the kernel for {', '.join(calls) or 'nothing: no list for this architecture'}", answered)


def families():
    ways = []
    for name, family in {"AF_VSOCK": 40, "AF_ALG": 38, "AF_PACKET": 17, "AF_BLUETOOTH": 31, "AF_XDP": 44}.items():
        try:
            socket.socket(family, socket.SOCK_RAW if family == 17 else socket.SOCK_DGRAM).close()
            ways.append(name)
        except OSError:
            pass
    return ways


tell("open a socket of another family", families())


def reached():
    ways = []
    for host, port in (("127.0.0.1", 22), ("127.0.0.1", 5432), ("169.254.169.254", 80), ("1.1.1.1", 53)):
        with socket.socket() as one:
            one.settimeout(1)
            if one.connect_ex((host, port)) == 0:
                ways.append(f"{host}:{port}")
    return ways


tell("reach the host or the network", reached())
pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
tell("see processes of the host", pids if len(pids) > 10 else [])
