/** Writes a change of memory onto its branch. What a model learned is checked here, against the files that it cites. */
import { createHash } from 'node:crypto';
import {
  applyChange,
  PERSONAS_FOLDER,
  USES_FILE,
  type Applied,
  type ReadyChange,
} from '../../domain/memory/file/apply-change.ts';
import type { MemoryChange, MemoryChanged } from '../../domain/memory/file/memory-change.ts';
import type { MemoryEntry } from '../../domain/memory/memory-entry.ts';
import {
  Reflection,
  readReflection,
  type ReflectionContext,
  type ViewedFile,
} from '../../domain/memory/parse-lessons.ts';
import { toRepositoryRef, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { SourceFile } from '../../domain/run/view.ts';
import type { GitHubSession } from '../../ports/github.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { settingsNow } from '../read/survey.ts';
import { refuseWithoutAuthority } from '../write/thread-writes.ts';
import { memorySessionOf, toMemoryPlace } from './read-memory.ts';

const MOST_FILES = 20;
const MAX_BYTES = 200_000;

export async function remember(
  { thread, change, authority }: DataOf<'remember'>,
  { ports, readSettings, readMemory, at }: EffectContext,
): Promise<Performed<'remember'>> {
  const session = ports.github.at(thread);
  if (authority !== undefined) await refuseWithoutAuthority({ thread }, authority, ports);
  const { config } = await settingsNow(thread, session, { readSettings });
  const reached = memorySessionOf(session);
  const done = (result: MemoryChanged): Performed<'remember'> => ({
    effectKind: 'remember',
    result,
    githubCalls: session.counts,
  });
  if (reached === undefined || !config.memory.enabled)
    return done({ ...NOTHING, off: 'memory is switched off here (`memory.enabled`)' });
  const place = toMemoryPlace(toRepositoryRef(thread), config);
  const existing = (await readMemory(reached, place))?.entries ?? [];
  const { ready, refused } = await prepare(change, { session, thread, existing, at });
  let applied: Applied | undefined;
  await reached.memory.update(place, {
    paths: [PERSONAS_FOLDER, USES_FILE],
    message: messageOf(change, thread),
    change: (files) => {
      applied = applyChange(files, ready, at);
      return applied.files;
    },
  });
  const { entries, removed } = applied ?? NOTHING;
  return done({ entries, removed, refused });
}

const NOTHING: MemoryChanged = { entries: [], removed: [], refused: [] };

function messageOf({ kind }: MemoryChange, { number }: ThreadRef): string {
  const what: Readonly<Record<MemoryChange['kind'], string>> = {
    learn: 'Remember what was learned',
    add: 'Remember what a person said',
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
    existing: context.existing.filter((entry) => entry.persona === persona),
  });
  const outcomes = change.learned.map(({ persona, answer }) =>
    readReflection(answer, about(persona)),
  );
  const learned = outcomes.filter((each) => each.kind === 'learned');
  const known = new Set(context.existing.map(({ id }) => id));
  return {
    ready: {
      kind: 'learn',
      entries: learned.flatMap(({ entries }) => entries),
      refreshed: learned.flatMap(({ refreshed }) => refreshed),
      used: change.from.cited.filter((id) => known.has(id)),
    },
    refused: outcomes.flatMap((each) => (each.kind === 'garbage' ? each.reason : each.refused)),
  };
}

/** The files that lessons cite, whole, at the commit that was looked at. */
async function readCited(
  { learned, paths, from }: Extract<MemoryChange, { kind: 'learn' }>,
  { session, thread }: Preparing,
): Promise<Map<string, ViewedFile>> {
  const cited = new Set(learned.flatMap(({ answer }) => citedPaths(answer)));
  const wanted = paths.filter((path) => cited.has(path)).slice(0, MOST_FILES);
  if (wanted.length === 0 || from.headSha === '') return new Map();
  const files = await session.read.files(thread, from.headSha, {
    paths: wanted,
    maxBytes: MAX_BYTES,
  });
  return new Map(files.map((file) => [file.path, toViewed(file)]));
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
