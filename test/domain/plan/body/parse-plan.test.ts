/**
 * The grammar of plans: what people write is read as intended, and each error is reported with its
 * line.
 */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parsePlan } from '../../../../src/domain/plan/body/parse-plan.ts';
import type { Plan } from '../../../../src/domain/plan/plan.ts';
import { renderPlan } from '../../../../src/domain/plan/body/render-plan.ts';
import { anyPlan, aPlan, aPlanBody, aTask, MANGLINGS } from '../../../helpers/a-plan.ts';
import { verifies } from '../../../verifies.ts';

/** What a plan says, without where it says so. */
function meaning({ title, goal, tasks, verification, problems }: Plan): object {
  const flat = (text: string): string =>
    text.replaceAll(/\s+/g, ' ').replaceAll('* a', '- a').trim();
  return {
    title,
    goal: flat(goal),
    tasks: tasks.map(
      ({ number, title: name, status, assignee, estimate, dependencies, files, description }) => ({
        number,
        name,
        status,
        assignee,
        estimate,
        dependencies,
        files: files.map(({ path, note }) => ({ path, note })),
        description: flat(description),
      }),
    ),
    checks: verification.map(({ text, isTicked }) => ({ text, isTicked })),
    problems: problems.map(({ code }) => code),
  };
}

function codes(body: string): string[] {
  return parsePlan(body).problems.map(({ code, line }) => `${line} ${code}`);
}

describe('a plan as the product writes it', () => {
  verifies('TG-3', 'is read back as it was meant', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const read = parsePlan(renderPlan(plan));
        expect(read.problems).toEqual([]);
        expect(read).toMatchObject({ title: plan.title, goal: plan.goal, context: plan.context });
        expect(read.tasks).toHaveLength(plan.tasks.length);
        for (const [n, task] of plan.tasks.entries())
          expect(read.tasks[n]).toMatchObject({
            ...task,
            files: [{ path: task.files[0]?.path, note: '' }],
          });
        expect(read.verification.map(({ text }) => text)).toEqual([
          'All tasks completed',
          'Tests pass',
          'Integration works',
        ]);
      }),
    );
  });

  for (const [how, mangle] of Object.entries(MANGLINGS))
    verifies('TG-3', `means the same ${how}`, () => {
      fc.assert(
        fc.property(anyPlan, (plan) => {
          const body = renderPlan(plan);
          expect(meaning(parsePlan(mangle(body)))).toEqual(meaning(parsePlan(body)));
        }),
        { numRuns: 40 },
      );
    });
});

describe('a plan as people write it', () => {
  test('begins with the issue form, which is one without fault', () => {
    const file = '.github/ISSUE_TEMPLATE/quorum-plan.yml';
    const form = parse(readFileSync(file, 'utf8')) as { body: [{ attributes: { value: string } }] };
    // GitHub writes the field's label above it.
    const plan = parsePlan(`### Plan\n\n${form.body[0].attributes.value}`);
    expect(plan.problems).toEqual([]);
    expect(plan).toMatchObject({ title: 'Title', tasks: [{ number: 1 }, { dependencies: [1] }] });
    expect(plan.verification).toHaveLength(3);
  });

  test('has defaults for what is missing', () => {
    const plan = parsePlan('## Tasks\n### Task 1: Only a title\nDo it.\n');
    expect(plan.problems).toEqual([]);
    expect(plan.tasks[0]).toMatchObject({
      number: 1,
      title: 'Only a title',
      status: 'pending',
      assignee: '',
      dependencies: [],
      files: [],
      description: '',
    });
  });

  for (const [written, numbers] of [
    ['2', [2]],
    ['#2', [2]],
    ['Task 2', [2]],
    ['Tasks 1, 2 and 3', [1, 2, 3]],
    ['1-3', [1, 2, 3]],
    ['Task 1 - Task 3', [1, 2, 3]],
    ['tasks 1–2, #3.', [1, 2, 3]],
    ['None', []],
    ['—', []],
    ['', []],
    ['n/a', []],
    ['depends on Task 3', [3]],
    ['`Task 1`', [1]],
    ['3, 1, 3', [1, 3]],
    ['1 & 2', [1, 2]],
    ['- Task 1\n- Task 2', [1, 2]],
    ['Task 1 (the parser, after 3), Task 2 [why it waits]', [1, 2]],
    ['[#2](#task-2), [Task 1] (see above)', [1, 2]],
    ['(1), [3]', [1, 3]],
    ['none (nothing waits)', []],
    ['Task 1 (the parser (new)) (see 3)', [1]],
    ['none <!-- for now --> [as in 1] (the first (of all))', []],
    ['Task 1 <!-- and Task 3 -->', [1]],
  ] as const)
    test(`reads dependencies written as ${JSON.stringify(written)}`, () => {
      const tasks = [1, 2, 3].map((number) => `### Task ${number}: x\n`).join('');
      const plan = parsePlan(`## Tasks\n${tasks}### Task 4: y\n**Dependencies:** ${written}\n`);
      expect(plan.problems).toEqual([]);
      expect(plan.tasks[3]?.dependencies).toEqual(numbers);
    });

  for (const [written, status, reason] of [
    ['In Progress', 'in_progress', ''],
    ['in-progress', 'in_progress', ''],
    ['✅ Completed', 'completed', ''],
    ['`blocked` (waits for Ana)', 'blocked', 'waits for Ana'],
    ['BLOCKED: no key', 'blocked', 'no key'],
    ['**pending**', 'pending', ''],
    ['', 'pending', ''],
    ['claimed', 'claimed', ''],
  ] as const)
    test(`reads a status written as ${JSON.stringify(written)}`, () => {
      const plan = parsePlan(`### Task 1: x\n**Status:** ${written}\n`);
      expect(plan.problems).toEqual([]);
      expect(plan.tasks[0]).toMatchObject({ status, statusReason: reason });
    });

  test('keeps a description with headings, code and rules of its own', () => {
    const description =
      'Text.\n\n#### Details\n\n```md\n### Task 9: not a task\n**Status:** none\n```\n\n---\n\nMore.';
    const body = renderPlan(aPlan({ tasks: [aTask(1, { description }), aTask(2)] }));
    const plan = parsePlan(body);
    expect(plan.problems).toEqual([]);
    expect(plan.tasks.map(({ number }) => number)).toEqual([1, 2]);
    expect(plan.tasks[0]?.description).toBe(description);
  });

  test('has no tasks and fields in quotes, code and comments', () => {
    const hidden =
      '> ### Task 7: quoted\n\n<!--\n### Task 8: hidden\n-->\n\n    ### Task 9: code\n';
    expect(
      parsePlan(`${aPlanBody()}\n\n## Notes\n\n${hidden}`).tasks.map(({ number }) => number),
    ).toEqual([1, 2]);
  });

  describe('HTML comments', () => {
    const task = (lines: string): Plan['tasks'][number] | undefined =>
      parsePlan(`### Task 1: Parse\n\n${lines}\n\n**Description:**\n\nDo it.\n`).tasks[0];

    verifies('TG-3', 'say nothing behind, before or between the words of a field', () => {
      expect(
        task(
          '**Status:** <!-- one of five --> blocked (no key) <!-- since May -->\n**Assignee:** <!-- nobody yet -->\n**Files:** <!-- `hidden.ts` --> `a.ts`\n- `b.ts` <!-- `c.ts` -->',
        ),
      ).toMatchObject({
        status: 'blocked',
        statusReason: 'no key',
        assignee: '',
        files: [{ path: 'a.ts' }, { path: 'b.ts', note: '' }],
      });
    });

    verifies(
      'TG-3',
      'hide whole fields, tasks and boxes, whether the paragraph begins with one or not',
      () => {
        const hidden = '\n**Status:** completed\n**Files:** `hidden.ts`\n';
        expect(task(`**Status:** pending <!--${hidden}-->`)).toMatchObject({
          status: 'pending',
          files: [],
        });
        expect(task(`<!--${hidden}-->\n**Status:** claimed`)).toMatchObject({
          status: 'claimed',
          files: [],
        });
        const plan = parsePlan(
          '<div><!--\n\n### Task 8: hidden by the page\n\n<div>--></div></div>\n\n### Task 1: shown <!-- ### Task 9: x -->\n\n## Verification\n\n- [x] Seen\n<!-- - [x] Unseen -->\n',
        );
        expect(plan.tasks).toMatchObject([{ number: 1, title: 'shown' }]);
        expect(plan.verification.map(({ text }) => text)).toEqual(['Seen']);
      },
    );

    verifies('TG-3', 'that nothing closes hide the rest of their paragraph, or of the page', () => {
      expect(task('**Status:** pending <!-- completed\n**Assignee:** ana')).toMatchObject({
        status: 'pending',
        assignee: '',
      });
      const rest = '\n\n### Task 2: hidden\n\n**Status:** completed\n';
      expect(parsePlan(`### Task 1: a\n\n<!-- ${rest}`).tasks).toHaveLength(1);
      expect(parsePlan(`### Task 1: a\n\n<div><!-- ${rest}`).tasks).toHaveLength(1);
      expect(parsePlan(`### Task 1: a\n\n\\<!-- ${rest}`).tasks).toHaveLength(2);
    });

    test('in code are code', () => {
      const description = 'Write `<!-- a -->` as in\n\n```html\n<!-- b -->\n```';
      expect(
        parsePlan(`### Task 1: a\n**Description:**\n\n${description}\n`).tasks[0]?.description,
      ).toBe(description);
    });

    verifies('TG-3', 'hide what a text too hostile to be parsed holds', () => {
      const hostile = '- > a\n'.repeat(20_000);
      const plan = parsePlan(
        `### Task 1: a <!-- b -->\n**Status:** pending <!-- completed -->\n\n${hostile}`,
      );
      expect(plan.tasks).toMatchObject([{ title: 'a', status: 'pending', statusReason: '' }]);
    });
  });

  verifies('TG-3', 'a heading in a list or a quote is no task', () => {
    const plan = parsePlan(
      '## Tasks\n\n- ### Task 7: in a list\n  - ### Task 8: in a list of a list\n> ### Task 9: quoted\n\n### Task 1: real\n',
    );
    expect(plan.tasks.map(({ number }) => number)).toEqual([1]);
  });

  verifies('TG-3', 'a list below a file is about that file, and names no file', () => {
    for (const files of [
      '**Files:**\n- `a.ts` - new\n  - see `old.ts`\n    - or `older.ts`\n- `b.ts`\n\n  because of `c.ts`\n',
      '- **Files:**\n  - `a.ts` - new\n    - see `old.ts`\n  - `b.ts`\n',
    ])
      expect(parsePlan(`### Task 1: x\n${files}`).tasks[0]?.files).toMatchObject([
        { path: 'a.ts', note: 'new' },
        { path: 'b.ts', note: '' },
      ]);
  });

  test('a separator right below text is no underline, and a section underlined is one', () => {
    const plan = parsePlan(
      'Goal\n---\nOne.\nTasks\n-----\n### Task 1: a\n**Description:**\nDo it\n---\n### Task 2: b\n**Description:**\nThat too\n---\nVerification\n---\n- [x] Tests pass\n',
    );
    expect(meaning(plan)).toMatchObject({
      goal: 'One.',
      tasks: [
        { number: 1, description: 'Do it' },
        { number: 2, description: 'That too' },
      ],
      checks: [{ text: 'Tests pass', isTicked: true }],
      problems: [],
    });
  });

  test('files may stand behind their field, in code ticks or not', () => {
    const plan = parsePlan(
      '### Task 1: x\n**Files:** `a.ts`, b.ts\n- `c d.ts` – new\n* ./e.ts: changed\n- none\n**Description:**\nGo.\n',
    );
    expect(plan.tasks[0]?.files).toEqual([
      { path: 'a.ts', note: '', line: 2 },
      { path: 'b.ts', note: '', line: 2 },
      { path: 'c d.ts', note: 'new', line: 3 },
      { path: 'e.ts', note: 'changed', line: 4 },
    ]);
  });
});

describe('what cannot be read as a plan is reported with its line', () => {
  verifies(['TG-3', 'CFG-05'], 'each problem has its code', () => {
    expect(codes('Nothing here.')).toEqual(['1 no-tasks']);
    expect(codes('### Task 1: a\n\n### Task 1: b\n')).toEqual(['3 duplicate-task']);
    expect(codes('### Task 1: a\n**Dependencies:** 2, the parser\n')).toEqual([
      '2 unknown-dependency',
      '2 unknown-dependency',
    ]);
    expect(codes('### Task 1: a\n**Dependencies:** 1\n')).toEqual(['2 cycle']);
    expect(
      codes('### Task 1: a\n**Dependencies:** 2\n### Task 2: b\n**Dependencies:** 1\n'),
    ).toEqual(['2 cycle']);
    expect(codes('### Task 1:\n')).toEqual(['1 missing-title']);
    expect(codes('### Task 1: a\n**Status:** soon\n')).toEqual(['2 bad-status']);
    for (const path of [
      '/etc/passwd',
      '../x',
      'a/../../b',
      'C:\\x',
      '~/x',
      '.git/config',
      'https://x.example/a',
      'a\\..\\b',
    ])
      expect(codes(`### Task 1: a\n**Files:**\n\n- \`${path}\`\n`)).toEqual(['4 bad-path']);
    expect(codes('x'.repeat(2_000_001))).toEqual(['1 too-long']);
  });

  test('a chain of a thousand tasks has no circle, and one link more closes it', () => {
    const chain = (last: string): string =>
      Array.from(
        { length: 1_000 },
        (_, n) => `### Task ${n + 1}: x\n**Dependencies:** ${n === 0 ? last : n}\n`,
      ).join('');
    expect(codes(chain('none'))).toEqual([]);
    expect(codes(chain('1000'))).toEqual(['2 cycle']);
  });

  test('any text at all is read without an exception, and every span lies in it', () => {
    const pieces = fc.constantFrom(
      '# [PLAN] x',
      '## Tasks',
      '### Task 1: a',
      '### Task 2',
      '**Status:** x',
      '**Status:**',
      '- **Files:**',
      '- `a`',
      '> ### Task 3: q',
      '---',
      '===',
      '```',
      '    code',
      '<!--',
      '-->',
      '- [ ] box',
      '* [x] box',
      '| a | b |',
      '|---|---|',
      '**Description:**',
      '',
      '\t',
      '1. ',
      '## Verification',
      '\u0000',
      '[a]: b',
    );
    const body = fc
      .array(fc.oneof(pieces, fc.string()), { maxLength: 30 })
      .chain((lines) => fc.constantFrom('\n', '\r\n', '\n\n').map((eol) => lines.join(eol)));
    fc.assert(
      fc.property(body, (source) => {
        const plan = parsePlan(source);
        expect(plan.source).toBe(source);
        for (const { whole, heading, fields } of plan.tasks)
          for (const { start, end } of [
            whole,
            heading,
            ...Object.values(fields).flatMap((f) => [f.value, f.whole]),
          ]) {
            expect(start).toBeLessThanOrEqual(end);
            expect(start).toBeGreaterThanOrEqual(whole.start);
            expect(end).toBeLessThanOrEqual(whole.end);
          }
        for (const { line } of plan.problems)
          expect(line).toBeLessThanOrEqual(source.split(/\r\n?|\n/).length);
      }),
      { numRuns: 1_000 },
    );
  });
});
