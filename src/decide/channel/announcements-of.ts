/** What to announce in channels after one step of a thread: what became true of its runs and its plan in that step. */
import type { ShownWeek } from '../../domain/digest/week-view.ts';
import type { Announced, Speaks } from '../../domain/channel/announce/announcement.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import type { TaskState } from '../../domain/plan/task-state.ts';
import {
  isDiscussionRun,
  ofKind,
  questionOf,
  type DiscussionRun,
  type Run,
} from '../../domain/run/state/run-record.ts';
import type { ThreadRef } from '../../domain/run/thread-ref.ts';
import type { TaskNews } from '../../domain/task/task.ts';
import type { ThreadState } from '../run/thread-context.ts';

export interface ThreadNews {
  /** The run or plan that it comes from. */
  run: string;
  announced: Announced;
  isAsked?: true;
}

/** Something that is true now, under a name that tells it from what was true before. */
interface Mark extends ThreadNews {
  name: string;
}

/** The thread that a state is about; undefined while nothing works there. */
export function threadOfState({
  runs,
  plan,
  planning,
  weekly,
}: ThreadState): ThreadRef | undefined {
  return plan?.thread ?? planning?.thread ?? weekly?.thread ?? Object.values(runs)[0]?.thread;
}

/** What is new since the step before. */
export function announcementsOf(before: ThreadState, after: ThreadState): ThreadNews[] {
  const known = new Set(marksOf(before).map(({ name }) => name));
  return marksOf(after)
    .filter(({ name }) => !known.has(name))
    .map(({ run, announced, isAsked }) => ({ run, announced, ...(isAsked && { isAsked }) }));
}

/**
 * Whose question was open before the step, where none is open after it. While one is, the message of the thread goes on to
 * ask.
 */
export function needOver(before: ThreadState, after: ThreadState): string | undefined {
  return needsIn(after).length > 0 ? undefined : needsIn(before).at(-1)?.run;
}

function needsIn(state: ThreadState): Mark[] {
  return marksOf(state).filter(({ announced }) => announced.event === 'needs-human');
}

function marksOf({ runs, plan, weekly }: ThreadState): Mark[] {
  return [
    ...(weekly === undefined ? [] : [markOfWeek(weekly)]),
    ...Object.values(runs).flatMap(marksOfRun),
    ...(plan === undefined ? [] : marksOfPlan(plan)),
  ];
}

const NAMES: Readonly<Partial<Record<Run['trigger'], string>>> = {
  issue_review: 'deliberation',
  prd_kickoff: 'requirements review',
  pr_review: 'review',
  build_failure: 'look into the failed build',
};

function marksOfRun(run: Run): Mark[] {
  const standup = ofKind(run, 'standup');
  if (standup !== undefined) return marksOfStandup(standup);
  const name = NAMES[run.trigger];
  if (name === undefined || !isDiscussionRun(run)) return [];
  // A push, a label or a command of somebody began it just now.
  const isAsked = run.isFound ? {} : { isAsked: true as const };
  const mark = (what: string, announced: Announced): Mark => ({
    name: `${run.id} ${what}`,
    run: run.id,
    announced,
    ...isAsked,
  });
  const marks: Mark[] = [];
  if (hasBegun(run))
    marks.push(mark('began', { event: 'run-started', run: name, personas: namesOf(run) }));
  const question = questionOf(run)?.question;
  if (question !== undefined)
    marks.push(mark(`asks ${question}`, { event: 'needs-human', question }));
  if (run.status === 'consensus' && run.verdict !== undefined)
    marks.push(mark('concluded', toVerdict(run.verdict)));
  return marks;
}

/** Nobody asked for it: quiet hours hold it back. */
function marksOfStandup({ id: run, shown, startedAt }: Run<'standup'>): Mark[] {
  if (shown === undefined) return [];
  const said = shown.insights.filter(({ type }) => type !== 'none');
  const lines = said.map(({ from, to, message }) => {
    const who = to === undefined ? from : `${from} to ${to}`;
    return `- **${who}**: ${message}`;
  });
  const details = lines.length === 0 ? 'No tensions.' : lines.join('\n');
  return [
    {
      name: `${run} standup`,
      run,
      announced: { event: 'standup', date: startedAt.slice(0, 10), details },
    },
  ];
}

/** As a standup's: quiet hours hold it back. */
function markOfWeek({ run, from, to, details }: ShownWeek): Mark {
  const week = `${from.slice(0, 10)} to ${to.slice(0, 10)}`;
  return { name: `week ${to}`, run, announced: { event: 'weekly', week, details } };
}

/** The first voices are asked: what was refused, or had nothing to read, is no run that people would look for. */
function hasBegun({ phase, contributions, verdict }: DiscussionRun): boolean {
  const isAtWork = phase.kind === 'gathering' || phase.kind === 'concluding';
  return isAtWork || contributions.length > 0 || verdict !== undefined;
}

function namesOf({ phase, contributions }: DiscussionRun): string[] {
  const asked = phase.kind === 'gathering' ? phase.waitingFor.map(({ handle }) => handle) : [];
  return [...new Set([...asked, ...contributions.map(({ handle }) => handle)])];
}

function toVerdict({
  verdict,
  headline,
  reasons,
}: NonNullable<DiscussionRun['verdict']>): Announced {
  return { event: 'verdict', verdict: `${verdict}, ${headline}`, details: reasons };
}

function marksOfPlan(plan: PlanState): Mark[] {
  const { id: run, approval, isWaiting, isComplete, tasks = {} } = plan;
  const asked = { run, isAsked: true as const };
  const marks = Object.values(tasks).flatMap(marksOfTask);
  const ofPlan: Mark[] = [];
  if (isWaiting === true)
    ofPlan.push({
      ...asked,
      name: 'waits',
      announced: { event: 'plan-proposed', details: '', speaks: { phrase: 'planCreated' } },
    });
  if (approval !== undefined)
    ofPlan.push({
      ...asked,
      name: `approved ${approval.digest}`,
      announced: { event: 'plan-approved', by: approval.by.login },
    });
  const ofTasks = marks.map((mark) => ({ ...mark, run }));
  if (isComplete !== true) return [...ofPlan, ...ofTasks];
  const complete: Announced = {
    event: 'plan-complete',
    tasks: Object.keys(tasks).length,
    speaks: { phrase: 'planComplete' },
  };
  return [...ofPlan, ...ofTasks, { run, name: 'complete', announced: complete }];
}

/** How a task's state is announced. States that are not listed appear in the plan only. */
const TOLD: Readonly<Partial<Record<TaskState, (news: Named) => Announced>>> = {
  claimed: ({ task, persona, says }) => ({
    event: 'task-claimed',
    task,
    by: persona,
    speaks: { ...says, phrase: 'claim' },
  }),
  completed: ({ task, says }) => ({
    event: 'merged',
    task,
    speaks: { ...says, phrase: 'complete' },
  }),
  released: ({ task, reason, says }) => ({
    event: 'task-released',
    task,
    reason,
    speaks: { ...says, phrase: 'release', details: reason },
  }),
  failed: ({ task, reason, says }) => ({
    event: 'failed',
    task,
    reason,
    speaks: { ...says, phrase: 'failed', details: reason },
  }),
};

interface Named {
  task: string;
  persona: string;
  reason: string;
  says: Omit<Speaks, 'phrase'>;
}

function marksOfTask(news: TaskNews): Omit<Mark, 'run'>[] {
  const { state, attempt, persona, pull, asks, reason = 'see the plan' } = news;
  const task = `Task ${news.task}`;
  const marks: Omit<Mark, 'run'>[] = [];
  const says = { persona, task: news.task };
  const announced = TOLD[state]?.({ task, persona, reason, says });
  if (announced !== undefined) marks.push({ name: `${task} ${state} ${attempt}`, announced });
  if (pull !== undefined)
    marks.push({
      name: `${task} in #${pull.number}`,
      announced: {
        event: 'pr-opened',
        task: `${task} in #${pull.number}`,
        by: persona,
        speaks: { ...says, phrase: 'progress', details: `#${pull.number} is open` },
      },
    });
  if (state === 'blocked' || asks === true)
    marks.push({
      name: `${task} needs ${reason}`,
      announced: {
        event: 'needs-human',
        question: `${task}: ${reason}`,
        by: persona,
        // A question is to be read as it was asked; only a stop is said in the persona's words.
        ...(state === 'blocked' && {
          speaks: { ...says, phrase: 'blocked' as const, details: reason },
        }),
      },
    });
  return marks;
}
