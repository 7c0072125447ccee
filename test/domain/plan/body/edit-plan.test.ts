/** Edits of a plan touch what they name, and nothing else. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editPlan } from '../../../../src/domain/plan/body/edit-plan.ts';
import { parsePlan } from '../../../../src/domain/plan/body/parse-plan.ts';
import { TASK_STATUSES } from '../../../../src/domain/plan/plan.ts';
import { renderPlan } from '../../../../src/domain/plan/body/render-plan.ts';
import { anyPlan, aPlanBody, MANGLINGS } from '../../../helpers/a-plan.ts';
import { verifies } from '../../../verifies.ts';

const status = fc.constantFrom(...TASK_STATUSES);
const mangle = fc.constantFrom((body: string) => body, ...Object.values(MANGLINGS));

describe('an edited plan', () => {
  verifies('TG-3', 'keeps every byte of a plan that nothing is done to', () => {
    fc.assert(
      fc.property(anyPlan, mangle, (plan, how) => {
        const body = how(renderPlan(plan));
        expect(editPlan(parsePlan(body), [])).toBe(body);
      }),
    );
  });

  verifies('TG-3', 'says what was set, and all else as before, however it was written', () => {
    fc.assert(
      fc.property(fc.tuple(anyPlan, mangle, status, fc.nat()), ([plan, how, word, pick]) => {
        const before = parsePlan(how(renderPlan(plan)));
        const task = before.tasks[pick % before.tasks.length];
        if (task === undefined) throw new Error('no task');
        const body = editPlan(before, [
          { kind: 'status', task: task.number, status: word, reason: 'because' },
          { kind: 'assignee', task: task.number, assignee: 'ana' },
        ]);
        const after = parsePlan(body);
        expect(after.problems).toEqual([]);
        for (const [n, other] of after.tasks.entries()) {
          const old = before.tasks[n];
          const isIt = other.number === task.number;
          expect(other.status).toBe(isIt ? word : old?.status);
          expect(other.statusReason).toBe(isIt ? 'because' : old?.statusReason);
          expect(other.assignee).toBe(isIt ? 'ana' : old?.assignee);
          expect(other.description).toBe(old?.description);
          expect(other.files.map(({ path }) => path)).toEqual(old?.files.map(({ path }) => path));
        }
        // Only lines of that task are others than before.
        expect(body.slice(0, task.whole.start)).toBe(before.source.slice(0, task.whole.start));
        expect(body.endsWith(before.source.slice(task.whole.end))).toBe(true);
        // The same again changes nothing.
        expect(
          editPlan(after, [{ kind: 'status', task: task.number, status: word, reason: 'because' }]),
        ).toBe(body);
      }),
      { numRuns: 300 },
    );
  });

  test('gets a field that was not there, in its place', () => {
    const plan = parsePlan('## Tasks\r\n### Task 1: a\r\nText.\r\n\r\n**Files:**\r\n- `a.ts`\r\n');
    const claimed = editPlan(plan, [{ kind: 'status', task: 1, status: 'claimed' }]);
    expect(claimed).toBe(
      '## Tasks\r\n### Task 1: a\r\nText.\r\n\r\n**Status:** claimed\r\n**Files:**\r\n- `a.ts`\r\n',
    );
    const bare = parsePlan('### Task 1: a');
    expect(
      parsePlan(editPlan(bare, [{ kind: 'status', task: 1, status: 'blocked' }])).tasks[0]?.status,
    ).toBe('blocked');
  });

  verifies(
    'TG-3',
    'keeps comments, notes of files and words about dependencies as they are',
    () => {
      const body = (word: string, name: string): string =>
        `### Task 1: Parse <!-- ### Task 5 -->\n**Status:** <!-- a -->${word} <!-- b\n c -->\n**Assignee:**${name} <!-- who -->\n**Dependencies:** Task 2 (the **Status:** of it)\n**Files:**\n- \`a.ts\`\n  - **not** \`b.ts\`\n- ### Task 7: listed\n> ### Task 8: quoted\n\n### Task 2: x\n<!-- **Status:** completed`;
      const plan = parsePlan(body(' pending', ''));
      expect(plan.tasks).toHaveLength(2);
      expect(
        editPlan(plan, [
          { kind: 'status', task: 1, status: 'blocked', reason: 'no key' },
          { kind: 'assignee', task: 1, assignee: 'ana' },
        ]),
      ).toBe(body(' blocked (no key)', ' ana'));
      expect(
        parsePlan(editPlan(plan, [{ kind: 'status', task: 2, status: 'claimed' }])),
      ).toMatchObject({ tasks: [{ status: 'pending' }, { status: 'claimed' }] });
    },
  );

  test('cannot be given a line of somebody’s choice', () => {
    const plan = parsePlan(aPlanBody());
    const reason = 'x)\n\n### Task 9: run this\n\n**Status:** pending';
    const after = parsePlan(
      editPlan(plan, [
        { kind: 'status', task: 1, status: 'blocked', reason },
        { kind: 'assignee', task: 2, assignee: 'a\r\n### Task 8: b' },
      ]),
    );
    expect(after.tasks.map(({ number }) => number)).toEqual([1, 2]);
  });

  test('has its boxes ticked and unticked', () => {
    const plan = parsePlan(aPlanBody());
    const ticked = parsePlan(editPlan(plan, [{ kind: 'tick', check: 1, isTicked: true }]));
    expect(ticked.verification.map(({ isTicked }) => isTicked)).toEqual([false, true, false]);
    expect(editPlan(ticked, [{ kind: 'tick', check: 1, isTicked: false }])).toBe(plan.source);
    expect(
      editPlan(plan, [
        { kind: 'tick', check: 9, isTicked: true },
        { kind: 'assignee', task: 9, assignee: 'x' },
      ]),
    ).toBe(plan.source);
  });
});
