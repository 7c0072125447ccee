/** The report of a thread as Markdown: what it took, what happened behind the scenes, and what would cost less. */
import type { OutputRules } from '../../domain/text/clean-output.ts';
import { countOf, dollars, renderCosts, totalOf } from '../costs.ts';
import { quoteCode, inLine } from '../journal/quote.ts';
import { shownQuestion } from '../../domain/memory/role/role-run.ts';
import type { ReportFigures } from './figures.ts';
import { tipsFor } from './tips.ts';

/** More are counted. */
const MAX_SHOWN = 20;

export function renderReport(figures: ReportFigures, rules: OutputRules): string {
  return [
    summaryOf(figures),
    renderCosts(figures.costs),
    section('Models', modelLines(figures)),
    section('Behind the scenes', sceneLines(figures, rules)),
    section('What got in the way', frictionLines(figures, rules)),
    section('What would cost less next time', tipsFor(figures).map(asItem)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function summaryOf({ costs, tools, coderTurns, sessions }: ReportFigures): string {
  const { calls, usd, isPartlyUnknown, inputTokens, outputTokens, ...cached } = totalOf(costs);
  const tokens = inputTokens + outputTokens + cached.cacheReadTokens + cached.cacheWriteTokens;
  const uses = tools.reduce((sum, each) => sum + each.uses, 0);
  const names = tools.slice(0, MAX_SHOWN).map((each) => `${quoteCode(each.name)} ${each.uses}`);
  const coded = sessions.reduce((sum, { count }) => sum + count, 0);
  return [
    `- Calls of models: ${countOf(calls)}, ${countOf(tokens)} tokens, ${dollars(usd, isPartlyUnknown)}`,
    `- Tools of the PM: ${uses}${uses === 0 ? '' : ` (${names.join(', ')})`}`,
    `- Sessions of the Coder: ${coded}${coded === 0 ? '' : `, ${coderTurns} turns`}`,
  ].join('\n');
}

function modelLines({ switches, standIns }: ReportFigures): string[] {
  return shown([
    ...switches.map(({ model, by, at }) => {
      const what = model === undefined ? 'back to the usual models' : `to ${quoteCode(model)}`;
      return `- ${at.slice(0, 16).replace('T', ' ')} UTC: ${what}, by ${quoteCode(by)}`;
    }),
    ...standIns.map(
      ({ name, code, answeredBy, calls }) =>
        `- ${quoteCode(answeredBy)} answered ${calls} times instead of ${quoteCode(name)} (${quoteCode(code)})`,
    ),
  ]);
}

/** Numbered, so that people can refer to one. */
function sceneLines(figures: ReportFigures, rules: OutputRules): string[] {
  const lines = figures.exchanges.map(
    ({ task, question, answer, source, isEscalated }, at) =>
      `${at + 1}. Task ${task}: ${inLine(question, rules)} **${isEscalated ? 'A person' : 'The PM'}**: ${inLine(answer, rules)} (source: ${inLine(source, rules)}). ${afterwards(figures, at, rules)}`,
  );
  const isAnyOut = lines.some((line) => line.endsWith(NOT_KEPT));
  return isAnyOut ? [...shown(lines), `\n${LATER}`] : shown(lines);
}

const NOT_KEPT = 'Not in memory when this was written.';
const LATER =
  'The team may still propose answers that are not in memory. Later, `/pm report` shows which of them were kept.';

/** Whether the answer went into memory. Of several corrections the last one holds. */
function afterwards(
  { exchanges, corrections, keptAnswers }: ReportFigures,
  at: number,
  rules: OutputRules,
): string {
  const asked = exchanges[at]?.question ?? '';
  const last = corrections.findLast(({ number, question }) =>
    question === undefined ? number === at + 1 : question === asked,
  );
  if (last !== undefined)
    return `**Corrected by ${quoteCode(last.by)}**, in memory: ${inLine(last.text, rules)}`;
  const kept = keptAnswers.find(({ question }) => question === shownQuestion(asked));
  return kept === undefined ? NOT_KEPT : `In memory once #${kept.pull} is merged.`;
}

function frictionLines({ frictions }: ReportFigures, rules: OutputRules): string[] {
  return shown(
    frictions.map(
      ({ task, category, text }) => `- Task ${task} (${category}): ${inLine(text, rules)}`,
    ),
  );
}

function shown(lines: readonly string[]): string[] {
  const more = lines.length - MAX_SHOWN;
  return more > 0 ? [...lines.slice(0, MAX_SHOWN), `\nand ${more} more`] : [...lines];
}

function asItem(text: string): string {
  return `- ${text}`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `**${title}**\n\n${lines.join('\n')}`;
}
