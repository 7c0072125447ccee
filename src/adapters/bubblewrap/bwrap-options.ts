/** Which of bwrap's newer options the installed one has. */
import { spawnSync } from 'node:child_process';

export interface BwrapOptions {
  /** `--disable-userns`, since 0.8.0: nothing inside can make a user namespace. */
  canDisableUserns: boolean;
}

const known = new Map<string, BwrapOptions>();
const TRY_MS = 10_000;

/** Asked once for each program; one that cannot be run has none, and its start says why. */
export function optionsOf(bwrap: string): BwrapOptions {
  const before = known.get(bwrap);
  if (before !== undefined) return before;
  const { stdout, stderr } = spawnSync(bwrap, ['--help'], { encoding: 'utf8', timeout: TRY_MS });
  const help = `${stdout ?? ''}${stderr ?? ''}`;
  const options = { canDisableUserns: /^[ \t]*--disable-userns\b/m.test(help) };
  known.set(bwrap, options);
  return options;
}
