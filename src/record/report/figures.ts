/** What a thread took, in figures, from what was recorded of it: models, tools, questions and repeated work (CB-13). */
import { z } from 'zod';
import type { EventData } from '../../domain/event/event.ts';
import type { LedgerEntry, MissedModel } from '../../domain/run/ledger.ts';
import type { ModelSwitch } from '../../domain/run/talk.ts';
import type { Friction } from '../../domain/memory/friction.ts';
import type { Exchange } from '../../domain/task/exchange.ts';
import { costRows, type CostRow } from '../costs.ts';
import { frictionsOf } from '../frictions.ts';
import { placeOfKey, type RecordedStream, type ThreadRecord } from '../thread-record.ts';

export interface ReportFigures {
  costs: CostRow[];
  /** Uses of the PM's tools by name, the most used first. */
  tools: { name: string; uses: number }[];
  /** Turns of the Coder in all its sessions. */
  coderTurns: number;
  switches: ModelSwitch[];
  /** Calls that another model answered than the one that was meant. */
  standIns: (MissedModel & { answeredBy: string; calls: number })[];
  exchanges: (Exchange & { task: number })[];
  /** What people said of answers later, by the answer's number. */
  corrections: { number: number; by: string; text: string }[];
  /** Sessions of the Coder by task. */
  sessions: { task: number; count: number }[];
  /** Votes by persona, and how many of them had nothing to add. */
  voices: { persona: string; asked: number; silent: number; usd: number }[];
  /** Calls that gave no answer. */
  failedCalls: number;
  frictions: Friction[];
}

export function reportFigures(record: ThreadRecord): ReportFigures {
  const { streams } = record;
  const calls = streams.flatMap((stream) => stream.calls);
  const code = streams.flatMap(codeOf);
  return {
    costs: costRows(calls),
    tools: toolsOf(streams),
    coderTurns: code.reduce((sum, { result }) => sum + result.report.turns, 0),
    switches: streams
      .flatMap((stream) => stream.switches)
      .toSorted((a, b) => a.commentId - b.commentId),
    standIns: standInsOf(calls),
    exchanges: code.flatMap(({ task, result }) =>
      (result.exchanges ?? []).map((each) => ({ ...each, task })),
    ),
    corrections: streams.flatMap(({ effects }) =>
      effects.flatMap(({ data }) =>
        data.kind === 'remember' && data.change.kind === 'add' ? (data.change.corrects ?? []) : [],
      ),
    ),
    sessions: [...Map.groupBy(code, ({ task }) => task)]
      .map(([task, sessions]) => ({ task, count: sessions.length }))
      .toSorted((a, b) => b.count - a.count || a.task - b.task),
    voices: voicesOf(streams, calls),
    failedCalls: calls.filter(({ outcome }) => outcome !== 'ok').length,
    frictions: frictionsOf(record),
  };
}

type Done<K extends string> = Extract<EventData, { kind: 'done'; effectKind: K }>;

/** In the order of the log. */
function settled({ events }: RecordedStream): EventData[] {
  return events
    .filter(({ seq }) => seq > 0)
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ data }) => data);
}

function codeOf(stream: RecordedStream): (Done<'code'> & { task: number })[] {
  const task = placeOfKey(stream.key)?.task ?? 0;
  return settled(stream).flatMap((data) =>
    data.kind === 'done' && data.effectKind === 'code' ? [{ ...data, task }] : [],
  );
}

function toolsOf(streams: readonly RecordedStream[]): ReportFigures['tools'] {
  const names = streams.flatMap(settled).flatMap((data) => {
    if (data.kind !== 'done' || data.effectKind !== 'propose') return [];
    return data.result.looked.map((each) => each.split(' ')[0] ?? '');
  });
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, uses]) => ({ name, uses: uses.length }))
    .toSorted((a, b) => b.uses - a.uses || (a.name < b.name ? -1 : 1));
}

function standInsOf(calls: readonly LedgerEntry[]): ReportFigures['standIns'] {
  const missed = calls.flatMap(({ insteadOf, model }) =>
    insteadOf === undefined ? [] : [{ ...insteadOf, answeredBy: model }],
  );
  const groups = Map.groupBy(missed, (each) => JSON.stringify(each));
  return [...groups.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, calls: more.length + 1 }],
  );
}

const Vote = z.object({ skip: z.boolean() });
const Form = z.object({ position: Vote });

function voicesOf(
  streams: readonly RecordedStream[],
  calls: readonly LedgerEntry[],
): ReportFigures['voices'] {
  const asked = streams.flatMap((stream) => {
    const personas = new Map(
      stream.effects.map(({ id, data }) => [
        id,
        data.kind === 'ask' && data.purpose === 'position' ? data.persona : undefined,
      ]),
    );
    return settled(stream).flatMap((data) => {
      if (data.kind !== 'done' || data.effectKind !== 'ask') return [];
      const persona = personas.get(data.effectId);
      const isSilent = skipIn(data.result.value);
      return persona === undefined || isSilent === undefined ? [] : [{ persona, isSilent }];
    });
  });
  return [...Map.groupBy(asked, ({ persona }) => persona)].map(([persona, votes]) => ({
    persona,
    asked: votes.length,
    silent: votes.filter(({ isSilent }) => isSilent).length,
    usd: calls
      .filter((call) => call.persona === persona && call.role === 'contributor')
      .reduce((sum, { costUsd = 0 }) => sum + costUsd, 0),
  }));
}

function skipIn(value: unknown): boolean | undefined {
  return Vote.safeParse(value).data?.skip ?? Form.safeParse(value).data?.position.skip;
}
