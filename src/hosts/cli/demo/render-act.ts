/** What came of the demonstration, as people read it: each issue with its comment, each pull request with its findings. */
import type { FindingStatus } from '../../../domain/review/review.ts';
import type { DemoIssue } from '../../../demo/open-issues.ts';
import type { DemoPull, PullFinding } from '../../../demo/open-pulls.ts';
import type { Demo } from '../../../demo/run-demo.ts';
import { renderComment } from '../terminal/comment.ts';
import type { Io } from '../terminal/io.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { counted } from '../../../domain/text/counted.ts';
import { renderTable } from '../terminal/table.ts';
import { joinLabels, paragraph, renderHead, renderDemoProblems, type Page } from './page.ts';
import { renderDemoPlan } from './plan-text.ts';
import { renderDemoStandup } from './standup-text.ts';

/** Whether everything ended as the story has it. */
export function isAsExpected(played: Demo): boolean {
  const { issues, pulls, plan, memory, standup, deadLetters } = played;
  const all = [...issues, ...pulls, plan, standup, memory];
  return deadLetters === 0 && all.every(({ problems }) => problems.length === 0);
}

export function renderEnd(played: Demo, io: Pick<Io, 'isTty' | 'env' | 'columns'>): string {
  const page = { paint: createPaint(io), columns: io.columns };
  const { issues, pulls, plan, standup, deadLetters } = played;
  const parts = [
    ...issues.map((issue) => renderIssue(issue, page)),
    ...pulls.map((pull) => renderPull(pull, page)),
    renderDemoPlan(plan, page),
    renderDemoStandup(standup, page),
    renderMemory(played, page),
    renderChats(played, page),
    deadLetters === 0 ? '' : page.paint.red(`${counted(deadLetters, 'piece')} of work given up\n`),
    renderSum(played, page),
    renderNext(page),
  ];
  return `\n${parts.filter((part) => part !== '').join('\n')}`;
}

/** What was learned, and what of it was approved and used; voices with the same note share a line. */
function renderMemory({ memory }: Demo, page: Page): string {
  const { entries, lessons } = memory;
  const rows = [...Map.groupBy(entries, ({ text }) => text)].map(([text, same]) => {
    const told = lessons.filter((lesson) => lesson.text === text);
    const story = told.length === 0 ? '' : ` ${page.paint.green(`(${tellLesson(told)})`)}`;
    return [same.map(({ persona }) => persona).join(', '), `${text}${story}`];
  });
  const title = page.paint.bold(`Remembered on quorum/memory: ${counted(entries.length, 'note')}`);
  const table = renderTable(rows, { columns: page.columns, indent: 2 });
  return `${title}\n\n${table}${renderDemoProblems(memory, page)}`;
}

/** Of voices that learned the same. */
function tellLesson(same: Demo['memory']['lessons']): string {
  const learnedIn = [...new Set(same.map((lesson) => lesson.learnedIn))].join(', #');
  const approvers = [...new Set(same.flatMap(({ approvedBy = [] }) => approvedBy))];
  const approved =
    approvers.length === 0 ? 'not approved' : `approved by @${approvers.join(', @')}`;
  const cited = same.flatMap(({ id, citedIn }) =>
    citedIn === undefined ? [] : [`cited in #${citedIn} as m:${id}`],
  );
  return [
    `learned in #${learnedIn}`,
    approved,
    ...(cited.length === 0 ? ['not cited'] : cited),
  ].join(', ');
}

function renderChats({ chats: { slack, bluesky } }: Demo, { paint, columns }: Page): string {
  const said = `${counted(slack, 'message')} in Slack, ${counted(bluesky, 'post')} on Bluesky, both emulated`;
  return paragraph(`${paint.bold('Announced:')} ${said}.`, columns);
}

function renderSum(played: Demo, { paint, columns }: Page): string {
  const { counts, coder, seconds } = played;
  const cost = counts.unknownCalls === 0 ? `$${counts.costUsd.toFixed(2)}` : 'cost unknown';
  const fine = isAsExpected(played)
    ? paint.green('Everything ended as it should.')
    : paint.red('Something did not end as it should.');
  const figures = `${seconds.toFixed(1)} s · ${counted(counts.githubCalls, 'GitHub call')} · ${counted(counts.modelCalls, 'model call')}, ${cost}, offline`;
  const wrote =
    coder.name === 'claude'
      ? ` · ${counted(counts.coderCalls, 'scripted answer')} to Claude Code`
      : '';
  return paragraph(`${fine} ${figures}${wrote}.`, columns);
}

function renderNext({ columns }: Page): string {
  return renderTable(
    [
      ['The pages:', 'npm run demo -- --serve'],
      ['Your change:', 'quorum review, before you push it'],
      ['Your idea:', 'quorum deliberate "what you think of building"'],
      ['Your repository:', 'quorum setup'],
    ],
    { columns },
  );
}

function renderIssue(issue: DemoIssue, page: Page): string {
  const { paint, columns } = page;
  const state =
    issue.stateReason === null
      ? issue.state
      : `${issue.state} as ${issue.stateReason.replace('_', ' ')}`;
  const asked =
    issue.asked === undefined
      ? ''
      : renderTable(
          [
            [paint.dim('asked'), issue.asked.question],
            [paint.dim('answered'), issue.asked.answer],
          ],
          { columns, indent: 2 },
        );
  const comments = issue.ownComments
    .map((body) => renderComment(body, { paint, columns, indent: 4, unfold: false }))
    .join('\n');
  return [
    renderHead(issue, page),
    paragraph(
      `verdict ${paint.bold(issue.verdicts.join(' → '))} · ${state} · labels: ${joinLabels(issue.labels)}`,
      columns,
      2,
    ),
    asked,
    `\n${comments}`,
    renderDemoProblems(issue, page),
  ].join('');
}

function renderPull(pull: DemoPull, page: Page): string {
  const { paint, columns } = page;
  const verdict = `verdict ${paint.bold(pull.verdicts.join(' → '))}`;
  const said =
    pull.comments.length === 0
      ? 'no comment'
      : `${counted(pull.reviews.length, 'review')}, ${counted(pull.comments.length, 'comment')} on lines`;
  const found = renderTable(
    pull.findings.map((finding) => renderFinding(finding, paint)),
    { columns, indent: 4 },
  );
  const declined = pull.findings.filter(({ status }) => status === 'dismissed');
  return [
    renderHead(pull, page),
    paragraph(`${verdict} · check ${pull.checks.join(' → ')}`, columns, 2),
    paragraph(`${said} · labels: ${joinLabels(pull.labels)}`, columns, 2),
    found === '' ? '' : `\n${found}`,
    ...declined.map(({ settledBy = 'somebody', why = '' }) =>
      renderTable([[paint.dim('declined'), `@${settledBy}: ${why}`]], { columns, indent: 4 }),
    ),
    renderDemoProblems(pull, page),
  ].join('');
}

const STATUS_WORDS: Readonly<Record<FindingStatus, string>> = {
  open: 'open',
  fixed: 'fixed',
  dismissed: 'declined',
  refuted: 'refuted',
  outdated: 'outdated',
};

function renderFinding(finding: PullFinding, paint: Paint): string[] {
  const { status, severity, path, line, scope, title } = finding;
  const paintStatus = {
    open: paint.red,
    fixed: paint.green,
    dismissed: paint.yellow,
    refuted: paint.yellow,
    outdated: paint.dim,
  };
  return [
    paintStatus[status](STATUS_WORDS[status]),
    severity,
    paint.cyan(scope === 'line' ? `${path}:${line}` : path),
    title.replaceAll('`', ''),
  ];
}

/** Said before an act of the story: a sign, and the sentence beside it. */
export function renderAct(says: string, { paint, columns }: Page): string {
  return renderTable([[paint.cyan('●'), says]], { columns });
}
