/** Whether processes can be sandboxed here; tests that need it skip otherwise, and test/skips.json names them. */
import { spawnSync } from 'node:child_process';

const BWRAP = 'bwrap';

/** Why there is no fence on this machine; undefined when there is one. */
export const noBwrap: string | undefined = (() => {
  const args = ['--unshare-user', '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', 'true'];
  const { status, stderr } = spawnSync(BWRAP, args, { encoding: 'utf8' });
  if (status === 0) return undefined;
  return stderr?.trim() || 'no bwrap';
})();
