/** Pull requests of people, at each step of a review. */
import { comment, proposes, pushes } from './deeds.ts';
import type { Hold, RetryContext, Place } from './moment.ts';

const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

const badPull = proposes('src/run.ts', EVAL);

const reviews = (name: string, hold: Hold): RetryContext => ({
  name: `review-${name}`,
  files: QUICK,
  act: badPull,
  hold,
});

async function acceptsAndMerges({ emulator, repo }: Place): Promise<void> {
  const ana = emulator.as('ana');
  const [finding] = emulator.repository(repo).threads.get(1)?.pull?.reviewComments ?? [];
  const at = `/repos/${repo}/pulls/comments/${finding?.id ?? 0}/reactions`;
  await ana.request('POST', at, { content: '+1' });
  await ana.request('PUT', `/repos/${repo}/pulls/1/merge`, {});
}

async function asksOnLine({ emulator, repo }: Place): Promise<void> {
  const head = emulator.repository(repo).threads.get(1)?.pull?.headSha;
  const place = { path: 'src/run.ts', line: 1, side: 'RIGHT', commit_id: head };
  const asked = { body: '/pm status', ...place };
  await emulator.as('ana').request('POST', `/repos/${repo}/pulls/1/comments`, asked);
}

export const REVIEWS: readonly RetryContext[] = [
  reviews('read', { effect: 'look-pull', point: 'before' }),
  reviews('ask', { effect: 'ask', point: 'before' }),
  reviews('post', { effect: 'review', point: 'before' }),
  reviews('posted', { effect: 'review', point: 'after' }),
  reviews('check', { effect: 'review-check', point: 'before' }),
  reviews('labels', { effect: 'labels', point: 'after' }),
  { name: 'review-done', files: QUICK, act: badPull, after: comment(1, '/pm review') },
  {
    name: 'review-settle',
    files: { '.github/quorum.yml': 'review:\n  settleSeconds: 5\n' },
    before: [badPull],
    act: pushes('src/run.ts', 'export {};\n', 'change'),
    hold: { event: 'timer' },
  },
  {
    name: 'review-fold',
    files: QUICK,
    before: [badPull],
    act: pushes('src/run.ts', 'export {};\n', 'change'),
    hold: { effect: 'fold', point: 'before' },
  },
  {
    name: 'review-feedback',
    files: QUICK,
    before: [badPull],
    act: acceptsAndMerges,
    hold: { effect: 'look-feedback', point: 'before' },
  },
  {
    name: 'review-judged',
    files: QUICK,
    before: [badPull],
    act: acceptsAndMerges,
    hold: { event: 'judged' },
  },
  {
    name: 'review-reply',
    files: QUICK,
    before: [proposes('src/run.ts', 'export const run = 1;\n')],
    act: asksOnLine,
    hold: { effect: 'reply', point: 'after' },
  },
];
