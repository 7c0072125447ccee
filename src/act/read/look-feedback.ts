/** Reads what people said to our findings, once a pull request is over: nothing else asks for it then. */
import type { EffectData } from '../../domain/event/effect.ts';
import { readVoters, toReplies } from './pull/read-voters.ts';
import { pullsAt, type ActPorts, type Performed } from '../ports.ts';

export async function lookAtFeedback(
  { thread }: Extract<EffectData, { kind: 'look-feedback' }>,
  ports: ActPorts,
): Promise<Performed<'look-feedback'>> {
  const session = pullsAt(ports, thread);
  const { pulls, counts } = session;
  const [pull, feedback] = await Promise.all([pulls.pull(thread), pulls.feedback(thread)]);
  const { of: permissionOf } = await readVoters(thread, session, { feedback, others: [] });
  const { author, isMerged } = pull;
  return {
    effectKind: 'look-feedback',
    result: { thread, replies: toReplies(feedback, permissionOf), authorId: author.id, isMerged },
    githubCalls: counts,
  };
}
