/** `/pm ok-to-run SHA`: a person allows the tests to run on one commit, no matter who wrote it. */
import type { ParsedCommand } from '../../../../domain/commands/command.ts';
import { HEAD_TESTS_CHECK } from '../../../../domain/task/check-names.ts';
import { emitEffect } from '../../../run/decision.ts';
import {
  asCode,
  done,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../../run/command-context.ts';
import { talkLane } from '../send-reply.ts';

/** A short name of a commit can be forged: somebody pushes until another one begins alike. */
const WHOLE = /^[0-9a-f]{40}$/;

export function okToRun(context: CommandContext, { args }: ParsedCommand): CommandOutcome {
  const { talk, view, step } = context;
  const { merge } = view;
  const named = (args[0] ?? '').toLowerCase();
  if (!WHOLE.test(named)) return refused('Name the whole commit, all 40 characters of it.');
  if (merge === undefined) return refused('GitHub did not say which head this pull request has.');
  const { headSha } = merge.pull;
  if (named !== headSha)
    return refused(
      `The head of this pull request is ${asCode(headSha)}. Look at it, then name it.`,
    );
  const { thread, actor } = talk;
  emitEffect(step, { kind: 'test-head', thread, headSha, by: actor.login }, talkLane(context));
  return done(
    `The tests of the base run on ${asCode(headSha.slice(0, 12))}, in the sandbox; they have no credentials and no network. The check ${asCode(HEAD_TESTS_CHECK)} shows the result.`,
  );
}
