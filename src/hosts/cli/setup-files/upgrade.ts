/** `quorum upgrade`: moves the version that a repository's workflow and configuration name, and shows what changed. */
import { ConfigError } from '../../../domain/event/errors.ts';
import { findPins } from '../../../domain/setup/product-pin.ts';
import { planUpgrade } from '../../../domain/setup/plan-steps.ts';
import { upgradeMessage } from '../../../domain/setup/setup-text.ts';
import type { UpgradeFlags } from './flags.ts';
import type { ExitCode, Io } from '../terminal/io.ts';
import { carryOut } from './carry-out.ts';
import { checkPin, ownRef } from './find-source.ts';
import { lookAt, openTarget } from './open-target.ts';

export async function upgrade(flags: UpgradeFlags, io: Io): Promise<ExitCode> {
  const target = await openTarget(flags, io, 'upgrade');
  const { texts, repository } = await lookAt(target);
  const [pin] = [...texts.values()].flatMap(findPins);
  if (pin === undefined)
    throw new ConfigError({
      code: 'not-set-up',
      message: `No file of ${repository} names a version of Quorum. Run quorum init first.`,
    });
  const ref = flags.ref ?? ownRef();
  const to = checkPin({ repository: flags.source ?? pin.repository, ref });
  const steps = planUpgrade(texts, { repository: flags.source, ref });
  return carryOut(
    target,
    {
      steps,
      ...upgradeMessage(to, steps),
      nothing: `Nothing to do: everything is at ${ref}.`,
      question: `Move to ${ref}?`,
      next: flags.pr === true ? ['merge the pull request'] : ['commit the change and push it'],
      json: { repository, from: pin.ref, to: ref },
      needsYes: false,
    },
    { flags, io },
  );
}
