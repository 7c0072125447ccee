/** Writes a change of memory onto its branch. What a model learned is checked here, against the files that it cites. */
import { createHash } from 'node:crypto';
import { QuorumError } from '../../domain/event/errors.ts';
import {
  applyChange,
  PERSONAS_FOLDER,
  USES_FILE,
  type Applied,
  type ReadyChange,
} from '../../domain/memory/file/apply-change.ts';
import { holdBack } from '../../domain/memory/file/hold-back.ts';
import { findConsolidations } from '../../domain/memory/consolidation/find-consolidation.ts';
import {
  moveFolders,
  TEAM_FILE,
  withChanges,
  type TeamMember,
} from '../../domain/memory/file/move-folders.ts';
import type { MemoryChange, MemoryChanged } from '../../domain/memory/file/memory-change.ts';
import type { NewExperience } from '../../domain/memory/self/experience.ts';
import { findSelfRewrite } from '../../domain/memory/self/rewrite-self.ts';
import { TEAM, type MemoryEntry } from '../../domain/memory/memory-entry.ts';
import {
  Reflection,
  readReflection,
  type ReflectionContext,
  type ViewedFile,
} from '../../domain/memory/parse-lessons.ts';
import { toRepositoryRef, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { SourceFile } from '../../domain/run/view.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { DoubtfulLines } from '../../ports/github/memory-branch.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { settingsNow } from '../read/survey.ts';
import { refuseWithoutAuthority } from '../write/thread-writes.ts';
import { forgetInProposals } from './forget-in-proposals.ts';
import { memorySessionOf, toMemoryPlace } from './read-memory.ts';

const MOST_FILES = 20;
const MAX_BYTES = 200_000;

export async function remember(
  { thread, change, authority }: DataOf<'remember'>,
  { ports, readSettings, readMemory, at }: EffectContext,
): Promise<Performed<'remember'>> {
  const session = ports.github.at(thread);
  if (authority !== undefined) await refuseWithoutAuthority({ thread }, authority, ports);
  const { config, personas, problems } = await settingsNow(thread, session, { readSettings });
  const reached = memorySessionOf(session);
  const done = (result: MemoryChanged): Performed<'remember'> => ({
    effectKind: 'remember',
    result,
    githubCalls: session.counts,
  });
  if (reached === undefined || !config.memory.enabled)
    return done({ ...NOTHING, off: 'memory is switched off here (`memory.enabled`)' });
  const place = toMemoryPlace(toRepositoryRef(thread), config);
  const known = await readMemory(reached, place);
  const existing = known?.entries ?? [];
  const isSelf = config.memory.self === true;
  const { ready, refused } = await prepare(change, { session, thread, existing, at, isSelf });
  // A team that could not be read whole is no reason to move anybody's folder.
  const team = problems.length === 0 ? personas : undefined;
  const message = messageOf(change, thread);
  if (ready.kind === 'forget')
    await forgetInProposals(ready, { thread, place, at, message }, ports);
  const doubtful = known?.doubtful ?? 'all';
  let applied: AppliedChange | undefined;
  let written: ReadonlyMap<string, string> = new Map();
  const outcome = await reached.memory.update(place, {
    paths: [PERSONAS_FOLDER, USES_FILE, TEAM_FILE],
    message,
    change: (files) => {
      applied = applyOnTop(files, { ready, at, team, doubtful });
      written = withChanges(files, applied);
      return applied.changes;
    },
  });
  readMemory.noteWritten(place, outcome, written);
  const { due, ...changed } = applied ?? { ...NOTHING, due: [] };
  const { entries, removed } = changed;
  const all = [...refused, ...changed.refused];
  return done({ entries, removed, refused: all, ...(due.length > 0 && { due }) });
}

interface Applying {
  ready: ReadyChange;
  at: string;
  team: readonly TeamMember[] | undefined;
  doubtful: DoubtfulLines;
}

interface AppliedChange extends Pick<Applied, 'entries' | 'removed' | 'refused'> {
  changes: Map<string, string | undefined>;
  due: string[];
}

/** Folders move first, so that what was learned lands where its persona is now. */
function applyOnTop(
  all: ReadonlyMap<string, string>,
  { ready, at, team, doubtful }: Applying,
): AppliedChange {
  // Marked for good: the push that brought such a line leaves GitHub's list some day.
  const held = holdBack(all, typeof doubtful === 'string' ? new Set() : doubtful, at.slice(0, 10));
  const files = new Map([...all, ...held]);
  const moved =
    team === undefined ? { changes: new Map(), isMoving: false } : moveFolders(files, team);
  const before = withChanges(files, moved);
  const applied = applyChange(before, ready, at);
  const { entries, removed, refused } = applied;
  const isWorthIt = moved.isMoving || applied.files.size > 0;
  const made = isWorthIt ? new Map([...moved.changes, ...applied.files]) : new Map();
  const changes = new Map([...held, ...made]);
  const after = new Map([...before, ...applied.files]);
  return {
    entries,
    removed,
    refused,
    changes,
    due: ready.kind === 'learn' ? dueIn(after, { ready, entries, at }) : [],
  };
}

interface Learned {
  ready: Extract<ReadyChange, { kind: 'learn' }>;
  entries: readonly MemoryEntry[];
  at: string;
}

/** Personas that learned something just now, and whose memory has something to consolidate. */
function dueIn(files: ReadonlyMap<string, string>, { ready, entries, at }: Learned): string[] {
  const today = at.slice(0, 10);
  const handles = new Set(entries.map(({ persona }) => persona));
  const living = new Set((ready.experiences ?? []).map(({ persona }) => persona));
  const isDue = (persona: string): boolean =>
    (handles.has(persona) && findConsolidations(files, { persona, today }).length > 0) ||
    (living.has(persona) && findSelfRewrite(files, { persona, at }) !== undefined);
  return [...new Set([...handles, ...living])].filter(isDue);
}

const NOTHING: MemoryChanged = { entries: [], removed: [], refused: [] };

function messageOf({ kind }: MemoryChange, { number }: ThreadRef): string {
  const what: Readonly<Record<MemoryChange['kind'], string>> = {
    learn: 'Remember what was learned',
    add: 'Remember what a person said',
    reword: 'Reword what is remembered',
    approve: 'Approve remembered lessons',
    reject: 'Drop proposed lessons',
    forget: 'Forget',
    judge: 'Count what became of findings',
  };
  return `${what[kind]} in #${number}`;
}

interface Preparing {
  session: GitHubSession;
  thread: ThreadRef;
  existing: readonly MemoryEntry[];
  at: string;
  /** Whether personas keep what they experienced. */
  isSelf: boolean;
}

async function prepare(
  change: MemoryChange,
  context: Preparing,
): Promise<{ ready: ReadyChange; refused: string[] }> {
  if (change.kind !== 'learn') return { ready: change, refused: [] };
  const inView = await readCited(change, context);
  const about = (persona: string): ReflectionContext => ({
    persona,
    source: { kind: 'run', run: change.from.run, thread: context.thread.number },
    author: change.from.author,
    trust: change.from.trust,
    today: context.at.slice(0, 10),
    inView,
    existing: context.existing.filter((entry) => [persona, TEAM].includes(entry.persona)),
  });
  const outcomes = change.learned.map(({ persona, answer }) =>
    readReflection(answer, about(persona)),
  );
  const learned = outcomes.filter((each) => each.kind === 'learned');
  const known = new Set(context.existing.map(({ id }) => id));
  const entries = learned.flatMap((each) => each.entries);
  return {
    ready: {
      kind: 'learn',
      entries,
      refreshed: learned.flatMap(({ refreshed }) => refreshed),
      used: change.from.cited.filter((id) => known.has(id)),
      ...(context.isSelf && {
        experiences: [...(change.experiences ?? []), ...lessonsOf(entries)],
      }),
    },
    refused: outcomes.flatMap((each) => (each.kind === 'garbage' ? each.reason : each.refused)),
  };
}

/** That something was learned is an experience too. */
function lessonsOf(
  entries: readonly MemoryEntry[],
): { persona: string; experience: NewExperience }[] {
  return entries.flatMap(({ id, persona, source, author, trust, text }) =>
    source.kind === 'run'
      ? [
          {
            persona,
            experience: {
              id: `${source.run}/${id}`,
              kind: 'learned_something' as const,
              thread: source.thread,
              run: source.run,
              ...(author && { author }),
              trust,
              text,
            },
          },
        ]
      : [],
  );
}

/** The files that lessons cite, whole, at the commit that was looked at. */
async function readCited(
  { learned, paths, from }: Extract<MemoryChange, { kind: 'learn' }>,
  { session, thread }: Preparing,
): Promise<Map<string, ViewedFile>> {
  const cited = new Set(learned.flatMap(({ answer }) => citedPaths(answer)));
  const wanted = paths.filter((path) => cited.has(path)).slice(0, MOST_FILES);
  if (wanted.length === 0 || from.headSha === '') return new Map();
  const files = await session.read
    .files(thread, from.headSha, { paths: wanted, maxBytes: MAX_BYTES })
    .catch(noFiles);
  return new Map(files.map((file) => [file.path, toViewed(file)]));
}

/** A branch may be rebased or deleted meanwhile: then only lessons that cite nothing can be kept. */
function noFiles(error: unknown): SourceFile[] {
  if (error instanceof QuorumError && !error.retryable) return [];
  throw error;
}

function citedPaths(answer: unknown): string[] {
  const { data } = Reflection.safeParse(answer);
  return (data?.lessons ?? []).flatMap((lesson) => {
    const refs = isRecordWith(lesson, 'refs') && Array.isArray(lesson.refs) ? lesson.refs : [];
    return refs.flatMap((ref: unknown) =>
      isRecordWith(ref, 'path') && typeof ref.path === 'string' ? ref.path : [],
    );
  });
}

function isRecordWith<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && key in value;
}

function toViewed({ text, isCut }: SourceFile): ViewedFile {
  const lines = new Map(text.split('\n').map((line, at) => [at + 1, line]));
  return { lines, ...(isCut ? {} : { blobSha: blobSha(text) }) };
}

/** Git's own name of a text: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
function blobSha(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
