/** Writes a thread's journal onto the memory branch: the text that `quorum journal` makes of the same events (CB-11). */
import { MAX_MEMORY_FILE_BYTES } from '../../domain/memory/file/branch-files.ts';
import type { JournalWritten } from '../../domain/event/result.ts';
import { QuorumError } from '../../domain/event/errors.ts';
import { FRICTIONS_FILE, withFrictions, type Friction } from '../../domain/memory/friction.ts';
import { journalPath } from '../../domain/task/journal-copy.ts';
import { threadKey, toRepositoryRef, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { MemoryOutcome } from '../../ports/github/memory-branch.ts';
import { frictionsOf } from '../../record/frictions.ts';
import { inLine } from '../../record/journal/quote.ts';
import { projectJournal } from '../../record/journal/project-journal.ts';
import { replaceJournal } from '../../record/journal/replace-journal.ts';
import type { ThreadRecord } from '../../record/thread-record.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { readRecord } from '../read/read-record.ts';
import { settingsNow } from '../read/survey.ts';
import { memorySessionOf, toMemoryPlace } from './read-memory.ts';

export async function writeJournal(
  { thread, whenClosed }: DataOf<'write-journal'>,
  { ports, readSettings, readMemory }: EffectContext,
): Promise<Performed<'write-journal'>> {
  const session = ports.github.at(thread);
  const record = await readRecord(threadKey(thread), ports.store);
  const journal = projectJournal(record);
  if (whenClosed === true && journal.state === 'open') return toDone('open', session);
  const { config } = await settingsNow(thread, session, { readSettings });
  const done = (outcome: JournalWritten['outcome']): Performed<'write-journal'> =>
    toDone(outcome, session);
  const reached = memorySessionOf(session);
  if (reached === undefined || !config.journal.enabled) return done('off');
  const frictions = config.memory.enabled ? toKeep(record, thread) : [];
  const path = journalPath(thread);
  let kept: 'kept' | 'too-large' | undefined;
  const place = toMemoryPlace(toRepositoryRef(thread), config);
  const write = (more: readonly string[]): Promise<MemoryOutcome> =>
    reached.memory.update(place, {
      paths: [path, ...more],
      message: `Write the journal of #${thread.number}`,
      change: (files) => {
        const text = replaceJournal(files.get(path), journal);
        kept = whyKept(text);
        const before = files.get(FRICTIONS_FILE) ?? '';
        return new Map([
          ...(text === undefined || kept !== undefined ? [] : [[path, text] as const]),
          ...more.map((each) => [each, withFrictions(before, frictions)] as const),
        ]);
      },
    });
  const outcome = await write(frictions.length === 0 ? [] : [FRICTIONS_FILE]).catch(
    (error: unknown) => {
      // The journal does not depend on a file of frictions that cannot be read.
      if (!isUnreadable(error) || frictions.length === 0) throw error;
      return write([]);
    },
  );
  // The next review need not read the memory again.
  readMemory.noteUnchanged(place, outcome);
  return done(kept ?? (outcome.isUnchanged ? 'unchanged' : 'written'));
}

function toDone(
  outcome: JournalWritten['outcome'],
  { counts: githubCalls }: Pick<GitHubSession, 'counts'>,
): Performed<'write-journal'> {
  return { effectKind: 'write-journal', result: { outcome }, githubCalls };
}

/** One line each, without secrets. */
function toKeep(record: ThreadRecord, { owner, repo }: ThreadRef): Friction[] {
  const rules = { repository: `${owner}/${repo}` };
  return frictionsOf(record).map((each) => ({ ...each, text: inLine(each.text, rules) }));
}

function isUnreadable(error: unknown): boolean {
  return error instanceof QuorumError && error.code === 'memory-unreadable';
}

function whyKept(text: string | undefined): 'kept' | 'too-large' | undefined {
  if (text === undefined) return 'kept';
  return Buffer.byteLength(text) > MAX_MEMORY_FILE_BYTES ? 'too-large' : undefined;
}
