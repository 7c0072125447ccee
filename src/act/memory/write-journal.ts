/** Writes a thread's journal onto the memory branch: the text that `quorum journal` makes of the same events (CB-11). */
import { MAX_MEMORY_FILE_BYTES } from '../../domain/memory/file/branch-files.ts';
import type { JournalWritten } from '../../domain/event/result.ts';
import { threadKey, toRepositoryRef } from '../../domain/run/thread-ref.ts';
import { projectJournal } from '../../record/journal/project-journal.ts';
import { replaceJournal } from '../../record/journal/replace-journal.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { readRecord } from '../read/read-record.ts';
import { settingsNow } from '../read/survey.ts';
import { memorySessionOf, toMemoryPlace } from './read-memory.ts';

export async function writeJournal(
  { thread }: DataOf<'write-journal'>,
  { ports, readSettings, readMemory }: EffectContext,
): Promise<Performed<'write-journal'>> {
  const session = ports.github.at(thread);
  const { config } = await settingsNow(thread, session, { readSettings });
  const done = (outcome: JournalWritten['outcome']): Performed<'write-journal'> => ({
    effectKind: 'write-journal',
    result: { outcome },
    githubCalls: session.counts,
  });
  const reached = memorySessionOf(session);
  if (reached === undefined || !config.journal.enabled) return done('off');
  const journal = projectJournal(await readRecord(threadKey(thread), ports.store));
  const path = `journal/${thread.number}.md`;
  let kept: 'kept' | 'too-large' | undefined;
  const place = toMemoryPlace(toRepositoryRef(thread), config);
  const outcome = await reached.memory.update(place, {
    paths: [path],
    message: `Write the journal of #${thread.number}`,
    change: (files) => {
      const text = replaceJournal(files.get(path), journal);
      kept = whyKept(text);
      return new Map(text === undefined || kept !== undefined ? [] : [[path, text]]);
    },
  });
  // The next review need not read the memory again.
  readMemory.noteUnchanged(place, outcome);
  return done(kept ?? (outcome.isUnchanged ? 'unchanged' : 'written'));
}

function whyKept(text: string | undefined): 'kept' | 'too-large' | undefined {
  if (text === undefined) return 'kept';
  return Buffer.byteLength(text) > MAX_MEMORY_FILE_BYTES ? 'too-large' : undefined;
}
