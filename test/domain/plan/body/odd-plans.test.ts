/** Plans with comments, lists below files, headings in lists and quotes, and words behind dependencies: read and edited alike. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { editPlan } from '../../../../src/domain/plan/body/edit-plan.ts';
import { parsePlan } from '../../../../src/domain/plan/body/parse-plan.ts';
import { renderPlan } from '../../../../src/domain/plan/body/render-plan.ts';
import { TASK_STATUSES } from '../../../../src/domain/plan/plan.ts';
import { anyPlan } from '../../../helpers/a-plan.ts';
import { verifies } from '../../../verifies.ts';

type Decorate = (body: string) => string;

/**
 * Plan keywords in places where they do not count, so that reading them by mistake would be
 * noticed.
 */
const NO_WORDS = [
  'x',
  '**Status:** completed',
  'Dependencies: Task 1',
  '### Task 9: hidden',
  'completed (#3)',
  'one\ntwo',
  '- `hidden.ts`',
];
/** Their place is kept by a number until the plan is whole, so that no other decoration finds its mark within. */
const word = fc.nat({ max: NO_WORDS.length - 1 }).map((n) => `@${n}@`);
const comment = word.map((text) => `<!-- ${text} -->`);
const field = fc.constantFrom('Status', 'Assignee', 'Estimate', 'Dependencies', 'Files');

const behindField = fc.tuple(field, comment).map(([name, text]) => after(name, ` ${text}`));
const beforeWord = fc.tuple(field, comment).map(
  ([name, text]): Decorate =>
    (body) =>
      body.replaceAll(`**${name}:**`, `**${name}:** ${text}`),
);
const betweenFields = fc.tuple(field, comment).map(
  ([name, text]): Decorate =>
    (body) =>
      body.replaceAll(`**${name}:**`, `${text}\n**${name}:**`),
);
const behindTitle = comment.map(
  (text): Decorate =>
    (body) =>
      body.replaceAll(/^(### Task \d+: .*)$/gm, `$1 ${text}`),
);
const unclosed = fc.constantFrom('', '\n\n').chain((gap) =>
  word.map(
    (text): Decorate =>
      (body) =>
        `${body}\n<!-- ${gap}${text}`,
  ),
);
/** Lists are of one line an item. */
const belowFiles = fc.constantFrom('see `old.ts`', '`nested.ts` - no', '[x] `old.ts`', '@1@').map(
  (note): Decorate =>
    (body) =>
      body.replaceAll(/^(- `src\/.*)$/gm, `$1\n  - ${note}\n    - ${note}`),
);
const innerHeading = fc
  .constantFrom(
    '- ### Task 9: listed',
    '> ### Task 9: quoted',
    '1. > ## Tasks',
    '- a\n\n  ### Task 9: listed',
    '> - ### Task 9: both',
  )
  .map((text) => after('Description', `\n\n${text}`));
const bracketed = fc
  .constantFrom(
    '(the first)',
    '(needs Task 1 and #2)',
    '(see 1, 2)',
    '(as in (task 1))',
    '(the first) (see 1)',
    '[as in (1)]',
  )
  .map((text) => after('Dependencies', ` ${text}`));

/** At the end of the line that a field begins. */
function after(name: string, text: string): Decorate {
  return (body) =>
    body.replaceAll(new RegExp(String.raw`^(.*\*\*${name}:\*\*.*)$`, 'gm'), `$1${text}`);
}

const decorations = fc
  .array(
    fc.oneof(
      behindField,
      beforeWord,
      betweenFields,
      behindTitle,
      belowFiles,
      innerHeading,
      bracketed,
    ),
    { maxLength: 4 },
  )
  .chain((all) =>
    fc.option(unclosed, { nil: undefined }).map((last) => [...all, ...(last ? [last] : [])]),
  );

function decorate(body: string, all: readonly Decorate[]): string {
  return all
    .reduce((text, next) => next(text), body)
    .replaceAll(/@(\d)@/g, (_, n: string) => NO_WORDS[Number(n)] ?? '');
}

verifies('TG-3', 'text that is not part of the grammar changes nothing in a plan', () => {
  fc.assert(
    fc.property(anyPlan, decorations, (plan, all) => {
      const plain = renderPlan(plan);
      const read = parsePlan(decorate(plain, all));
      expect(read.problems).toEqual([]);
      expect(meaningOf(read)).toEqual(meaningOf(parsePlan(plain)));
    }),
    { numRuns: 300 },
  );
});

verifies('TG-3', 'a status that is set changes its own word and no other byte', () => {
  const edit = fc.record({
    status: fc.constantFrom(...TASK_STATUSES),
    pick: fc.nat(),
    end: fc.constantFrom('\n', '\r\n'),
  });
  fc.assert(
    fc.property(anyPlan, decorations, edit, (plan, all, { status, pick, end }) => {
      const at = pick % plan.tasks.length;
      const withWord = (text: string): string =>
        decorate(withStatus(renderPlan(plan), at, text), all).replaceAll('\n', end);
      const edits = [{ kind: 'status', task: at + 1, status }] as const;
      expect(editPlan(parsePlan(withWord('pending')), edits)).toBe(withWord(status));
    }),
    { numRuns: 300 },
  );
});

function withStatus(body: string, at: number, status: string): string {
  let n = -1;
  return body.replaceAll('**Status:** pending', (all) => {
    n += 1;
    return n === at ? `**Status:** ${status}` : all;
  });
}

/** All but the descriptions, which some of these decorations are part of. */
function meaningOf({ tasks, verification }: ReturnType<typeof parsePlan>): unknown {
  return {
    verification: verification.map(({ text, isTicked }) => [text, isTicked]),
    tasks: tasks.map(({ number, title, status, assignee, estimate, dependencies, files }) => ({
      number,
      title,
      status,
      assignee,
      estimate,
      dependencies,
      files: files.map(({ path }) => path),
    })),
  };
}
