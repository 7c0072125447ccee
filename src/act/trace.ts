/** What the store knows of earlier writes under a marker, so that they are edited and not written again. */
import type { Effect, EffectData } from '../domain/event/effect.ts';
import type { EventData } from '../domain/event/event.ts';
import { threadKey } from '../domain/run/thread-ref.ts';
import type { Trace } from '../ports/github/github-writer.ts';
import type { Records, StoredEffect } from '../ports/store.ts';

/** Of one kind in one stream; a thread of so many comments is rare, and then the newest count. */
const MAX_EFFECTS = 500;

export interface TraceParts {
  records: Pick<Records, 'effects' | 'events'>;
  /** Whether this effect may have been begun before, and was interrupted without a record. */
  mayHaveBegun: boolean;
}

/**
 * Looks for what effects of the same stream wrote under the same marker.
 *
 * @param name - of a check run, where the effect writes several
 */
export async function findTrace(
  effect: Effect,
  { records, mayHaveBegun }: TraceParts,
  name = '',
): Promise<Trace> {
  const wanted = markerOf(effect.data, name);
  const ofKind = await records.effects({
    key: effect.key,
    idEnd: `-${effect.data.kind}`,
    newestFirst: true,
    limit: MAX_EFFECTS,
  });
  const same = ofKind.filter((one) => one.id !== effect.id && markerOf(one.data, name) === wanted);
  for (const one of same) {
    const id = one.status === 'done' ? await writtenBy(one, name, records) : undefined;
    if (id !== undefined) return { id, ...(mayHaveBegun && { isDoubtful: true }) };
  }
  const isDoubtful = mayHaveBegun || same.some(({ attempts }) => attempts > 0);
  return isDoubtful ? { isDoubtful } : {};
}

/** Whether another run began a check run of this name on this head. */
export async function hasOlderCheck(
  effect: Effect,
  { name, headSha, run }: Extract<EffectData, { kind: 'review-check' }>['check'],
  records: TraceParts['records'],
): Promise<boolean> {
  const filter = { key: effect.key, idEnd: '-review-check', newestFirst: true };
  const checks = await records.effects({ ...filter, limit: MAX_EFFECTS });
  return checks.some(({ data, attempts }) => {
    if (data.kind !== 'review-check' || attempts === 0) return false;
    const { check } = data;
    return check.name === name && check.headSha === headSha && check.run !== run;
  });
}

/** What an effect writes under, of a check run by its name; undefined for what leaves no id. */
function markerOf(data: EffectData, name: string): string | undefined {
  if (data.kind === 'comment' || data.kind === 'reply')
    return toName(threadKey(data.thread), data.marker);
  if (data.kind === 'review') return toName(threadKey(data.thread), data.review.marker);
  if (data.kind === 'issue')
    return `${data.repository.repositoryId} ${data.marker.kind} ${data.marker.key}`;
  if (data.kind === 'review-check')
    return `${data.check.headSha} ${data.check.run} ${data.check.name}`;
  if (data.kind !== 'check' || !data.checks.some((check) => check.name === name)) return undefined;
  return `${data.headSha} ${name}`;
}

function toName(thread: string, marker: { kind: string; run: string; key: string }): string {
  return `${thread} ${marker.kind} ${marker.run} ${marker.key}`;
}

async function writtenBy(
  { id, key }: StoredEffect,
  name: string,
  records: TraceParts['records'],
): Promise<number | undefined> {
  const idEnd = `${id}:done`;
  const [told] = await records.events({ key, idEnd, newestFirst: true, limit: 1 });
  return told === undefined ? undefined : idIn(told.data, name);
}

function idIn(told: EventData, name: string): number | undefined {
  if (told.kind !== 'done') return undefined;
  const { effectKind, result } = told;
  if (effectKind === 'comment' || effectKind === 'reply' || effectKind === 'review')
    return result.id;
  if (effectKind === 'issue') return result.outcome === 'full' ? undefined : result.number;
  if (effectKind === 'review-check') return result?.id;
  return effectKind === 'check' ? result?.ids[name] : undefined;
}
