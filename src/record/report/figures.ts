/** What a thread took, in figures, from what was recorded of it: models, tools, questions and repeated work (CB-13). */
import { z } from 'zod';
import type { EventData } from '../../domain/event/event.ts';
import type { LedgerEntry, MissedModel } from '../../domain/run/ledger.ts';
import type { ModelSwitch } from '../../domain/run/talk.ts';
import type { Friction } from '../../domain/memory/friction.ts';
import type { Exchange } from '../../domain/task/exchange.ts';
import { costRows, type CostRow } from '../costs.ts';
import { frictionsOf } from '../frictions.ts';
import {
  placeOfKey,
  type RecordedEvent,
  type RecordedStream,
  type ThreadRecord,
} from '../thread-record.ts';

export interface ReportFigures {
  costs: CostRow[];
  /** Uses of the PM's tools by name, the most used first. */
  tools: { name: string; uses: number }[];
  /** Turns of the Coder in all its sessions. */
  coderTurns: number;
  switches: ModelSwitch[];
  /** Calls that another model answered than the one that was meant. */
  standIns: (MissedModel & { answeredBy: string; calls: number })[];
  /** In the order of the answers, whatever the task: a later one changes no number. */
  exchanges: (Exchange & { task: number })[];
  /** What people said of answers later, by the question; by the answer's number in what older versions recorded. */
  corrections: { number: number; by: string; text: string; question?: string }[];
  /** Questions of the Coder whose answers people kept in the files of roles, with the pull request that adds them. */
  keptAnswers: { question: string; pull: number }[];
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
    exchanges: streams
      .flatMap(exchangesIn)
      .toSorted((a, b) => a.seq - b.seq)
      .map(({ exchange }) => exchange),
    corrections: streams.flatMap(correctionsIn),
    keptAnswers: streams.flatMap(keptIn),
    sessions: [...Map.groupBy(code, ({ task }) => task)]
      .map(([task, sessions]) => ({ task, count: sessions.length }))
      .toSorted((a, b) => b.count - a.count || a.task - b.task),
    voices: voicesOf(streams, calls),
    failedCalls: calls.filter(({ outcome }) => outcome !== 'ok').length,
    frictions: frictionsOf(record),
  };
}

type Done<K extends string> = Extract<EventData, { kind: 'done'; effectKind: K }>;

function inOrder({ events }: RecordedStream): RecordedEvent[] {
  return events.filter(({ seq }) => seq > 0).toSorted((a, b) => a.seq - b.seq);
}

/** In the order of the log. */
function settled(stream: RecordedStream): EventData[] {
  return inOrder(stream).map(({ data }) => data);
}

function codeOf(stream: RecordedStream): (Done<'code'> & { task: number })[] {
  const task = placeOfKey(stream.key)?.task ?? 0;
  return settled(stream).flatMap((data) =>
    data.kind === 'done' && data.effectKind === 'code' ? [{ ...data, task }] : [],
  );
}

/** What the PM answered within a session, and what people answered after it, in the order of the answers. */
function exchangesIn(
  stream: RecordedStream,
): { exchange: ReportFigures['exchanges'][number]; seq: number }[] {
  const task = placeOfKey(stream.key)?.task ?? 0;
  let question: string | undefined;
  return inOrder(stream).flatMap(({ data, seq }) => {
    if (data.kind === 'task-word' && data.answer !== undefined && question !== undefined) {
      const asked = question;
      question = undefined;
      const { login: source } = data.by;
      const exchange = { task, question: asked, answer: data.answer, source, isEscalated: true };
      return [{ exchange, seq }];
    }
    if (data.kind !== 'done' || data.effectKind !== 'code') return [];
    const { report, exchanges = [] } = data.result;
    question = report.outcome === 'asked' ? report.question : undefined;
    return exchanges.map((each) => ({ exchange: { ...each, task }, seq }));
  });
}

/** Those that were written: a person may have lost the role meanwhile, or memory may be switched off. */
function correctionsIn(stream: RecordedStream): ReportFigures['corrections'] {
  const wanted = new Map(stream.effects.map(({ id, data }) => [id, data]));
  return settled(stream).flatMap((data) => {
    if (data.kind !== 'done' || data.effectKind !== 'remember') return [];
    const change = wanted.get(data.effectId);
    const isKept = data.result.entries.length > 0;
    return isKept && change?.kind === 'remember' && change.change.kind === 'add'
      ? (change.change.corrects ?? [])
      : [];
  });
}

/** A replacement may not have fitted any more; an addition always does. */
function keptIn(stream: RecordedStream): ReportFigures['keptAnswers'] {
  const effects = new Map(stream.effects.map(({ id, data }) => [id, data]));
  return settled(stream).flatMap((data) => {
    if (data.kind !== 'done' || data.effectKind !== 'open-roles') return [];
    const { pull, refused } = data.result;
    const wanted = effects.get(data.effectId);
    if (pull === undefined || wanted?.kind !== 'open-roles') return [];
    return wanted.operations.flatMap((each) => {
      const isWritten = each.op === 'append' || (each.op === 'replace' && refused.length === 0);
      return isWritten && each.question !== undefined
        ? [{ question: each.question, pull: pull.number }]
        : [];
    });
  });
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
