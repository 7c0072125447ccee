/** `/pm link CODE`: a login says that a code from a channel is theirs (TG-20). Nothing else links anybody. */
import { codeDigest, IDENTITIES_KEY } from '../../../domain/channel/identities.ts';
import type { ParsedCommand } from '../../../domain/commands/command.ts';
import { emitEvent } from '../../run/decision.ts';
import { done, type CommandContext, type CommandOutcome } from '../../run/command-context.ts';

export function confirmLink(
  { talk, step }: CommandContext,
  { args }: ParsedCommand,
): CommandOutcome {
  const [code = ''] = args;
  step.run.step += 1;
  emitEvent(
    step,
    {
      kind: 'link-confirmed',
      run: talk.id,
      codeDigest: codeDigest(code),
      by: { id: talk.actor.id, login: talk.actor.login },
    },
    { key: IDENTITIES_KEY, suffix: `link-${step.run.step}` },
  );
  return done('If the code is valid, the person who was given it acts as you in that channel.');
}
