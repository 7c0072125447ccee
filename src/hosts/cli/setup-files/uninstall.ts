/** `quorum uninstall`: removes what `quorum init` made and nobody edited, and says what stays. */
import { readRoleDefaults } from '../../../adapters/files/role-defaults.ts';
import { MEMORY_FILES, planMemoryRemoval } from '../../../domain/setup/memory-files.ts';
import { planUninstall } from '../../../domain/setup/plan-steps.ts';
import { LEFT_BEHIND, uninstallMessage } from '../../../domain/setup/setup-text.ts';
import type { SetupFlags } from './flags.ts';
import type { ExitCode, Io } from '../terminal/io.ts';
import { carryOut } from './carry-out.ts';
import { lookAt, openTarget } from './open-target.ts';

export async function uninstall(flags: SetupFlags, io: Io): Promise<ExitCode> {
  const target = await openTarget(flags, io, 'uninstall');
  const { texts, repository } = await lookAt(target, MEMORY_FILES);
  const steps = [
    ...planUninstall(texts, flags.force === true),
    ...planMemoryRemoval(await readRoleDefaults(), texts),
  ];
  const done = flags.pr === true ? 'merge the pull request' : 'commit the change and push it';
  return carryOut(
    target,
    {
      steps,
      ...uninstallMessage(steps),
      nothing: 'Nothing to do: no file here was made by quorum init and left as it was.',
      question: 'Remove these files?',
      next: [done, 'what stays, and how to remove it:', ...LEFT_BEHIND.map((one) => `- ${one}`)],
      json: { repository, left: LEFT_BEHIND },
      needsYes: true,
    },
    { flags, io },
  );
}
