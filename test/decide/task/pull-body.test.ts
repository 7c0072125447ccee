/** What a task's pull request says of its change. */
import { describe, expect, test } from 'vitest';
import { fileLines, leftToDo } from '../../../src/decide/task/render-changes.ts';
import { renderPullBody } from '../../../src/decide/task/render-task-pull.ts';
import { decisionsIn, attemptIn } from '../../../src/domain/task/found.ts';
import type { TaskRun } from '../../../src/domain/task/task.ts';
import { aCall } from '../../record/a-record.ts';
import { ANA, ORDER } from '../../helpers/a-task.ts';

const PATCH = `diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,3 @@
 const a = 1;
-const b = 2;
+const b = 3; // TODO: read it from the file
+const todoList = [];
diff --git a/src/new.ts b/src/new.ts
new file mode 100644
index 0000000..3333333
--- /dev/null
+++ b/src/new.ts
@@ -0,0 +1 @@
+// FIXME @ben fixes #3
`;

const CHANGE = {
  from: 'f',
  patch: PATCH,
  summary: 'Says hello.',
  decisions: ['Stable order'],
  paths: ['src/a.ts', 'src/new.ts', 'src/gone.ts'],
};

function body(over: Partial<TaskRun> = {}): string {
  const run = {
    id: 'run',
    order: ORDER,
    attempt: 2,
    change: CHANGE,
    calls: [],
    text: { files: [{ path: 'src/a.ts', note: 'greets @ben' }] },
    ...over,
  };
  return renderPullBody(run as unknown as TaskRun, 'head');
}

describe('changes by file', () => {
  test('say what became of each file, how many lines, and what the task wanted of it', () => {
    expect(body()).toContain(
      [
        '### Changes by file',
        '',
        '- `src/a.ts` · modified +2 −1 · greets `@ben`',
        '- `src/new.ts` · added +1 −0',
        '- `src/gone.ts`',
      ].join('\n'),
    );
  });

  test('count what is beyond 50 files', () => {
    const paths = Array.from({ length: 52 }, (_, n) => `src/${n}.ts`);
    expect(fileLines({ patch: '', paths }, undefined).at(-1)).toBe('and 2 more');
  });
});

describe('notes of what is left to do', () => {
  test('are listed with their lines, as code, and a follow-up is offered', () => {
    const text = body();
    expect(text).toContain(
      [
        '### Left to do',
        '',
        '- `src/a.ts:2` `const b = 3; // TODO: read it from the file`',
        '- `src/new.ts:1` `// FIXME @ben fixes #3`',
      ].join('\n'),
    );
    expect(text).toContain('comment `/pm plan`');
  });

  test('that were there before, or are part of a word, do not count', () => {
    const patch = PATCH.replace('+const b = 3; // TODO', '-const b = 3; // TODO').replace(
      'FIXME',
      'x',
    );
    expect(leftToDo({ patch })).toEqual([]);
    const run = body({ change: { ...CHANGE, patch } });
    expect(run).not.toContain('Left to do');
    expect(run).not.toContain('/pm plan');
  });

  test('show no secret', () => {
    const secret = ['ghp', 'a1B2'.repeat(9)].join('_');
    const patch = PATCH.replace('@ben fixes #3', secret);
    expect(leftToDo({ patch }).join()).not.toContain(secret);
  });
});

test('participants are who approved, wrote, answered and is asked for a review', () => {
  const exchange = { question: 'Q', answer: 'A', source: 'src/a.ts', isEscalated: false };
  const exchanges = [exchange, { ...exchange, source: 'tom', isEscalated: true }];
  expect(body({ exchanges, reviewers: ['ben'] })).toContain(
    [
      '### Participants',
      '',
      `- \`${ANA.login}\` approved the plan`,
      '- `dev` wrote the change',
      '- the PM answered questions',
      '- `tom` answered questions',
      '- `ben` is asked for a review',
    ].join('\n'),
  );
});

describe('the journal', () => {
  const order = { ...ORDER, journal: 'quorum/memory' };
  const line =
    '- Journal of the plan: [`journal/4.md`](/acme/tidy/blob/quorum/memory/journal/4.md) on the branch `quorum/memory`\n';

  test('is named with its branch where one is written', () => {
    expect(body({ order })).toContain(line);
    expect(body()).not.toContain('Journal of the plan');
  });

  test('is not named where the settings switched it off after the order', () => {
    expect(body({ order, isJournalOff: true })).not.toContain('Journal of the plan');
  });

  test.each([
    ['credential', 'it seems to hold a credential'],
    ['size', 'it is too large'],
  ] as const)('is printed by a command where its copy was left out: %s', (copyLeftOut, why) => {
    const left = body({ order, change: { ...CHANGE, copyLeftOut } });
    expect(left).toContain(
      `- The copy of the journal was left out: ${why}. The operator of the App prints the journal with \`quorum journal acme/tidy#4\`.\n\n<sub>Run run</sub>`,
    );
    expect(left).not.toContain('.quorum/journal/');
    expect(body()).not.toContain('copy of the journal');
  });

  test('has a copy where an earlier commit of the rebuilt change has one', () => {
    const journal = '.quorum/journal/4-2.md';
    const paths = [...CHANGE.paths, journal];
    const rebuilt = body({ change: { ...CHANGE, paths, journal, copyLeftOut: 'size' } });
    expect(rebuilt).toContain(`- \`${journal}\``);
    expect(rebuilt).not.toContain('was left out');
  });
});

test('the cost is listed when a model was asked', () => {
  expect(body({ calls: [aCall()] })).toContain(
    '### Cost\n\n- 1 call of `claude-x`: $0.02 for writing this change',
  );
  expect(body()).not.toContain('### Cost');
});

test('what is read back of it after the store was lost is what it was', () => {
  expect(decisionsIn(body())).toEqual(['Stable order']);
  expect(attemptIn(body())).toBe(2);
});
