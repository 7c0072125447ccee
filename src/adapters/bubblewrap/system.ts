/** What of this machine a sandboxed process sees: programs and libraries, and of /etc what those need and no more. */
import { lstatSync, readlinkSync } from 'node:fs';

/** Top folders of the system; symlinks, as on a merged /usr, stay symlinks. */
export const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
];

/** Nothing here names people, hosts or secrets of the machine. */
const ETC = [
  'alternatives',
  'ca-certificates',
  'ca-certificates.conf',
  'crypto-policies',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'pki/ca-trust',
  'pki/tls/certs',
  'protocols',
  'services',
  'ssl/certs',
  'ssl/openssl.cnf',
].map((name) => `/etc/${name}`);

/** Arguments of bwrap that show the system. */
export function systemArgs(): string[] {
  return [
    ...SYSTEM.flatMap((each) => show(each)),
    ...ETC.flatMap((each) => ['--ro-bind-try', each, each]),
  ];
}

function show(folder: string): string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink()
    ? ['--symlink', readlinkSync(folder), folder]
    : ['--ro-bind', folder, folder];
}

/** Where programs are found in the sandbox: those of `own` folders first. */
export function searchPath(own: readonly string[]): string {
  const system = ['/usr/local/sbin', '/usr/local/bin', '/usr/local/go/bin', '/usr/sbin'];
  return [...own, ...system, '/usr/bin', '/sbin', '/bin'].join(':');
}
