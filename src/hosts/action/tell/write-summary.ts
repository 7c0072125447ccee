/** The summary of a job: what came of it and how it went, in Markdown. No model writes it. */
import type { IntentsFile, Trajectory } from '../../../domain/actions/intents.ts';
import type { StandupWork } from '../../../domain/actions/standup-work.ts';
import type { TaskWork } from '../../../domain/actions/task-work.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';

export function renderAgentSummary(
  { outcome, spent, trajectory, intents }: IntentsFile,
  endReason: string | undefined,
): string {
  const why = outcome.headline === '' ? (endReason ?? '') : outcome.headline;
  return [
    `### Quorum: ${outcome.verdict === 'NONE' ? 'no verdict' : outcome.verdict}`,
    '',
    ...(why === '' ? [] : [codeSpan(why), '']),
    '| Figure | Value |',
    '| --- | ---: |',
    `| Findings | ${outcome.findings} |`,
    `| Writes handed to the apply job | ${intents.length} |`,
    ...figureRows(trajectory),
    `| Cost | ${usd(spent.usd)}${spent.unknownCalls > 0 ? ` and ${spent.unknownCalls} calls without a known price` : ''} |`,
    '',
  ].join('\n');
}

/** Of a task: how its session ended, and how it went. */
export function renderTaskSummary({
  work,
  trajectory,
  usd: cost,
}: {
  work: TaskWork;
  trajectory: Trajectory;
  usd: number;
}): string {
  const { done } = work;
  const report = 'coded' in done ? done.coded.report : undefined;
  const files = 'coded' in done ? done.coded.files.length : 0;
  const why = 'failed' in done ? done.failed.message : reasonIn(done.coded.report);
  return [
    `### Quorum: the coder ${report?.outcome ?? 'failed'}`,
    '',
    ...(why === '' ? [] : [codeSpan(why), '']),
    '| Figure | Value |',
    '| --- | ---: |',
    `| Changed files | ${files} |`,
    `| Turns of the session | ${report?.turns ?? 0} |`,
    ...figureRows(trajectory),
    `| Cost | ${usd(cost)} |`,
    '',
  ].join('\n');
}

/** Of a standup: who answered, and how it went. */
export function renderStandupSummary({ answers, trajectory, spent }: StandupWork): string {
  const answered = answers.filter(({ done }) => 'value' in done).length;
  return [
    '### Quorum: standup',
    '',
    '| Figure | Value |',
    '| --- | ---: |',
    `| Participants who answered | ${answered} of ${answers.length} |`,
    ...figureRows(trajectory),
    `| Cost | ${usd(spent.usd)} |`,
    '',
  ].join('\n');
}

type Report = Extract<TaskWork['done'], { coded: object }>['coded']['report'];

function reasonIn(report: Report): string {
  if ('reason' in report) return report.reason;
  return 'question' in report ? report.question : '';
}

function figureRows({
  turns,
  retries,
  repeatedCalls,
  wastedUsd,
  firstPromptTokens,
  lastPromptTokens,
}: Trajectory): string[] {
  return [
    `| Model calls | ${turns} |`,
    `| Retries | ${retries} |`,
    `| Repeated calls | ${repeatedCalls} |`,
    `| Prompt of the first and the last call | ${firstPromptTokens} → ${lastPromptTokens} tokens |`,
    `| Cost of failed calls | ${usd(wastedUsd)} |`,
  ];
}

function usd(value: number): string {
  return `$${value.toFixed(4)}`;
}
