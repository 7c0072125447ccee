/**
 * In a job with a token that only reads, effects that would write are collected and not carried out. The reducers go on as
 * if each had been done; another job carries them out later.
 */
import { RefusedError } from '../domain/event/errors.ts';
import type { Effect, EffectData, EffectKind } from '../domain/event/effect.ts';
import type { Result } from '../domain/event/result.ts';
import { folded } from '../domain/text/folded.ts';
import { threadKey } from '../domain/run/thread-ref.ts';
import type { RecordStore } from './read/read-record.ts';
import { readReport } from './read/read-report.ts';
import { EFFECTS } from './effects.ts';
import type { Perform } from './perform.ts';

export interface CollectedWrites {
  perform: Perform;
  /** What is to be written, in order; of several states of one comment or check run, the last. */
  wanted: () => Effect[];
}

/** What a collected write brings to the reducer, as long as nobody knows more. */
const COLLECTED: readonly Result[] = [
  { effectKind: 'comment', result: { id: 0, url: '', outcome: 'created' } },
  { effectKind: 'reply', result: { id: 0, url: '', outcome: 'created' } },
  { effectKind: 'labels', result: null },
  { effectKind: 'react', result: null },
  { effectKind: 'issue', result: { outcome: 'created', number: 0, url: '' } },
  { effectKind: 'close', result: 'closed' },
  { effectKind: 'check', result: null },
  { effectKind: 'review', result: { id: 0, url: '', outcome: 'created', unplaced: [] } },
  { effectKind: 'review-check', result: null },
  { effectKind: 'fold', result: null },
];

/** Not written in workflows yet; the run goes on without them. */
const LEFT_OUT: readonly Result[] = [
  {
    effectKind: 'remember',
    result: { entries: [], removed: [], refused: [], off: 'A workflow does not write memory.' },
  },
  { effectKind: 'write-journal', result: { outcome: 'off' } },
];

/** @throws RefusedError `action-write-refused` by `perform`, for a write that no workflow of this kind may do */
export function collectWrites(perform: Perform, store: RecordStore): CollectedWrites {
  const wanted: Effect[] = [];
  return {
    perform: async (effect, attempt) => {
      const { kind } = effect.data;
      if (!EFFECTS[kind].writes) return perform(effect, attempt);
      const left = LEFT_OUT.find(({ effectKind }) => effectKind === kind);
      if (left !== undefined) return { ...left, githubCalls: {} };
      const collected = COLLECTED.find(({ effectKind }) => effectKind === kind);
      if (collected === undefined) throw refused(kind);
      wanted.push({ ...effect, data: await complete(effect.data, store) });
      return { ...collected, githubCalls: {} };
    },
    wanted: () => withoutOlder(wanted),
  };
}

/** A report is made from the record of this job, which no other job has. */
async function complete(data: EffectData, store: RecordStore): Promise<EffectData> {
  if (data.kind !== 'comment' || data.report === undefined) return data;
  const { report, ...rest } = data;
  const text = await readReport(data.thread, report, store);
  return { ...rest, body: `${data.body}\n\n${folded('Report', text)}` };
}

function withoutOlder(effects: readonly Effect[]): Effect[] {
  return effects.filter((effect, at) => {
    const name = nameOf(effect.data);
    return name === undefined || !effects.some((other, i) => i > at && nameOf(other.data) === name);
  });
}

/** Of what is written over by a later effect. */
function nameOf(data: EffectData): string | undefined {
  if (data.kind === 'comment')
    return [threadKey(data.thread), data.marker.kind, data.marker.run, data.marker.key].join(' ');
  if (data.kind === 'review-check') return `${data.check.headSha} ${data.check.name}`;
  if (data.kind === 'react') return `${threadKey(data.thread)} react ${data.commentId ?? ''}`;
  return undefined;
}

function refused(kind: EffectKind): RefusedError {
  return new RefusedError({
    code: 'action-write-refused',
    message: `A workflow cannot carry out ${kind}. Install the App for that.`,
  });
}
