/** The PM's words about a plan: what it proposes and where, what it asks, what it rests on. */
import { speakPlainly } from '../../../domain/persona/speak-as.ts';
import { cleanOutput } from '../../../domain/text/clean-output.ts';
import type { Planning } from '../../../domain/plan/planning.ts';
import { asCode, money } from '../../run/command-context.ts';
import { renderMissed } from '../../run/missed-model.ts';

/** The first line where the configured model did not answer. */
export function renderMissedPlanning({ made, revises }: Planning): string {
  const command = revises === undefined ? '/pm plan' : '/pm revise';
  return renderMissed(made?.missed, `comment \`${command}\``);
}

export function renderProposed(planning: Planning, number: number): string {
  const { made } = planning;
  const count = made?.tasks ?? 0;
  return [
    `### Plan proposed: #${number}`,
    `${line(made?.title ?? '', planning)}, ${count === 1 ? 'one task' : `${count} tasks`}. It waits there for approval by somebody with write access. There, \`/pm revise …\` asks for a new version and \`/pm reject\` rejects it.`,
  ].join('\n\n');
}

export function renderRewritten({ made }: Planning): string {
  const count = made?.tasks ?? 0;
  return `### Plan revised: ${count === 1 ? 'one task' : `${count} tasks`}\n\nThe text has changed and needs approval again.`;
}

/** People are named once, because an edit or a silent comment notifies nobody. */
export function renderQuestions(planning: Planning): string {
  const { made, actor } = planning;
  const questions = made?.word.questions ?? [];
  const who = actor.isBot ? '' : `@${actor.login}, `;
  const without = renderMissedPlanning(planning);
  return [
    ...(without === '' ? [] : [without]),
    `**Before this is planned:**`,
    questions.map((each, n) => `${n + 1}. ${saidLine(each, planning)}`).join('\n'),
    `${who}${who === '' ? 'An' : 'an'} answer here by somebody with write access lets the PM continue.`,
  ].join('\n\n');
}

/** Any end: what was said, made harmless before, what could go wrong, what was looked at, what it cost. */
export function renderPlanningAnswer(planning: Planning, text: string, now: number): string {
  const { made } = planning;
  return [
    renderMissedPlanning(planning),
    text,
    listed('Risks', made?.word.risks ?? [], planning),
    listed('Assumptions; correct them if they are wrong', made?.word.questions ?? [], planning),
    lookedAt(planning),
    footer(planning, now),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function listed(title: string, points: readonly string[], place: Place): string {
  if (points.length === 0) return '';
  return `**${title}**\n\n${points.map((each) => `- ${saidLine(each, place)}`).join('\n')}`;
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

/** Where the words will be read. */
type Place = Pick<Planning, 'thread' | 'host'>;

/** What the PM says, made harmless and without filler (NW-7). */
export function sayAsPm(text: string, place: Place): string {
  return prose(speakPlainly(text), place);
}

function saidLine(text: string, place: Place): string {
  return line(speakPlainly(text.replaceAll(/\s+/g, ' ')), place);
}

/** A model's words, made harmless. */
function prose(text: string, { thread, host }: Place): string {
  return cleanOutput(text, { repository: `${thread.owner}/${thread.repo}`, host }).text.trim();
}

function line(text: string, place: Place): string {
  return prose(text.replaceAll(/\s+/g, ' '), place).replaceAll(/(?<!\s)\s*\n\s*/g, ' ');
}
