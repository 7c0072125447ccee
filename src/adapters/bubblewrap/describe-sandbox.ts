/** What a sandbox of this machine holds, for the doctor. */
import { optionsOf } from './bwrap-options.ts';
import { callFilter } from './call-filter/call-filter.ts';
import { sandboxUser } from './sandbox-user.ts';

/** One line: the program, who sandboxed programs are, and each protection that is or is not there. */
export function describeSandbox(bwrap: string, arch: string = process.arch): string {
  const user = sandboxUser();
  return [
    bwrap,
    user === undefined ? 'as the user of the App' : `as user ${user.uid} (the App is root)`,
    callFilter(arch) === undefined
      ? `no filter of system calls: there is no list for ${arch}`
      : 'system calls are filtered',
    optionsOf(bwrap).canDisableUserns
      ? 'user namespaces are off inside'
      : 'this bwrap cannot turn user namespaces off inside (0.8.0 can)',
  ].join('; ');
}
