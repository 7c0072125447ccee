/** Which facts between personas a run's record shows. */
import type { LedgerFinding } from '../review/review.ts';
import type { RecordTask, StandupRecord } from '../standup/look-back/record.ts';
import type { RelationFact } from './relations.ts';

export interface FactInput {
  record: StandupRecord;
  /** Of the pull requests of tasks, by number of the task. */
  findings: Readonly<Record<number, readonly LedgerFinding[]>>;
  /** Numbers of tasks that asked what the plan could have answered. */
  needless: readonly number[];
  /** ISO 8601. */
  at: string;
}

/** Every fact once: ten defects that one review found are one review that found real defects. */
export function relationFacts(input: FactInput): RelationFact[] {
  const facts = input.record.tasks
    .flatMap((task) => factsOfTask(task, input))
    .filter(({ by, to }) => by !== to);
  const unique = new Map(facts.map((fact) => [`${fact.kind} ${fact.by} ${fact.to}`, fact]));
  return [...unique.values()].map((fact) => ({ ...fact, at: input.at }));
}

type Bare = Omit<RelationFact, 'at'>;

function factsOfTask(
  { task, persona, attempts, fixCycles, state }: RecordTask,
  { record, findings, needless }: FactInput,
): Bare[] {
  const found = findings[task] ?? [];
  const planner = record.steps.find(({ kind }) => kind === 'plan')?.persona;
  const isClean = state === 'completed' && attempts === 1 && fixCycles === 0 && found.length === 0;
  const reviewers = record.steps
    .filter((step) => step.kind === 'review' && step.task === task)
    .map((step) => step.persona);
  // A dismissed finding already counts as a false alarm; an overruled verdict has no path.
  const overruled = record.overruled
    .filter((each) => each.task === task && each.path === undefined)
    .flatMap(({ voices }) => voices);
  return [
    ...voicesOf(found, 'fixed').map((by): Bare => ({ kind: 'real-defect', by, to: persona })),
    ...voicesOf(found, 'dismissed').map((by): Bare => ({ kind: 'false-alarm', by, to: persona })),
    ...(isClean ? reviewers.map((to): Bare => ({ kind: 'clean-handover', by: persona, to })) : []),
    ...(planner !== undefined && needless.includes(task)
      ? [{ kind: 'needless-question' as const, by: persona, to: planner }]
      : []),
    ...overruled.map((by): Bare => ({ kind: 'overruled', by, to: persona })),
  ];
}

function voicesOf(found: readonly LedgerFinding[], status: LedgerFinding['status']): string[] {
  return found
    .filter((each) => each.status === status && each.finding.severity !== 'info')
    .flatMap(({ finding }) => finding.personas.slice(0, 1));
}
