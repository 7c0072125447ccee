/** `quorum journal`: what happened in a thread, made from the events that the store keeps. */
import path from 'node:path';
import { readRecord } from '../../../act/read/read-record.ts';
import { openGitTree } from '../../../adapters/local/git-tree.ts';
import type { ConfigError } from '../../../domain/event/errors.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import type { StoreReader } from '../../../ports/store.ts';
import { projectJournal } from '../../../record/journal/project-journal.ts';
import { renderJournal } from '../../../record/journal/render-journal.ts';
import { openStoreReader } from '../../open-store.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import type { JournalFlags } from './journal-command.ts';

/** ConfigError `thread-invalid` or `thread-unknown`, and those of a store that cannot be read. */
export async function journal({ thread, dir, json }: JournalFlags, io: Io): Promise<ExitCode> {
  const wanted = await parseThread(thread, path.resolve(io.cwd, dir));
  const store = await openStoreReader(readHostSettings(io.env));
  try {
    const record = await readRecord(await findThread(wanted, store), store);
    const made = projectJournal(record);
    if (json === true) outJson(io, made);
    else io.out(renderJournal(made));
    return EXIT.ok;
  } finally {
    await store.close();
  }
}

interface Wanted {
  /** `owner/repo`, or a numeric id. */
  repository: string;
  number: number;
}

const THREAD = /^([\w.-]{1,100}\/[\w.-]{1,100}|\d{1,15})#([1-9]\d{0,8})$/;
const NUMBER = /^#?([1-9]\d{0,8})$/;

async function parseThread(words: string, dir: string): Promise<Wanted> {
  const [, named, numbered] = THREAD.exec(words.trim()) ?? [];
  const digits = numbered ?? NUMBER.exec(words.trim())?.[1];
  if (digits === undefined)
    throw usageError(
      'thread-invalid',
      `${words} is not a thread. Give owner/repo#12, or the number of an issue or pull request inside a clone.`,
    );
  const number = Number(digits);
  if (named !== undefined) return { repository: named, number };
  const tree = await openGitTree(dir);
  if (tree !== undefined && !tree.fullName.startsWith('local/'))
    return { repository: tree.fullName, number };
  throw usageError(
    'thread-invalid',
    `${dir} is not a clone of a GitHub repository, so #${number} has no repository. Give owner/repo#${number}.`,
  );
}

/** Key of its stream. A name may have been another repository's before: the one that has such a thread is meant. */
async function findThread({ repository, number }: Wanted, store: StoreReader): Promise<string> {
  const isId = /^\d+$/.test(repository);
  const ids = isId ? [Number(repository)] : await store.erasure.find({ repository });
  const found = await Promise.all(
    ids.map(async (repositoryId) => {
      const key = threadKey({ repositoryId, number });
      const [event] = await store.records.events({ key, limit: 1 });
      return event === undefined ? [] : [{ key, repositoryId }];
    }),
  );
  const [first, ...others] = found.flat();
  if (first === undefined) throw unknownThread({ repository, number });
  if (others.length === 0) return first.key;
  const names = found.flat().map(({ repositoryId }) => `${repositoryId}#${number}`);
  throw usageError(
    'thread-invalid',
    `${repository} was the name of more than one repository with a thread #${number}. Give one of ${names.join(', ')}.`,
  );
}

function unknownThread({ repository, number }: Wanted): ConfigError {
  return usageError(
    'thread-unknown',
    `The store keeps no events of ${repository}#${number}. Check the number and QUORUM_DATA or DATABASE_URL; old events are deleted after 90 days.`,
  );
}
