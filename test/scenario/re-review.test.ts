/**
 * A pull request over several heads: what is fixed, what is still open, what is new, and what the
 * review says of it.
 */
import { describe, expect, test } from 'vitest';
import { aReviewedPull } from '../helpers/a-reviewed-pull.ts';
import { aWorld, REPO } from '../helpers/a-world.ts';

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
const SHELL =
  "import { execSync } from 'node:child_process';\n\nexport const list = (dir: string) => execSync(`ls ${dir}`).toString();\n";

const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };

describe('a re-review', () => {
  test('of a push that leaves a finding alone keeps it open, in the same file too, and says nothing twice', async () => {
    const world = await aWorld({ files: QUICK });
    const pull = await aReviewedPull(world);
    const first = await pull.push({ 'src/run.ts': EVAL, 'src/list.ts': SHELL });
    expect(first.checks.at(-1)?.conclusion).toBe('action_required');
    expect(first.comments).toHaveLength(2);
    const second = await pull.push({ 'src/run.ts': `${EVAL}\nexport const one = 1;\n` });
    expect(second.checks.at(-1)?.conclusion).toBe('action_required');
    expect(second.reviews).toHaveLength(1);
    expect(second.comments).toHaveLength(2);
    expect(second.checks.at(-1)?.output.summary).toContain(
      '**Still open:** `js-shell-command` in `src/list.ts`; `js-eval` in `src/run.ts`',
    );
    const last = await pull.push({
      'src/run.ts': 'export const one = 1;\n',
      'src/list.ts': 'export const list = [];\n',
    });
    expect(last.checks.at(-1)?.output).toMatchObject({
      title: 'Looks good: no open findings',
      summary: expect.stringContaining(
        '**Fixed:** `js-shell-command` in `src/list.ts`; `js-eval`',
      ) as string,
    });
    expect(last.checks.at(-1)?.conclusion).toBe('success');
    expect(last.reviews).toHaveLength(1);
    const { pull: seen } = world.emulator.repository(REPO).threads.get(1) ?? {};
    expect(seen?.reviewComments.map((each) => each.isResolved)).toEqual([true, true]);
    expect(seen?.reviews.map((each) => each.minimizedReason)).toEqual(['OUTDATED']);
    expect(world.openApi.violations).toEqual([]);
  });

  test('sees that what was missing has come, in whatever file', async () => {
    const world = await aWorld({ files: QUICK });
    const pull = await aReviewedPull(world);
    const lines = Array.from({ length: 30 }, (_, n) => `export const v${n} = compute(${n});\n`);
    const code = `import { compute } from './tidy.ts';\n${lines.join('')}`;
    const first = await pull.push({ 'src/values.ts': code, 'src/run.ts': EVAL });
    expect(first.reviews[0]).toContain('`values.ts` has new code and no test.');
    const proof =
      "import { v1 } from '../src/values.ts';\n\ntest('computes', () => {\n  expect(v1).toBe(1);\n});\n";
    const last = await pull.push({ 'test/values.test.ts': proof, 'src/run.ts': 'export {};\n' });
    expect(last.checks.at(-1)?.conclusion).toBe('success');
  });
});
