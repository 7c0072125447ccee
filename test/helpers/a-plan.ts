/** Bodies of plans: as the product writes them, and as people do. */
import * as fc from 'fast-check';
import { parsePlan } from '../../src/domain/plan/body/parse-plan.ts';
import { planDigest } from '../../src/domain/plan/plan-digest.ts';
import type { PlanView } from '../../src/domain/plan/plan-view.ts';
import { renderPlan, type NewPlan, type NewTask } from '../../src/domain/plan/body/render-plan.ts';
import type { Actor, ThreadRef } from '../../src/domain/run/thread-ref.ts';
import type { Trigger } from '../../src/domain/event/trigger.ts';
import { PLAN } from './a-task.ts';
import { aView } from './an-issue.ts';

export function aTask(number: number, over: Partial<NewTask> = {}): NewTask {
  return {
    number,
    title: `Do thing ${number}`,
    dependencies: [],
    estimate: '2-5 min',
    files: [{ path: `src/thing-${number}.ts`, note: 'what changes' }],
    description: `Thing ${number} does what it should.`,
    ...over,
  };
}

export function aPlan(over: Partial<NewPlan> = {}): NewPlan {
  return {
    title: 'Quotes that never close',
    goal: 'An error names the line.',
    context: 'See #6.',
    tasks: [aTask(1), aTask(2, { dependencies: [1] })],
    ...over,
  };
}

export function aPlanBody(over: Partial<NewPlan> = {}): string {
  return renderPlan(aPlan(over));
}

/** What a look at a plan brings: `author` and `body` are those of its issue. */
export function aPlanView(
  issue: Partial<PlanView['issue']>,
  over: Partial<Omit<PlanView, 'issue'>> = {},
): PlanView {
  const {
    repository,
    config,
    issue: base,
  } = aView({
    issue: { number: PLAN.number, title: 'A plan', body: aPlanBody(), labels: ['plan'], ...issue },
  });
  return { repository, config, issue: base, personas: [], ...over };
}

/** The label `plan`, put on this text. */
export function aPlanLabel(
  thread: ThreadRef,
  actor: Actor,
  body: string,
): Extract<Trigger, { kind: 'labeled' }> {
  const plan = { digest: planDigest(parsePlan(body)), at: '2026-11-22T08:00:00Z' };
  return { kind: 'labeled', thread, actor, label: 'plan', plan };
}

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((all) => all.join(' '));

/** Plans of up to eight tasks without a circle. */
export const anyPlan: fc.Arbitrary<NewPlan> = fc
  .record({
    title: words,
    goal: words,
    context: fc.constantFrom(
      '',
      'Why.',
      'a\n\n| a | b |\n|---|---|\n| 1 | 2 |',
      '- [ ] not a check',
    ),
    count: fc.integer({ min: 1, max: 8 }),
    seed: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 8, maxLength: 8 }),
    text: fc.array(words, { minLength: 8, maxLength: 8 }),
    path: fc.array(word, { minLength: 8, maxLength: 8 }),
  })
  .map(({ title, goal, context, count, seed, text, path }) => ({
    title,
    goal,
    context,
    tasks: Array.from({ length: count }, (_, n) =>
      aTask(n + 1, {
        title: text[n] ?? 'x',
        dependencies: Array.from({ length: n }, (__, m) => m + 1).filter(
          (m) => ((seed[n] ?? 0) >> m) % 2 === 1,
        ),
        files: [{ path: `src/${path[n] ?? 'x'}.ts`, note: '' }],
        description: `${text[n] ?? 'x'}\n\n- a point\n- another`,
      }),
    ),
  }));

/** Ways in which people and their editors write the same plan. */
export const MANGLINGS: Readonly<Record<string, (body: string) => string>> = {
  'without blank lines': (body) => body.replaceAll(/\n{2,}/g, '\n'),
  'with the line ends of Windows': (body) => body.replaceAll('\n', '\r\n'),
  'with the line ends of old': (body) => body.replaceAll('\n', '\r'),
  'with stars for bullets': (body) => body.replaceAll(/^- /gm, '* '),
  'in capitals': (body) => body.replaceAll(/^\*\*\w+:\*\*/gm, (field) => field.toUpperCase()),
  'with the colon outside': (body) => body.replaceAll(/^\*\*(\w+):\*\*/gm, '**$1**:'),
  'with underscores': (body) => body.replaceAll(/^\*\*(\w+):\*\*/gm, '__$1:__'),
  'without separators': (body) => body.replaceAll(/^---\n/gm, ''),
  'with trailing spaces': (body) => body.replaceAll(/$/gm, '  '),
  'with emoji in its headings': (body) => body.replaceAll(/^(#+) /gm, '$1 🚀 '),
  'with closed headings': (body) => body.replaceAll(/^(#+) (.*)$/gm, '$1 $2 $1'),
  'with fields as a list': (body) =>
    body.replaceAll(/^(\*\*(?:Status|Assignee|Estimate|Dependencies):)/gm, '- $1'),
  'with tasks one level up': (body) => body.replaceAll(/^### /gm, '## '),
  'with underlined sections': (body) =>
    body.replaceAll(/^## (.*)$/gm, (_, title: string) => `${title}\n${'-'.repeat(title.length)}`),
};
