/**
 * `quorum cleanup`: what work on tasks left behind on this machine and on GitHub. Removed after confirmation;
 * branches stay.
 */
import path from 'node:path';
import { findLeftovers, removeLeftovers, type Leftovers } from '../../../act/recover/leftovers.ts';
import { createSettings } from '../../../act/settings/read-settings.ts';
import { diskUsage } from '../../../adapters/git/create-git.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import { withPorts } from '../app-ports.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';

const DAY_MS = 24 * 3_600_000;
const MB = 1_000_000;

interface Flags {
  json?: true;
  yes?: true;
  days: string;
}

export async function cleanup(flags: Flags, io: Io): Promise<ExitCode> {
  const days = Number(flags.days);
  if (!Number.isInteger(days) || days < 0)
    throw usageError('days-invalid', `--days is ${flags.days}; a whole number is expected.`);
  const isSure = flags.yes === true;
  const found = await withPorts(io, async (ports) => {
    const idleMs = days * DAY_MS;
    const all = await findLeftovers({ ports, readSettings: createSettings(ports), idleMs });
    if (isSure) await removeLeftovers(all, ports);
    return all;
  });
  const disk = await diskUsage(path.join(readHostSettings(io.env).dataDir, 'work'));
  if (flags.json === true) outJson(io, { removed: isSure, ...toJson(found), disk });
  else io.out(render(found, { isSure, disk }));
  return EXIT.ok;
}

function toJson({ worktrees, leases }: Leftovers) {
  return {
    worktrees: worktrees.map(({ name, branch, idleMs }) => ({ name, branch, idleMs })),
    leases: leases.map(({ repository, ref, holder, expiredAt }) => ({
      repository,
      ref,
      holder,
      expiredAt,
    })),
  };
}

function render(
  { worktrees, leases }: Leftovers,
  { isSure, disk }: { isSure: boolean; disk: readonly { path: string; bytes: number }[] },
): string {
  const deed = isSure ? 'removed' : 'would be removed';
  const back = isSure ? 'given back' : 'would be given back';
  const lines = [
    ...worktrees.map(
      ({ name, branch, idleMs }) =>
        `worktree ${name} (${branch || 'no branch'}), idle for ${Math.floor(idleMs / DAY_MS)} days: ${deed}`,
    ),
    ...leases.map(
      ({ repository, ref, holder, expiredAt }) =>
        `lease ${ref} of ${repository}, held by ${holder} until ${expiredAt}: ${back}`,
    ),
    ...disk.map(({ path: at, bytes }) => `${at}: ${Math.ceil(bytes / MB)} MB, kept`),
  ];
  if (lines.length === 0) return 'There is nothing to clean up.\n';
  const isIdle = isSure || worktrees.length + leases.length === 0;
  return `${lines.join('\n')}\n${isIdle ? '' : 'Say --yes to do it. Branches stay.\n'}`;
}
