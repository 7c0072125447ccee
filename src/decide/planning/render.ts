/** The PM's words about a plan: what it proposes and where, what it asks, what it rests on. */
import { cleanOutput } from '../../domain/clean-output.ts';
import type { Planning } from '../../domain/plan/planning.ts';
import { asCode, money } from '../commands/bench.ts';

export function renderProposed({ made, thread }: Planning, number: number): string {
  const count = made?.tasks ?? 0;
  return [
    `### Plan proposed: #${number}`,
    `${line(made?.title ?? '', thread)}, ${count === 1 ? 'one task' : `${count} tasks`}. It waits there for a yes of somebody with write access; \`/pm revise …\` there has it made again, \`/pm reject\` turns it down.`,
  ].join('\n\n');
}

export function renderRewritten({ made }: Planning): string {
  const count = made?.tasks ?? 0;
  return `### Plan made again: ${count === 1 ? 'one task' : `${count} tasks`}\n\nIts text is another one now and waits for a new yes.`;
}

/** People are named once, because an edit or a silent comment notifies nobody. */
export function renderQuestions({ made, actor, thread }: Planning): string {
  const questions = made?.word.questions ?? [];
  const who = actor.isBot ? '' : `@${actor.login}, `;
  return [
    `**Before this is planned:**`,
    questions.map((each, n) => `${n + 1}. ${line(each, thread)}`).join('\n'),
    `${who}${who === '' ? 'An' : 'an'} answer here, by somebody with write access, lets the PM go on.`,
  ].join('\n\n');
}

/** Any end: what was said, made harmless before, what could go wrong, what was looked at, what it cost. */
export function renderAnswer(planning: Planning, text: string, now: number): string {
  const { made } = planning;
  return [
    text,
    listed('Risks', made?.word.risks ?? [], planning),
    listed('Assumed; say so if it is otherwise', made?.word.questions ?? [], planning),
    lookedAt(planning),
    footer(planning, now),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function listed(title: string, points: readonly string[], { thread }: Planning): string {
  if (points.length === 0) return '';
  return `**${title}**\n\n${points.map((each) => `- ${line(each, thread)}`).join('\n')}`;
}

function lookedAt({ made }: Planning): string {
  const looked = made?.looked ?? [];
  if (looked.length === 0) return '';
  const lines = looked.map((each) => `- ${asCode(each, 200)}`).join('\n');
  return `<details><summary>What I looked at (${looked.length})</summary>\n\n${lines}\n\n</details>`;
}

function footer({ id, made, startedAt }: Planning, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(startedAt)) / 1000));
  const cost =
    made === undefined
      ? []
      : [
          made.isOffline
            ? 'offline rules, no model'
            : money(made.cost.usd, made.cost.isPartlyUnknown),
        ];
  return `<sub>${['PM', `${seconds} s`, ...cost, `proposal \`${id}\``].join(' · ')}</sub>`;
}

/** A model's words, made harmless. */
export function prose(text: string, { owner, repo }: Planning['thread']): string {
  return cleanOutput(text, { repository: `${owner}/${repo}` }).text.trim();
}

function line(text: string, thread: Planning['thread']): string {
  return prose(text.replaceAll(/\s+/g, ' '), thread).replaceAll(/(?<!\s)\s*\n\s*/g, ' ');
}
