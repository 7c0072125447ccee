/** What the PM proposes, as a value, and how it becomes a plan that says no more than it was meant to (CB-2, TG-3). */
import * as z from 'zod';
import { cleanOutput } from '../text/clean-output.ts';
import { codeBlock } from '../text/code-span.ts';
import { withoutGrammar } from './blunt.ts';
import { parsePlan } from './body/parse-plan.ts';
import type { Plan } from './plan.ts';
import { renderPlan, USUAL_CHECKS, type NewPlan, type NewTask } from './body/render-plan.ts';

const text = (max: number) => z.string().trim().max(max);

const DraftTask = z.object({
  number: z.number().int().min(1).max(999),
  title: text(120).min(3),
  files: z.array(z.object({ path: text(300).min(1), note: text(200).default('') })).max(20),
  /** Numbers of tasks of this plan. */
  dependencies: z.array(z.number().int()).max(50).default([]),
  /** What to do, and how to tell that it is done. */
  description: text(6_000).min(1),
  estimate: text(40).default(''),
});

export const PlanDraft = z.object({
  title: text(120).min(3),
  goal: text(800).min(1),
  context: text(4_000).default(''),
  tasks: z.array(DraftTask).min(1).max(20),
  /** Boxes of the verification list; the usual three when the model gives no boxes. */
  verification: z.array(text(200).min(1)).max(10).default([]),
});
export type PlanDraft = z.infer<typeof PlanDraft>;

/** Spec CB-2. */
const MAX_QUESTIONS = 3;

/** The PM's word: a plan, questions that a person has to answer first, or an answer to what was only a question. */
export const PmProposal = z
  .object({
    kind: z.enum(['plan', 'questions', 'answer']),
    plan: PlanDraft.nullish(),
    questions: z.array(text(400).min(1)).max(MAX_QUESTIONS).default([]),
    risks: z.array(text(300).min(1)).max(5).default([]),
    /** Places that it rests on stand in the text: `src/a.ts:12`. */
    answer: text(4_000).default(''),
  })
  .superRefine((word, context) => {
    for (const message of faultsOf(word)) context.addIssue({ code: 'custom', message });
  });
export type PmProposal = z.infer<typeof PmProposal>;

function faultsOf({ kind, plan, questions, answer }: z.input<typeof PmProposal>): string[] {
  if (kind === 'questions') return (questions ?? []).length > 0 ? [] : ['there is no question'];
  if (kind === 'answer') return (answer ?? '') === '' ? ['there is no answer'] : [];
  const draft = PlanDraft.safeParse(plan);
  if (!draft.success) return ['there is no plan'];
  const { problems } = toPlanBody(draft.data, { repository: 'o/r' });
  return problems.map(({ message }) => message);
}

export interface DraftPlace {
  /** `owner/repo`: what links may lead to. */
  repository: string;
  /** Host of the GitHub that links may lead to; `github.com` when absent. */
  host?: string | undefined;
  /** Of code, put before the draft's own context. */
  context?: string;
  /** Of code, put before the draft's own tasks. */
  first?: readonly NewTask[];
}

/** The plan as the one renderer writes it, with what the one reader finds wrong with it. */
export function toPlanBody(
  draft: PlanDraft,
  place: DraftPlace,
): { body: string; plan: NewPlan } & Pick<Plan, 'problems'> {
  const plan = toNewPlan(draft, place);
  const body = renderPlan(plan);
  const read = parsePlan(body);
  if (read.problems.length > 0 || isSame(read, plan))
    return { body, plan, problems: read.problems };
  // Something in it speaks our grammar after all: then it is shown as it is, where nothing in it is read.
  const fenced = {
    ...plan,
    goal: fence(plan.goal),
    context: fence(plan.context),
    tasks: plan.tasks.map(fenceTask),
  };
  const again = renderPlan(fenced);
  const reread = parsePlan(again);
  const problems = isSame(reread, fenced) ? reread.problems : [UNREADABLE];
  return { body: again, plan: fenced, problems };
}

const UNREADABLE = {
  code: 'bad-status' as const,
  line: 1,
  message:
    'Headings and fields of a plan stand inside its texts; write plain sentences and lists there.',
};

function toNewPlan(
  draft: PlanDraft,
  { repository, host, context = '', first = [] }: DraftPlace,
): NewPlan {
  const prose = (source: string): string =>
    withoutGrammar(cleanOutput(source, { repository, host }).text).trim();
  const line = (source: string): string =>
    withoutGrammar(cleanOutput(source.replaceAll(/\s+/g, ' '), { repository, host }).text)
      .replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
      .trim();
  return {
    title: line(draft.title.replaceAll(/\[plan\]/gi, '')),
    goal: prose(draft.goal),
    context: [context, prose(draft.context)].filter((part) => part !== '').join('\n\n'),
    tasks: [
      ...first,
      ...draft.tasks.map((task) => ({
        number: task.number,
        title: line(task.title).replaceAll(/^[\s:.)–—-]+|(?<!\s)\s+#+$/g, ''),
        dependencies: [...new Set(task.dependencies)].toSorted((a, b) => a - b),
        estimate: line(task.estimate),
        files: task.files.map(({ path, note }) => ({
          path: path.replaceAll(/[`\r\n]/g, '').trim(),
          note: line(note).replace(/^[\s:–—-]+/, ''),
        })),
        description: prose(task.description),
      })),
    ],
    ...(draft.verification.length === 0 ? {} : { verification: draft.verification.map(line) }),
  };
}

/** Whether what is read is what was meant: no task more, none finished, nothing swallowed. */
function isSame(read: Plan, meant: NewPlan): boolean {
  const told = read.tasks.map(({ number, title, dependencies, files, description, status }) => ({
    number,
    title,
    dependencies,
    files: files.map(({ path, note }) => ({ path, note })),
    description,
    status,
  }));
  const wanted = meant.tasks.map(({ number, title, dependencies, files, description }) => ({
    number,
    title,
    dependencies,
    files: files.map(({ path, note }) => ({ path, note })),
    description,
    status: 'pending',
  }));
  return (
    JSON.stringify(told) === JSON.stringify(wanted) &&
    read.goal === meant.goal &&
    read.context === meant.context &&
    JSON.stringify(read.verification.map((check) => [check.text, check.isTicked])) ===
      JSON.stringify((meant.verification ?? USUAL_CHECKS).map((check) => [check, false]))
  );
}

function fence(source: string): string {
  return source === '' ? '' : codeBlock(source);
}

function fenceTask(task: NewTask): NewTask {
  return { ...task, description: fence(task.description) };
}
