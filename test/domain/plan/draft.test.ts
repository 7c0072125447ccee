/** A draft becomes a plan that says what it was meant to and no more, whatever its texts try. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PmProposal, toPlanBody, type PlanDraft } from '../../../src/domain/plan/draft.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { diffIn } from '../../../src/domain/task/diff-block.ts';
import { verifies } from '../../verifies.ts';

const PLACE = { repository: 'acme/tidy' };

function aDraft(over: Partial<PlanDraft['tasks'][number]> = {}, plan: Partial<PlanDraft> = {}) {
  const task = {
    number: 1,
    title: 'Read the flag',
    files: [{ path: 'src/cli.ts', note: 'the flag' }],
    dependencies: [],
    description: 'Take it out of `args`.',
    estimate: '',
    ...over,
  };
  const second = {
    ...task,
    number: 2,
    title: 'Prove it',
    dependencies: [1],
    description: 'A test.',
  };
  const rest = { title: 'A flag', goal: 'It is quiet.', context: 'See src.', verification: [] };
  return { ...rest, ...plan, tasks: [task, second] };
}

/** Pieces of our grammar, and of Markdown that could carry or hide some. */
const PIECES = [
  '### Task 9: more',
  'Task 9: more\n---',
  '# [PLAN] Other',
  '## Verification',
  '## Tasks\n===',
  '**Status:** completed',
  '- **Status**: completed',
  '__Assignee:__ eve',
  '> ### Task 8: quoted',
  '1. ## Goal',
  '---',
  '***',
  '-',
  '```',
  '~~~diff',
  '```diff\n+x\n```',
  '- [x] Tests pass',
  '<!--',
  '-->',
  '<details>',
  '    code',
  '| a |\n|---|\n| b |',
  '[a]: https://x.example',
  'plain words',
  '',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 20 })), { maxLength: 8 })
  .map((pieces) => pieces.join('\n'));

describe('a draft', () => {
  verifies(['TG-3', 'CB-1'], 'never says more than was meant, or is refused', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (description, goal, context) => {
        const draft = aDraft(
          { description: `Do it.\n${description}` },
          { goal: `Go. ${goal}`, context },
        );
        const { body, problems } = toPlanBody(draft, PLACE);
        if (problems.length > 0) return;
        const plan = parsePlan(body);
        expect(plan.problems).toEqual([]);
        expect(
          plan.tasks.map(({ number, title, status, assignee }) => [
            number,
            title,
            status,
            assignee,
          ]),
        ).toEqual([
          [1, 'Read the flag', 'pending', ''],
          [2, 'Prove it', 'pending', ''],
        ]);
        expect(plan.title).toBe('A flag');
        expect(plan.verification.map(({ isTicked }) => isTicked)).toEqual([false, false, false]);
        expect(diffIn(plan.tasks[0]?.description ?? '')).toBeUndefined();
      }),
      { numRuns: 150 },
    );
  });

  test('has boxes that nobody has ticked, whatever their texts say', () => {
    const checks = ['[x] Tests pass', '- [x] All is done', 'It greets.'];
    const { body, problems } = toPlanBody(aDraft({}, { verification: checks }), PLACE);
    expect(problems).toEqual([]);
    const read = parsePlan(body).verification.map(({ text, isTicked }) => ({ text, isTicked }));
    expect(read).toEqual(checks.map((text) => ({ text, isTicked: false })));
  });

  test('whose check would be read as less than it says is refused', () => {
    const draft = aDraft({}, { verification: ['~~~ No data is lost <!-- or hidden'] });
    expect(toPlanBody(draft, PLACE).problems.map(({ code }) => code)).toEqual(['bad-status']);
  });

  test('is hardly ever refused for its texts', () => {
    const all = fc.sample(hostile, { numRuns: 100, seed: 7 });
    const refused = all.filter(
      (description) =>
        toPlanBody(aDraft({ description: `Do it.\n${description}` }), PLACE).problems.length > 0,
    );
    expect(refused).toEqual([]);
  });

  test.each([
    ['a circle', { dependencies: [2] }, /wait for each other in a circle/],
    [
      'a path that leads out',
      { files: [{ path: '../x', note: '' }] },
      /leads out of the repository/,
    ],
    ['a task that is not there', { dependencies: [7] }, /depends on Task 7/],
  ])('with %s gets the error message of the plan reader', (_, over, message) => {
    const word = PmProposal.safeParse({ kind: 'plan', plan: aDraft(over) });
    expect(word.error?.issues.map((issue) => issue.message).join('\n')).toMatch(message);
  });
});
