/** Puts the journal so far into a task's change: before the gates see it and before anybody is asked to review it. */
import type { Config } from '../../../domain/config/config.ts';
import { EVENT_VERSION } from '../../../domain/event/event.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import { maskSighted } from '../../../domain/secrets/secret-text.ts';
import { journalCopyPath, withJournalCopy } from '../../../domain/task/journal-copy.ts';
import { taskKey } from '../../../domain/task/task.ts';
import type { CodeResult } from '../../../domain/task/task-effects.ts';
import type { TreeReader, Worktree } from '../../../ports/git.ts';
import { projectJournal } from '../../../record/journal/project-journal.ts';
import { renderJournal } from '../../../record/journal/render-journal.ts';
import type { ThreadRecord } from '../../../record/thread-record.ts';
import { readRecord } from '../../read/read-record.ts';
import type { DataOf } from '../../effect-context.ts';
import type { ActPorts } from '../../ports.ts';
import { MAX_PATCH_BYTES } from '../verify.ts';

/** A longer one is read on the memory branch alone. */
const MAX_COPY_BYTES = 200_000;
/** Of a longer file the base's reader shows the beginning alone, and no change of it would apply. */
const MAX_BEFORE_BYTES = 1_000_000;

export interface Copying {
  ports: Pick<ActPorts, 'store' | 'clock' | 'detectSecrets'>;
  config: Pick<Config, 'journal'>;
  worktree: Pick<Worktree, 'base'>;
  run: string;
  effectId: string;
}

/**
 * The result as it is where the copy is switched off, nothing was changed, or the coder itself wrote at that path. Where no copy
 * can be made, it says why: a task does not fail for want of one.
 */
export async function copyJournal(
  { thread, task }: Pick<DataOf<'code'>, 'thread' | 'task'>,
  result: CodeResult,
  copying: Copying,
): Promise<CodeResult> {
  const { config, ports, worktree } = copying;
  const { report, patch, files } = result;
  const isWanted = config.journal.enabled && config.journal.inPullRequests === true;
  if (!isWanted || report.outcome !== 'done' || patch === '') return result;
  const path = journalCopyPath({ plan: thread, task });
  if (files.some((file) => file.path === path || file.from === path)) return result;
  const isInTheWay = files.some(
    (file) => path.startsWith(`${file.path}/`) || file.path.startsWith(`${path}/`),
  );
  const base = isInTheWay ? undefined : await readPlace(path, worktree.base);
  if (base === undefined) return { ...result, copyLeftOut: 'place' };
  const record = await readRecord(threadKey(thread), ports.store);
  const journal = projectJournal(withResult(record, { thread, task, result }, copying));
  const text = await withoutCredentials(renderJournal(journal), path, ports);
  if (text === undefined) return { ...result, copyLeftOut: 'credential' };
  if (Buffer.byteLength(text) > MAX_COPY_BYTES) return { ...result, copyLeftOut: 'size' };
  const copied = withJournalCopy(patch, { path, before: base.text, text });
  return Buffer.byteLength(copied) > MAX_PATCH_BYTES
    ? { ...result, copyLeftOut: 'size' }
    : { ...result, patch: copied, journal: path };
}

/** Modes of what may be where a folder of the path is: nothing, or a folder. What git fails to tell may be anything. */
const WAYS: readonly (string | undefined)[] = ['', '040000'];
const FILES: readonly string[] = ['100644', '100755'];

/**
 * What the base has at the path; undefined where the copy cannot be put there as text. A link is neither followed nor replaced:
 * somebody set it on purpose, and a patch of text does not apply to one.
 */
async function readPlace(
  path: string,
  base: Pick<TreeReader, 'file' | 'mode'>,
): Promise<{ text: string | undefined } | undefined> {
  for (const folder of foldersOf(path))
    if (!WAYS.includes(await base.mode(folder))) return undefined;
  const mode = await base.mode(path);
  if (mode === '') return { text: undefined };
  if (mode === undefined || !FILES.includes(mode)) return undefined;
  const text = await base.file(path);
  const isText = !/[\0\uFFFD]/.test(text) && Buffer.byteLength(text) <= MAX_BEFORE_BYTES;
  return isText ? { text } : undefined;
}

/** Outermost first. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** What gate S would refuse the coder's change for: a line with a credential goes. Undefined where one is left. */
async function withoutCredentials(
  text: string,
  path: string,
  { detectSecrets }: Pick<ActPorts, 'detectSecrets'>,
): Promise<string | undefined> {
  if (detectSecrets === undefined) return text;
  const masked = maskSighted(text, await detectSecrets(text, path));
  if (masked === text) return text;
  return (await detectSecrets(masked, path)).length === 0 ? masked : undefined;
}

/** What the coder just did is not in the store yet. */
function withResult(
  record: ThreadRecord,
  { thread, task, result }: Pick<DataOf<'code'>, 'thread' | 'task'> & { result: CodeResult },
  { ports, run, effectId }: Copying,
): ThreadRecord {
  const key = taskKey({ plan: thread, task });
  const seqs = record.streams.flatMap(({ events }) => events.map(({ seq }) => seq));
  const event = {
    id: effectId,
    key,
    version: EVENT_VERSION,
    at: new Date(ports.clock.now()).toISOString(),
    seq: Math.max(0, ...seqs) + 1,
    data: { kind: 'done', run, effectId, effectKind: 'code', result } as const,
  };
  const streams = record.streams.map((stream) =>
    stream.key === key ? { ...stream, events: [...stream.events, event] } : stream,
  );
  return { ...record, streams };
}
