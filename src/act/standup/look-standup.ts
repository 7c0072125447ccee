/** Reads what a standup asks from: the run as it is kept, what rules see in it, and how participants stand to each other. */
import type { Config } from '../../domain/config/config.ts';
import { renderLesson } from '../../domain/memory/file/entry-line.ts';
import type { MemoryEntry } from '../../domain/memory/memory-entry.ts';
import { presentRelations, seedsOf } from '../../domain/relations/relations.ts';
import { presumeView, wantedFiles } from '../../domain/standup/look-back/presume-view.ts';
import { recordTexts } from '../../domain/standup/look-back/record.ts';
import type { StandupAnswer } from '../../domain/standup/standup-answer.ts';
import type { StandupLook } from '../../domain/standup/standup-run.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { ThreadRecord } from '../../record/thread-record.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { ActPorts, Performed } from '../ports.ts';
import { readRun, viewHead, type RunRead } from './read-run.ts';

export async function lookAtStandup(
  { thread, source }: DataOf<'look-standup'>,
  { ports, readSettings }: EffectContext,
): Promise<Performed<'look-standup'>> {
  const session = ports.github.at(thread);
  const read = await readRun({ thread, source }, { ports, session, readSettings });
  const { config, record, personas, stored } = read;
  const { standups } = ports.store;
  const off = whyOff(config, { ...read, isAsked: source.isAsked === true });
  const [strictness, relations] = await Promise.all([
    standups.load(thread.repositoryId, 'strictness'),
    standups.load(thread.repositoryId, 'relations'),
  ]);
  const now = ports.clock.now();
  const seeds = seedsOf(personas, new Date(now).toISOString());
  const between = { stances: relations?.value ?? {}, seeds, team: record.team, now };
  const result: StandupLook = {
    ...(off === undefined ? {} : { off }),
    config,
    record,
    personas,
    memories: memoriesIn(stored),
    relationships: Object.fromEntries(
      record.team.map((handle) => [handle, presentRelations(handle, between)]),
    ),
    strictness: strictness?.value.level ?? 'even',
    offline: off === undefined ? await scan(read, { thread, ports, session }) : {},
    nonce: ports.random.id(),
  };
  return { effectKind: 'look-standup', result, githubCalls: session.counts };
}

function whyOff(
  { enabled, standup }: Config,
  { isAborted, personas, isAsked }: Pick<RunRead, 'isAborted' | 'personas'> & { isAsked: boolean },
): string | undefined {
  const reasons: [boolean, string][] = [
    [!enabled || !standup.enabled, 'standups are switched off here'],
    [isAborted && !isAsked, 'a person stopped the work'],
    [personas.length === 0, 'nobody of the team took part'],
  ];
  return reasons.find(([holds]) => holds)?.[1];
}

/** What rules would say without looking at GitHub decides whether it is looked at: a clean run costs no call. */
async function scan(
  { record, personas }: RunRead,
  {
    thread,
    ports: { scanner },
    session,
  }: { thread: DataOf<'look-standup'>['thread']; ports: ActPorts; session: GitHubSession },
): Promise<Record<string, StandupAnswer>> {
  const team = personas.map(({ handle, role, lens, domains, overwatch }) => ({
    handle,
    role,
    lens,
    domains,
    overwatch,
  }));
  const presumed = { ...presumeView(record), record: recordTexts(record) };
  const first = await scanner.scan('standup', { record, viewed: presumed, team });
  if (first.kind === 'not-read' || Object.values(first.found).every(isQuiet)) return {};
  const { viewed } = await viewHead(thread, { session, record, wanted: wantedFiles(record) });
  const second = await scanner.scan('standup', { record, viewed, team });
  return second.kind === 'read' ? second.found : {};
}

function isQuiet({ insights }: StandupAnswer): boolean {
  return insights.length === 0;
}

/** What reviews of this run remembered, verified when they did. */
function memoriesIn({ streams }: ThreadRecord): Record<string, string[]> {
  const found = new Map<string, Map<string, MemoryEntry>>();
  for (const { data } of streams.flatMap(({ events }) => events)) {
    if (data.kind !== 'done' || (data.effectKind !== 'look-pull' && data.effectKind !== 'look'))
      continue;
    for (const [handle, entries] of Object.entries(data.result.memory?.notes ?? {})) {
      const own = found.get(handle) ?? new Map<string, MemoryEntry>();
      for (const entry of entries) own.set(entry.id, entry);
      found.set(handle, own);
    }
  }
  return Object.fromEntries(
    [...found].map(([handle, entries]) => [handle, [...entries.values()].map(renderLesson)]),
  );
}
