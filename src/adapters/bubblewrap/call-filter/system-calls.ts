/**
 * Numbers of the system calls that are refused, from the kernel's arch/x86/entry/syscalls/syscall_64.tbl and
 * scripts/syscall.tbl (aarch64). Undefined: the architecture never had the call.
 */
const NUMBERS = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  lookup_dcookie: [212, 18],
  fanotify_init: [300, 262],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_by_handle_at: [304, 265],
  setns: [308, 268],
  unshare: [272, 97],
  clone: [56, 220],
  clone3: [435, 435],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  create_module: [174, undefined],
  query_module: [178, undefined],
  get_kernel_syms: [177, undefined],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  syslog: [103, 116],
  vhangup: [153, 58],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  modify_ldt: [154, undefined],
  uselib: [134, undefined],
  ustat: [136, undefined],
  sysfs: [139, undefined],
  _sysctl: [156, undefined],
  nfsservctl: [180, 42],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
} as const satisfies Record<string, readonly [x64: number | undefined, arm64: number | undefined]>;

export type CallName = keyof typeof NUMBERS;

/** As `process.arch` names it. */
export type FilteredArch = 'x64' | 'arm64';

/** What the kernel calls them: AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64 of linux/audit.h. */
export const AUDIT_ARCH: Readonly<Record<FilteredArch, number>> = {
  x64: 0xc000003e,
  arm64: 0xc00000b7,
};

/**
 * The last call that was judged: `file_setattr` of Linux 6.17. Later ones are answered as by a kernel without them, and so
 * are the calls of x32, whose numbers begin at 2³⁰.
 */
export const LAST_JUDGED = 469;

/** Undefined where the architecture has no such call. */
export function numberOf(call: CallName, arch: FilteredArch): number | undefined {
  return NUMBERS[call][arch === 'x64' ? 0 : 1];
}
