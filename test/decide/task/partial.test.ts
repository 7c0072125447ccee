/**
 * An attempt that ran out of time: the next one receives what it had changed, for as long as the
 * task does not change.
 */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { GOOD, ORDER, playTask, type TaskPlay } from '../../helpers/a-task.ts';
import { verifies } from '../../verifies.ts';

const HALF = 'diff --git a/src/hello.ts b/src/hello.ts\n+// <!-- half of it -->\n';
const KEPT = 'the coder: Its time was up. Its change so far is kept for the next attempt.';
const EDITED = { effectKind: 'plan-edit', result: { outcome: 'edited' } } as const;

function timeOut(play: TaskPlay, partial?: string): void {
  const { summary: _, decisions: __, ...report } = GOOD.code.result.report;
  play.answer({
    effectKind: 'code',
    result: {
      coder: 'claude',
      report: { ...report, outcome: 'timed-out', reason: 'Its time was up.' },
      patch: '',
      isTooLarge: false,
      files: [],
      ...(partial !== undefined && { partial }),
    },
  });
  play.answer(EDITED);
}

function goOn(play: TaskPlay, order = ORDER): string {
  play.send({ kind: 'task-go', run: 'plan', order });
  play.answer(GOOD.claim);
  return play.last('code').prompt;
}

verifies(
  'CB-6',
  'what was changed within the time is data for the next attempt, markup and all',
  () => {
    const play = playTask();
    goOn(play);
    timeOut(play, HALF);
    expect(play.last('plan-edit').edits[0]).toMatchObject({ status: 'pending', reason: KEPT });
    const nonce = GOOD.claim.result.nonce;
    const prompt = goOn(play);
    expect(prompt).toMatch(
      new RegExp(`## What was changed before\\n\\n<<<data ${nonce} [^\\n]*an earlier attempt`),
    );
    expect(prompt).toContain('+// <!-- half of it -->');
    for (const result of [GOOD.code, GOOD.verify, GOOD.publish]) play.answer(result);
    expect(play.stream().run).not.toHaveProperty('partial');
  },
);

test('what was kept outlives an attempt in which nothing was changed', () => {
  const play = playTask();
  goOn(play);
  timeOut(play, HALF);
  goOn(play);
  timeOut(play);
  expect(play.last('plan-edit').edits[0]).toMatchObject({ reason: 'the coder: Its time was up.' });
  expect(goOn(play)).toContain('half of it');
});

test('a task that changed since then begins without it', () => {
  const play = playTask();
  goOn(play);
  timeOut(play, HALF);
  expect(goOn(play, { ...ORDER, digest: 'fedcba654321' })).not.toContain('half of it');
});

test('a half change is shown as far as the documentation says, with how much was left out', async () => {
  const docs = await readFile('docs/plans-reference.md', 'utf8');
  const most = Number(/its first ([\d,]+) characters/.exec(docs)?.[1]?.replaceAll(',', ''));
  const text = HALF + '+x\n'.repeat(60_000);
  const play = playTask();
  goOn(play);
  timeOut(play, text);
  const prompt = goOn(play);
  expect(prompt).toContain(text.slice(0, most));
  expect(prompt).toMatch(new RegExp(`characters-cut[^\\n\\d]*${text.length - most}\\b`));
});
