/** The copy of the journal travels with a task's change, from the coder's result to the gates. */
import { expect, test } from 'vitest';
import { BASE, GOOD, HEAD, ORDER, playTask, type TaskPlay } from '../../helpers/a-task.ts';
import { verifies } from '../../verifies.ts';

const COPY = `.quorum/journal/${ORDER.ref.plan.number}-${ORDER.ref.task}.md`;

function verified(play: TaskPlay): unknown {
  return play.last('verify')?.commit.change;
}

verifies(
  'CB-11',
  'a copy beside the coder’s files is named to the gates, and one of its paths',
  () => {
    const play = playTask();
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    play.answer({ effectKind: 'code', result: { ...GOOD.code.result, journal: COPY } });
    expect(verified(play)).toMatchObject({
      journal: COPY,
      paths: [...GOOD.code.result.files.map(({ path }) => path), COPY],
    });
  },
);

for (const [what, path, journal] of [
  ['is the copy again where it is this task’s', COPY, COPY],
  ['is absent where the file belongs to another task', '.quorum/journal/999-1.md', undefined],
] as const)
  verifies('CB-11', `in work that was found on GitHub, a journal ${what}`, () => {
    const change = { from: BASE, patch: 'diff', summary: '', decisions: [], paths: ['a.ts', path] };
    const found = {
      task: ORDER.ref.task,
      attempt: 1,
      run: 'run-found',
      persona: 'dev',
      pull: { number: 9, url: 'https://github.test/acme/tidy/pull/9' },
      headSha: HEAD,
      commit: { change, at: Date.parse('2026-11-22T08:00:00Z') },
      isReviewed: false,
    };
    const play = playTask();
    play.send({ kind: 'task-found', run: 'plan', order: ORDER, found });
    play.answer(GOOD.claim);
    expect((verified(play) as { journal?: string }).journal).toBe(journal);
  });

test('a journal that the settings switch off is not named from the next text on, until they switch it on', () => {
  const play = playTask();
  play.send({ kind: 'task-go', run: 'plan', order: { ...ORDER, journal: 'quorum/memory' } });
  for (const result of [GOOD.claim, GOOD.code]) play.answer(result);
  play.answer({ ...GOOD.verify, result: { ...GOOD.verify.result, isJournalOff: true } });
  expect(play.last('publish').body).not.toContain('Journal of the plan');
  const outdated = { receipts: [], reviewers: [], outdated: { baseSha: 'f'.repeat(40) } };
  play.answer({ effectKind: 'publish', result: outdated });
  play.answer(GOOD.verify);
  expect(play.last('publish').body).toContain('- Journal of the plan: [`journal/4.md`](');
});
