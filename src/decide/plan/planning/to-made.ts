/** What came of the PM's thinking: its word without the marks of notes, the notes that it rests on, and its cost. */
import type { PlanDraft, PmProposal } from '../../../domain/plan/draft.ts';
import type { Made, Planning } from '../../../domain/plan/planning.ts';
import type { ProposeResult } from '../../../domain/event/result.ts';
import { sumCost } from '../../../domain/run/ledger.ts';
import { findMissed } from '../../run/missed-model.ts';
import {
  notesOf,
  type RecalledMemory,
  type ShownNote,
} from '../../../domain/memory/recall/recalled.ts';
import { createNoteTaker } from '../../run/used-notes.ts';

function takeNotes(
  word: PmProposal,
  shown: readonly ShownNote[],
): { word: PmProposal; used: ShownNote[] } {
  const { take, used } = createNoteTaker(shown);
  const { plan, risks, questions, answer } = word;
  const plain: PmProposal = {
    ...word,
    risks: risks.map(take),
    questions: questions.map(take),
    answer: take(answer),
    ...(plan && { plan: takeFromPlan(plan, take) }),
  };
  return { word: plain, used: used() };
}

function takeFromPlan(plan: PlanDraft, take: (text: string) => string): PlanDraft {
  return {
    ...plan,
    title: take(plan.title),
    goal: take(plan.goal),
    context: take(plan.context),
    verification: plan.verification.map(take),
    tasks: plan.tasks.map((task) => ({
      ...task,
      title: take(task.title),
      description: take(task.description),
      files: task.files.map((file) => ({ ...file, note: take(file.note) })),
    })),
  };
}

export function toMade(
  { word: said, looked, calls }: ProposeResult,
  shown: readonly ShownNote[],
): { word: PmProposal; made: Made } {
  const { word, used } = takeNotes(said, shown);
  const last = calls.at(-1);
  const missed = findMissed(calls);
  const made: Made = {
    word: { risks: word.risks, questions: word.questions },
    title: word.plan?.title ?? '',
    tasks: word.plan?.tasks.length ?? 0,
    looked,
    model: last?.model ?? 'unknown',
    isOffline: last?.provider === 'offline',
    ...(missed === undefined ? {} : { missed }),
    cost: sumCost(calls),
    ...(used.length > 0 && { used }),
  };
  return { word, made };
}

/** The PM may be shown what any persona remembers. */
export function keepNotes(planning: Planning, memory: RecalledMemory | undefined): void {
  const notes = memory === undefined ? [] : notesOf(memory, Object.keys(memory.notes));
  if (notes.length > 0) planning.notes = notes;
}
