/** What got in the way of a plan's tasks, from what was recorded: the same events give the same frictions (TG-17). */
import type { EventData } from '../domain/event/event.ts';
import type { GateReceipt } from '../domain/gates/receipt.ts';
import type { Friction, FrictionCategory } from '../domain/memory/friction.ts';
import { placeOfKey, type RecordedEvent, type ThreadRecord } from './thread-record.ts';

type Found = Pick<Friction, 'category' | 'text'>;

/** In the order of the log. Their texts are as they were recorded. */
export function frictionsOf({ key, streams }: ThreadRecord): Friction[] {
  const thread = placeOfKey(key)?.number;
  if (thread === undefined) return [];
  const events = streams
    .flatMap((stream) => stream.events.map((event) => ({ event, place: placeOfKey(stream.key) })))
    .filter(({ event, place }) => event.seq > 0 && place?.task !== undefined)
    .toSorted((a, b) => a.event.seq - b.event.seq);
  return events.flatMap(({ event, place }) =>
    frictionsIn(event).map(({ category, text }, at) => ({
      id: at === 0 ? event.id : `${event.id}/${at + 1}`,
      at: event.at,
      category,
      thread,
      ...(place?.task !== undefined && { task: place.task }),
      text,
    })),
  );
}

function frictionsIn({ data }: RecordedEvent): Found[] {
  if (data.kind === 'failed') return [found('failure', `${data.effectKind}: ${data.failure.code}`)];
  return data.kind === 'done' ? frictionsInResult(data) : [];
}

function frictionsInResult(data: Extract<EventData, { kind: 'done' }>): Found[] {
  if (data.effectKind === 'verify')
    return [...stopped(data.result.receipts), ...conflictIn(data.result.conflict)];
  if (data.effectKind === 'publish') return stopped(data.result.receipts);
  if (data.effectKind === 'retest')
    return data.result.outcome === 'conflict'
      ? conflictIn(data.result.paths)
      : stopped([data.result.receipt]);
  if (data.effectKind !== 'code') return [];
  const { report } = data.result;
  return report.outcome === 'asked' ? [found('question', report.question)] : [];
}

/** A gate that stopped a change: the coder had to do it again, or a person had to decide. */
function stopped(receipts: readonly GateReceipt[]): Found[] {
  return receipts.flatMap(({ gate, result, sentence }) =>
    result === 'passed' ? [] : [found('gate', `gate ${gate}: ${sentence}`)],
  );
}

function conflictIn(paths: readonly string[] = []): Found[] {
  return paths.length === 0 ? [] : [found('conflict', paths.slice(0, MOST_PATHS).join(', '))];
}

const MOST_PATHS = 5;

function found(category: FrictionCategory, text: string): Found {
  return { category, text };
}
