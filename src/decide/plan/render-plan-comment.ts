/**
 * The one comment below a plan: what is wrong with it, or whose approval it waits for. It shows the tasks as a graph
 * and in words.
 */
import { cleanOutput } from '../../domain/text/clean-output.ts';
import { codeBlock, codeSpan } from '../../domain/text/code-span.ts';
import { isForPeople, isHook, protectionBy } from '../../domain/gates/protected-paths.ts';
import { isApproved } from '../../domain/plan/approval.ts';
import type { Plan, PlanProblem } from '../../domain/plan/plan.ts';
import { renderGraph, renderTwin } from '../../domain/plan/plan-graph.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import type { TaskNews, TaskOrder } from '../../domain/task/task.ts';
import { blockedStep } from '../../domain/task/blocked-step.ts';
import type { PlanSight } from './advance.ts';
import { labelReason } from './approval/explain-doubt.ts';

const MAX_PROBLEMS = 50;
const MAX_TASKS = 300;

export function renderPlanComment(sight: PlanSight, state: PlanState): string {
  const { plan } = sight;
  return plan.problems.length > 0
    ? [renderProblems(plan.problems), renderWork(sight, state)]
        .filter((part) => part !== '')
        .join('\n\n')
    : [
        headline(plan),
        nextStepText(sight, state),
        renderProtected(sight),
        renderGraph(plan.tasks),
        renderWork(sight, state),
        renderLogs(state),
        renderPutBack(state),
        inWords(sight),
      ]
        .filter((part) => part !== '')
        .join('\n\n');
}

function renderProblems(problems: readonly PlanProblem[]): string {
  const count = problems.length;
  const rows = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ line, code, message }) => `| ${line} | \`${code}\` | ${cell(message)} |`);
  return [
    `### Plan: ${count === 1 ? 'fix one error' : `fix ${count} errors`} before any task can start`,
    ['| line | code | how to fix it |', '| --- | --- | --- |', ...rows].join('\n'),
    ...(count > MAX_PROBLEMS ? [`${count - MAX_PROBLEMS} more are not shown.`] : []),
    'Edit the issue. Quorum reads it again at once and updates this comment.',
  ].join('\n\n');
}

/** Messages quote what people wrote in code ticks; a bar would end the cell. */
function cell(message: string): string {
  return message.replaceAll('|', '\\|');
}

function headline({ tasks }: Plan): string {
  const count = (wanted: string): number => tasks.filter(({ status }) => status === wanted).length;
  const parts = [
    `${tasks.length} task${tasks.length === 1 ? '' : 's'}`,
    `${count('completed')} completed`,
    ...(count('blocked') > 0 ? [`${count('blocked')} blocked`] : []),
  ];
  return `### Plan: ${parts.join(', ')}`;
}

/** Whose move it is. */
function nextStepText({ plan, view, digest }: PlanSight, state: PlanState): string {
  const { approval, rejected } = state;
  if (plan.tasks.every(({ status }) => status === 'completed')) return '';
  if (isApproved(approval, digest) && approval !== undefined) {
    const by = `Approved by ${codeSpan(approval.by.login)} (text ${codeSpan(digest.slice(0, 12))}).`;
    const why = view.whyNoCoder ?? view.whyUnsigned;
    if (why !== undefined) return `${by} No task starts: ${why}.`;
    return [by, ...renderBlocked(plan, state)].join('\n\n');
  }
  if (rejected?.digest === digest)
    return `Rejected by ${codeSpan(rejected.by)}. Edit the plan, or comment \`/pm approve\` if you want it after all.`;
  const changed = approval === undefined ? '' : 'The plan changed after its approval. ';
  const waiting = `**Waiting for approval** of this text (${codeSpan(digest)}): somebody with write access comments \`/pm approve\`, replies \`yes\`, or gives this comment a 👍.`;
  const why = view.whyNoCoder ?? view.whyUnsigned;
  return `${changed}${renderDoubt(state)}${waiting}${renderVain(why, view.whyUnwritable)}`;
}

/** An approval starts no blocked task: a person has to say so for each. */
function renderBlocked({ tasks }: Plan, state: PlanState): string[] {
  const [first, ...more] = tasks.filter(({ status }) => status === 'blocked');
  if (first === undefined) return [];
  const numbers = [first, ...more].map(({ number }) => number).join(', ');
  const who = more.length === 0 ? `Task ${numbers} waits` : `Tasks ${numbers} wait`;
  const next = blockedStep(first.number, state.tasks?.[String(first.number)]);
  return [`${who} for a person: ${next}`];
}

/** What an approval would not bring about. */
function renderVain(noStart: string | undefined, unwritable: string | undefined): string {
  if (noStart !== undefined) return `\n\n**No task would start after approval**: ${noStart}.`;
  return unwritable === undefined
    ? ''
    : `\n\n**Nobody here can write these tasks**: ${unwritable}.`;
}

/** Nothing else says that the label does not approve the plan. */
function renderDoubt({ doubted }: PlanState): string {
  if (doubted === undefined) return '';
  return `The label by ${codeSpan(doubted.by)} does not approve it. ${labelReason(doubted.why)} `;
}

/** What the yes is good for besides code: people should know it before they say it. */
function renderProtected({ plan, view }: PlanSight): string {
  const isProtected = protectionBy(view.config.paths);
  const lines = plan.tasks.flatMap(({ number, files }) =>
    files
      .map(({ path }) => path)
      .filter((path) => isHook(path) || isProtected(path))
      .map((path) =>
        isForPeople(path)
          ? `- Task ${number} names ${codeSpan(path)}, which only people may change. Quorum refuses a change to it.`
          : `- Task ${number} may change ${codeSpan(path)}, which is protected. Approving this text allows that change.`,
      ),
  );
  return lines.slice(0, MAX_PROBLEMS).join('\n');
}

const WORDS: Readonly<Record<TaskNews['state'], string>> = {
  pending: 'waits',
  claimed: 'claimed',
  in_progress: 'being written',
  verifying: 'at the gates',
  in_review: 'in review',
  completed: 'merged',
  released: 'given back',
  blocked: 'blocked',
  failed: 'will be retried',
};

/** Who works on each task, and how far it is. Tasks that have reported nothing are left out. */
function renderWork({ plan, view }: PlanSight, state: PlanState): string {
  const rows = plan.tasks.flatMap(({ number, status, statusReason }) => {
    const order = state.ready?.orders.find(({ ref }) => ref.task === number);
    if (order !== undefined) return [renderReady(order, state)];
    const news = state.tasks?.[String(number)];
    if (news === undefined) return [];
    // An attempt of a restored store only knows that its lease was released; the text knows of the merge.
    if (news.state === 'released' && status === 'completed')
      return [
        `| ${number} | ${WORDS.completed} | ${news.persona} | ${cell(clean(statusReason, view))} |  |`,
      ];
    const pull = news.pull === undefined ? '' : `#${news.pull.number}`;
    // A merged task's reason is its pull request, which has a column.
    const why = news.reason === pull ? '' : (news.reason ?? '');
    const reason = clean(why, view).slice(0, 400);
    return [`| ${number} | ${WORDS[news.state]} | ${news.persona} | ${pull} | ${cell(reason)} |`];
  });
  if (rows.length === 0) return '';
  return [
    '| task | status | by | pull request | why |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** A comment has a maximum length, and the latest failures matter most to the person who fixes the plan. */
const MAX_LOGS = 5;

/** The end of what was printed where a gate stopped a task: nobody should have to go looking for it. */
function renderLogs({ tasks = {} }: PlanState): string {
  return Object.values(tasks)
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .flatMap(({ task, attempt, log }) => (log === undefined ? [] : [{ task, attempt, log }]))
    .slice(0, MAX_LOGS)
    .map(
      ({ task, attempt, log }) =>
        `<details><summary>End of the output of task ${task}, attempt ${attempt}</summary>\n\n${codeBlock(log)}\n\n</details>`,
    )
    .join('\n\n');
}

/** Most begin within the second, so a task shows as waiting only when a reason is known. */
function renderReady({ ref, persona }: TaskOrder, { ready }: PlanState): string {
  const why = ready?.waits?.why;
  return why === undefined
    ? `| ${ref.task} | ${WORDS.claimed} | ${persona} |  |  |`
    : `| ${ref.task} | ${WORDS.pending} | ${persona} |  | ${why} |`;
}

/** What people wrote into the text that could not stand there. */
function renderPutBack({ putBack }: PlanState): string {
  return Object.entries(putBack ?? {})
    .map(
      ([task, { by, word, to, why }]) =>
        `- Task ${task}: ${codeSpan(by)} set it to ${codeSpan(word)}. Quorum reset it to ${codeSpan(to)}, because ${why}.`,
    )
    .join('\n');
}

function clean(text: string, { repository }: PlanSight['view']): string {
  const { fullName, host } = repository;
  return cleanOutput(text, { repository: fullName, host }).text.replaceAll(/\s+/g, ' ').trim();
}

function inWords({ plan: { tasks }, view }: PlanSight): string {
  const lines = renderTwin(tasks.slice(0, MAX_TASKS)).map((line) => `- ${clean(line, view)}`);
  const more = tasks.length > MAX_TASKS ? [`- and ${tasks.length - MAX_TASKS} more`] : [];
  return `<details><summary>The tasks in words</summary>\n\n${[...lines, ...more].join('\n')}\n\n</details>`;
}
