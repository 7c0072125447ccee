/** What a standup leaves for the next ones: how personas stand to each other, and how hard they are asked to look. */
import { relationFacts } from '../../domain/relations/relation-facts.ts';
import { applyFact, seedsOf } from '../../domain/relations/relations.ts';
import type { LedgerFinding } from '../../domain/review/review.ts';
import type { Persona } from '../../domain/persona/persona.ts';
import type { StandupRecord } from '../../domain/standup/look-back/record.ts';
import type { StrictnessRecord } from '../../domain/standup/kept-standup.ts';
import {
  moveStrictness,
  type Answered,
  type StrictnessMove,
} from '../../domain/standup/strictness.ts';
import type { Log } from '../../ports/log.ts';
import type { StandupStore } from '../../ports/standup-store.ts';
import { changeValue } from './change-value.ts';

type Values = Pick<StandupStore, 'load' | 'replace'>;

export interface Learned {
  repository: number;
  record: StandupRecord;
  personas: readonly Pick<Persona, 'handle' | 'relationships'>[];
  /** Of the pull requests of tasks, by number of the task. */
  findings: Readonly<Record<number, readonly LedgerFinding[]>>;
  answered: Answered;
  /** ISO 8601. */
  at: string;
}

/**
 * To be called once for a run, after its standup was saved: facts and answers are counted each time. What is learned
 * colours tone and how much is said; nothing that decides reads it.
 */
export async function learnFromStandup(
  learned: Learned,
  { standups, log }: { standups: Values; log?: Pick<Log, 'info'> | undefined },
): Promise<void> {
  const { repository } = learned;
  const facts = relationFacts({ ...learned, needless: needlessIn(learned.record) });
  const seeds = seedsOf(learned.personas, learned.at);
  if (facts.length > 0)
    await changeValue(standups, { repository, name: 'relations' }, (stances) =>
      facts.reduce((sum, fact) => applyFact(sum, fact, seeds), stances),
    );
  let move: StrictnessMove | undefined;
  await changeValue(standups, { repository, name: 'strictness' }, (record) => {
    const next = countAnswers(record, learned.answered);
    ({ move } = next);
    return next.record;
  });
  if (move !== undefined) log?.info({ repository, ...move }, 'standup strictness changed');
}

/** The PM answered them from the plan and its repository: the plan could have said it. */
function needlessIn({ questions }: StandupRecord): number[] {
  return [...new Set(questions.filter((each) => !each.isEscalated).map(({ task }) => task))];
}

function countAnswers(
  { level, ...before }: StrictnessRecord,
  { answers, noTension }: Answered,
): { record: StrictnessRecord; move?: StrictnessMove } {
  const sum = {
    answers: before.answers + answers,
    noTension: before.noTension + noTension,
  };
  const move = moveStrictness(level, sum);
  return move === undefined
    ? { record: { level, ...sum } }
    : { record: { level: move.to, answers: 0, noTension: 0 }, move };
}
