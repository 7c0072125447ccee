/** System calls that sandboxed programs are refused, and why: docs/decisions/2026-11-23-what-sandboxed-programs-ask-the-kernel.md. */
import type { CallName } from './system-calls.ts';

/** Error numbers of Linux on x86_64 and aarch64. */
export const ERRNO = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const;

/** Compares the low 32 bits of one argument: the kernel reads no more of the arguments that are named here. */
export interface Condition {
  /** 0 to 5. */
  argument: number;
  is: 'with-any-bit-of' | 'one-of' | 'none-of';
  /** For `with-any-bit-of` one mask. */
  values: readonly number[];
}

export interface Refusal {
  calls: readonly CallName[];
  /** ENOSYS where programs then take an older call. */
  errno: keyof typeof ERRNO;
  /** All must hold; without any the call is always refused. */
  when?: readonly Condition[];
}

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET of linux/sched.h. */
const NEW_NAMESPACES =
  0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000;
/** In `clone` this bit belongs to the number of a signal. */
const NEW_TIME = 0x80;

/** TIOCSTI types into a terminal, TIOCLINUX pastes into a console, TIOCSETD loads a line discipline. */
const TERMINAL_REQUESTS = [0x5412, 0x541c, 0x5423];

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. AF_VSOCK, for one, reaches the hypervisor from every network namespace. */
const FAMILIES = [1, 2, 10, 16];
const NETLINK = 16;
/** NETLINK_ROUTE: by it programs list network interfaces. */
const ROUTE = 0;

export const REFUSALS: readonly Refusal[] = [
  // Other processes: their memory, registers and descriptors.
  {
    errno: 'EPERM',
    calls: [
      'ptrace',
      'process_vm_readv',
      'process_vm_writev',
      'process_madvise',
      'kcmp',
      'pidfd_getfd',
      'move_pages',
      'migrate_pages',
    ],
  },
  // Large parts of the kernel that no build needs, each the way of past escapes.
  {
    errno: 'EPERM',
    calls: ['bpf', 'perf_event_open', 'userfaultfd', 'lookup_dcookie', 'fanotify_init'],
  },
  { errno: 'ENOSYS', calls: ['io_uring_setup', 'io_uring_enter', 'io_uring_register'] },
  // Keys belong to a user, not to a namespace: all sandboxes would share them.
  { errno: 'EPERM', calls: ['add_key', 'request_key', 'keyctl'] },
  // What is mounted, and what a path means.
  {
    errno: 'EPERM',
    calls: [
      'mount',
      'umount2',
      'pivot_root',
      'chroot',
      'open_tree',
      'open_tree_attr',
      'move_mount',
      'fsopen',
      'fsconfig',
      'fsmount',
      'fspick',
      'mount_setattr',
      'open_by_handle_at',
    ],
  },
  // Namespaces: in one of its own a process has capabilities again.
  { errno: 'EPERM', calls: ['setns'] },
  {
    errno: 'EPERM',
    calls: ['unshare'],
    when: [{ argument: 0, is: 'with-any-bit-of', values: [NEW_NAMESPACES | NEW_TIME] }],
  },
  {
    errno: 'EPERM',
    calls: ['clone'],
    when: [{ argument: 0, is: 'with-any-bit-of', values: [NEW_NAMESPACES] }],
  },
  // Its flags are in memory, which no filter can read; C libraries then take `clone`.
  { errno: 'ENOSYS', calls: ['clone3'] },
  // The machine itself.
  {
    errno: 'EPERM',
    calls: [
      'kexec_load',
      'kexec_file_load',
      'init_module',
      'finit_module',
      'delete_module',
      'create_module',
      'query_module',
      'get_kernel_syms',
      'reboot',
      'swapon',
      'swapoff',
      'acct',
      'quotactl',
      'quotactl_fd',
      'settimeofday',
      'clock_settime',
      'sethostname',
      'setdomainname',
      'syslog',
      'vhangup',
      'iopl',
      'ioperm',
      'modify_ldt',
      'uselib',
      'ustat',
      'sysfs',
      '_sysctl',
      'nfsservctl',
    ],
  },
  {
    errno: 'EPERM',
    calls: ['ioctl'],
    when: [{ argument: 1, is: 'one-of', values: TERMINAL_REQUESTS }],
  },
  {
    errno: 'EAFNOSUPPORT',
    calls: ['socket', 'socketpair'],
    when: [{ argument: 0, is: 'none-of', values: FAMILIES }],
  },
  {
    errno: 'EAFNOSUPPORT',
    calls: ['socket'],
    when: [
      { argument: 0, is: 'one-of', values: [NETLINK] },
      { argument: 2, is: 'none-of', values: [ROUTE] },
    ],
  },
];
