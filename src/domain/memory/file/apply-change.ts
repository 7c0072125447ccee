/** What the files of memory become by a change. Pure and idempotent: it is done again after a lost race. */
import { addEntries, changeEntries, removeEntries } from './edit-memory-file.ts';
import { withExperiences, type NewExperience } from '../self/experience.ts';
import { forgetSelf } from '../self/forget-self.ts';
import { experiencesPath } from '../self/self-file.ts';
import { forgetEntries, forgetUses } from '../forget-memory.ts';
import { judgeApproval } from './judge-approval.ts';
import type { MemoryEntry, MemoryUse } from '../memory-entry.ts';
import type { MemoryChange, MemoryChanged } from './memory-change.ts';
import { entriesOf, parseMemoryFile, renderMemoryFile, type MemoryFile } from './memory-file.ts';
import { rewordEntry } from './reword-entry.ts';
import { NO_USE, parseUses, renderUses, type MemoryUses } from './memory-use.ts';

export const PERSONAS_FOLDER = 'personas/';
export const USES_FILE = 'state/memory.json';
const MEMORY_FILE = /^personas\/([a-z0-9][a-z0-9-]{0,39})\/(?:core|working)\.md$/;

/** Handle of the persona whose memory file this is; undefined for any other file, archived ones included. */
export function personaOf(path: string): string | undefined {
  return MEMORY_FILE.exec(path)?.[1];
}

export function workingPath(persona: string): string {
  return `${PERSONAS_FOLDER}${persona}/working.md`;
}

export function corePath(persona: string): string {
  return `${PERSONAS_FOLDER}${persona}/core.md`;
}

/** A change whose lessons were read, with the files that they cite at hand. */
export type ReadyChange =
  | {
      kind: 'learn';
      entries: readonly MemoryEntry[];
      refreshed: readonly MemoryEntry[];
      /** Ids of notes that were used. */
      used: readonly string[];
      /** What personas experienced, lessons included. */
      experiences?: readonly { persona: string; experience: NewExperience }[];
    }
  | Exclude<MemoryChange, { kind: 'learn' }>;

interface Files {
  memory: Map<string, MemoryFile>;
  uses: MemoryUses;
}

export interface Applied extends Pick<MemoryChanged, 'entries' | 'removed' | 'refused'> {
  /** Only what differs. */
  files: Map<string, string>;
}

/** `at`: ISO 8601. */
export function applyChange(
  files: ReadonlyMap<string, string>,
  change: ReadyChange,
  at: string,
): Applied {
  const today = at.slice(0, 10);
  const memory = new Map(
    [...files].flatMap(([path, text]): [string, MemoryFile][] => {
      const persona = personaOf(path);
      return persona === undefined ? [] : [[path, parseMemoryFile(text, { persona, today })]];
    }),
  );
  const before: Files = { memory, uses: parseUses(files.get(USES_FILE) ?? '').uses };
  const { entries, removed, refused = [], ...after } = applyTo(before, change, at);
  const texts = new Map([...after.memory].map(([path, file]) => [path, renderMemoryFile(file)]));
  for (const [path, text] of changeSelf(files, change, at)) texts.set(path, text);
  if (after.uses !== before.uses) texts.set(USES_FILE, renderUses(after.uses));
  const changed = [...texts].filter(([path, text]) => files.get(path) !== text);
  return { files: new Map(changed), entries, removed, refused };
}

/** What becomes of the personas' own files and of what they experienced. */
function changeSelf(
  files: ReadonlyMap<string, string>,
  change: ReadyChange,
  at: string,
): Map<string, string> {
  if (change.kind === 'forget') return forgetSelf(files, change.target);
  const byPersona = Map.groupBy(
    change.kind === 'learn' ? (change.experiences ?? []) : [],
    ({ persona }) => persona,
  );
  return new Map(
    [...byPersona].map(([persona, list]) => {
      const path = experiencesPath(persona);
      const fresh = list.map(({ experience }) => experience);
      return [path, withExperiences(files.get(path) ?? '', fresh, at)];
    }),
  );
}

type Outcome = Files & Pick<MemoryChanged, 'entries' | 'removed'> & { refused?: string[] };

function applyTo(files: Files, change: ReadyChange, at: string): Outcome {
  switch (change.kind) {
    case 'learn':
      return learn(files, change, at);
    case 'add':
      return withEntries(files, [change.entry]);
    case 'reword':
      return reword(files, change);
    case 'approve':
      return approve(files, change);
    case 'reject':
      return takeOut(files, new Set(change.ids));
    case 'forget':
      return forgetIn(files, change.target);
    case 'judge':
      return { ...files, uses: judge(files.uses, change.outcomes), entries: [], removed: [] };
  }
}

function learn(
  files: Files,
  { entries, refreshed, used }: Extract<ReadyChange, { kind: 'learn' }>,
  at: string,
): Outcome {
  const added = withEntries(files, entries);
  const again = refreshIn(added, refreshed);
  // Lines that a note cites were read before it was shown.
  const all = [...files.memory.values()].flatMap((file) => entriesOf(file));
  const cites = all.filter(({ id, refs }) => used.includes(id) && refs.length > 0);
  const verified = new Set([...refreshed, ...cites].map(({ id }) => id));
  const uses = [...new Set([...used, ...verified])].reduce<MemoryUses>((counts, id) => {
    const before = counts[id] ?? NO_USE;
    const isNews = used.includes(id) && before.lastUsedAt !== at;
    const now: MemoryUse = {
      ...before,
      ...(isNews && { uses: before.uses + 1, lastUsedAt: at }),
      ...(verified.has(id) && { verifiedAt: at }),
    };
    return { ...counts, [id]: now };
  }, files.uses);
  const isUsed = used.length + verified.size > 0;
  return { ...again, uses: isUsed ? uses : files.uses, entries: added.entries, removed: [] };
}

function refreshIn(files: Files, refreshed: readonly MemoryEntry[]): Files {
  const byId = new Map(refreshed.map((entry) => [entry.id, entry]));
  const change = (line: MemoryEntry): MemoryEntry => withFresh(line, byId.get(line.id));
  return { ...files, memory: changeAll(files, change) };
}

/** A reader holds back what nobody vouches for, if only for a while: that state is not written. An id can be forged. */
function withFresh(line: MemoryEntry, fresh: MemoryEntry | undefined): MemoryEntry {
  if (fresh === undefined || fresh.text !== line.text) return line;
  const isUsable = line.state === 'stale' && fresh.state === 'active';
  const isSame = JSON.stringify(fresh.refs) === JSON.stringify(line.refs);
  if (isSame && !isUsable) return line;
  return { ...line, refs: fresh.refs, state: isUsable ? 'active' : line.state };
}

function changeAll(
  { memory }: Files,
  change: (entry: MemoryEntry) => MemoryEntry,
): Files['memory'] {
  return new Map([...memory].map(([path, file]) => [path, changeEntries(file, change)]));
}

function withEntries(files: Files, entries: readonly MemoryEntry[]): Outcome {
  const memory = new Map(files.memory);
  for (const entry of entries) {
    const path = workingPath(entry.persona);
    memory.set(path, addEntries(memory.get(path) ?? { parts: [], problems: [] }, [entry]));
  }
  return { ...files, memory, entries: [...entries], removed: [] };
}

function reword(files: Files, change: Extract<ReadyChange, { kind: 'reword' }>): Outcome {
  const { memory, entry, refused } = rewordEntry(files.memory, change);
  const so = { ...files, memory: new Map(memory), refused: refused === undefined ? [] : [refused] };
  if (entry === undefined) return { ...so, entries: [], removed: [] };
  const removed = [change.id];
  return { ...so, uses: forgetUses(files.uses, removed), entries: [entry], removed };
}

function approve(files: Files, change: Extract<ReadyChange, { kind: 'approve' }>): Outcome {
  const all = [...files.memory.values()].flatMap((file) => entriesOf(file));
  const { ids, refused } = judgeApproval(all, change);
  const isMeant = ({ id, state }: MemoryEntry): boolean => state === 'quarantined' && ids.has(id);
  const memory = changeAll(files, (entry) => (isMeant(entry) ? toActive(entry) : entry));
  return { ...files, memory, entries: all.filter(isMeant).map(toActive), removed: [], refused };
}

function toActive(entry: MemoryEntry): MemoryEntry {
  return { ...entry, state: 'active' };
}

function takeOut(files: Files, ids: ReadonlySet<string>): Outcome {
  const memory = new Map([...files.memory].map(([path, file]) => [path, removeEntries(file, ids)]));
  const removed = [...ids];
  return { memory, uses: forgetUses(files.uses, removed), entries: [], removed };
}

function forgetIn(
  files: Files,
  target: Extract<ReadyChange, { kind: 'forget' }>['target'],
): Outcome {
  const all = [...files.memory].map(([path, file]) => [path, forgetEntries(file, target)] as const);
  const removed = all.flatMap(([, { ids }]) => ids);
  const memory = new Map(all.map(([path, { file }]) => [path, file]));
  const uses = removed.length === 0 ? files.uses : forgetUses(files.uses, removed);
  return { memory, uses, entries: [], removed };
}

function judge(
  uses: MemoryUses,
  outcomes: Extract<ReadyChange, { kind: 'judge' }>['outcomes'],
): MemoryUses {
  return outcomes.reduce<MemoryUses>((all, { id, isKept }) => {
    const before = all[id] ?? NO_USE;
    const now = isKept
      ? { ...before, kept: before.kept + 1 }
      : { ...before, dismissed: before.dismissed + 1 };
    return { ...all, [id]: now };
  }, uses);
}
