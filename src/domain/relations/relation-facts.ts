/** Which facts between personas a run's record shows. */
import type { LedgerFinding } from '../review/review.ts';
import type { StandupRecord } from '../standup/record.ts';
import type { RelationFact } from './relations.ts';

export interface FactInput {
  record: StandupRecord;
  /** Of the pull requests of tasks, by number of the task. */
  findings: Readonly<Record<number, readonly LedgerFinding[]>>;
  /** Handles of tasks' needless questions, by the rule that saw them: numbers of tasks. */
  needless: readonly number[];
  /** ISO 8601. */
  at: string;
}

/** Every fact once: ten defects that one review found are one review that found real defects. */
export function relationFacts({ record, findings, needless, at }: FactInput): RelationFact[] {
  const planner = record.steps.find(({ kind }) => kind === 'plan')?.persona;
  const facts = record.tasks.flatMap(
    ({ task, persona, attempts, fixCycles, state }): RelationFact[] => {
      const found = findings[task] ?? [];
      const fact = (kind: RelationFact['kind'], by: string, to: string): RelationFact => ({
        kind,
        by,
        to,
        at,
      });
      const reviewers = record.steps
        .filter((step) => step.kind === 'review' && step.task === task)
        .map((step) => step.persona);
      const isClean =
        state === 'completed' && attempts === 1 && fixCycles === 0 && found.length === 0;
      return [
        ...voicesOf(found, 'fixed').map((by) => fact('real-defect', by, persona)),
        ...voicesOf(found, 'dismissed').map((by) => fact('false-alarm', by, persona)),
        ...(isClean ? reviewers.map((to) => fact('clean-handover', persona, to)) : []),
        ...(planner !== undefined && needless.includes(task)
          ? [fact('needless-question', persona, planner)]
          : []),
        ...record.overruled
          .filter((each) => each.task === task && each.path === undefined)
          .flatMap(({ voices }) => voices.map((by) => fact('overruled', by, persona))),
      ];
    },
  );
  const unique = new Map(facts.map((fact) => [`${fact.kind} ${fact.by} ${fact.to}`, fact]));
  return [...unique.values()].filter(({ by, to }) => by !== to);
}

function voicesOf(found: readonly LedgerFinding[], status: LedgerFinding['status']): string[] {
  return found
    .filter((each) => each.status === status && each.finding.severity !== 'info')
    .flatMap(({ finding }) => finding.personas.slice(0, 1));
}
