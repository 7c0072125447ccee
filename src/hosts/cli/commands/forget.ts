/** `quorum forget` and `quorum export`: what is kept of an installation, a repository or a person, erased or written out. */
import { erasePlace } from '../../../act/erase.ts';
import { countRows, repositoryOfKey } from '../../../domain/tenant/erasure-target.ts';
import type { ErasedRows, ErasureTarget } from '../../../domain/tenant/erasure-target.ts';
import { ConfigError } from '../../../domain/event/errors.ts';
import type { KeptData, KeptFiles, KeptRow } from '../../../ports/erasure.ts';
import { openExistingStore, openStoreReader } from '../../open-store.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import { keptFiles } from '../../open-coding-runtime.ts';
import { createBasics } from '../basics.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { renderTable } from '../terminal/table.ts';

export type Kind = 'installation' | 'repository' | 'user';

interface Wanted {
  kind: Kind;
  /** A numeric id, `owner/name`, or a login. */
  who: string;
}

interface ForgetFlags extends Wanted {
  yes?: true;
  dryRun?: true;
  json?: true;
}

type Target = Extract<ErasureTarget, { kind: Kind }>;
interface Folder {
  path: string;
  bytes: number;
}

/** Without `--yes` nothing is changed. */
export async function forget(flags: ForgetFlags, io: Io): Promise<ExitCode> {
  const settings = readHostSettings(io.env);
  if (flags.yes !== true || flags.dryRun === true) return tellWhatIsKept(flags, io);
  const quiet = { ...io, env: { ...io.env, LOG_LEVEL: io.env['LOG_LEVEL'] ?? 'error' } };
  const basics = createBasics(quiet, { to: 'err' });
  const files = keptFiles(settings, basics.clock);
  // The embedded store refuses while the App has it: then nothing is changed.
  const store = await openExistingStore(settings, basics);
  try {
    const target = await toTarget(flags, store.erasure);
    const folders = await foldersOf(target, store.erasure, files);
    const rows =
      target.kind === 'user'
        ? await store.erasure.erase(target)
        : await erasePlace(target, { store, files });
    await store.erasure.compact();
    say(io, { target, rows, folders, isDone: true, isJson: flags.json === true });
    return EXIT.ok;
  } finally {
    await store.close();
  }
}

async function tellWhatIsKept(flags: ForgetFlags, io: Io): Promise<ExitCode> {
  const settings = readHostSettings(io.env);
  const reader = await openStoreReader(settings);
  try {
    const target = await toTarget(flags, reader.erasure);
    const rows = await reader.erasure.count(target);
    const basics = createBasics(io, { to: 'err' });
    const folders = await foldersOf(target, reader.erasure, keptFiles(settings, basics.clock));
    say(io, { target, rows, folders, isDone: false, isJson: flags.json === true });
    return EXIT.ok;
  } finally {
    await reader.close();
  }
}

/** One JSON object a line: what `forget` would erase. Also while the App runs. */
export async function exportKept(wanted: Wanted, io: Io): Promise<ExitCode> {
  const settings = readHostSettings(io.env);
  const reader = await openStoreReader(settings);
  try {
    const target = await toTarget(wanted, reader.erasure);
    for await (const row of reader.erasure.rows(target)) outJson(io, readable(row));
    const basics = createBasics(io, { to: 'err' });
    for (const folder of await foldersOf(target, reader.erasure, keptFiles(settings, basics.clock)))
      outJson(io, { table: 'files', row: folder });
    return EXIT.ok;
  } finally {
    await reader.close();
  }
}

const JSON_COLUMNS = new Set(['data', 'value', 'entry', 'github_calls', 'waits', 'suspicion']);

/** JSON within JSON is hard to read, so it is parsed. */
function readable({ table, row }: KeptRow): KeptRow {
  const columns = Object.entries(row).map(([name, value]): [string, unknown] => [
    name,
    JSON_COLUMNS.has(name) && typeof value === 'string' && value !== '' ? JSON.parse(value) : value,
  ]);
  return { table, row: Object.fromEntries(columns) };
}

async function toTarget({ kind, who }: Wanted, kept: KeptData): Promise<Target> {
  const id = /^\d+$/.test(who) ? Number(who) : await idOf({ kind, who }, kept);
  if (kind === 'installation') return { kind, installationId: id };
  if (kind === 'repository') return { kind, repositoryId: id };
  const logins = await kept.logins(id);
  const named = /^\d+$/.test(who) || logins.some((login) => isSame(login, who)) ? [] : [who];
  return { kind, id, logins: [...logins, ...named] };
}

async function idOf({ kind, who }: Wanted, kept: KeptData): Promise<number> {
  if (kind === 'installation')
    throw usageError('forget-invalid', `An installation is named by its numeric id, not ${who}.`);
  if (kind === 'repository' && !/^[\w.-]+\/[\w.-]+$/.test(who))
    throw usageError('forget-invalid', `A repository is a numeric id or owner/name, not ${who}.`);
  const found = await kept.find(kind === 'user' ? { login: who } : { repository: who });
  const [id, ...others] = found;
  if (id !== undefined && others.length === 0) return id;
  throw new ConfigError(
    id === undefined
      ? { code: 'forget-unknown', message: `Nothing is kept of the ${kind} ${who}.` }
      : {
          code: 'forget-ambiguous',
          message: `${who} was the name of more than one ${kind}: ${found.join(', ')}. Give the numeric id.`,
        },
  );
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Of an installation, those of repositories whose rows go; a person has none. */
async function foldersOf(target: Target, kept: KeptData, files: KeptFiles): Promise<Folder[]> {
  if (target.kind === 'user') return [];
  if (target.kind === 'repository') return files.of(target.repositoryId);
  const gone = new Set<number>();
  for await (const { row } of kept.rows(target)) {
    const repositoryId = repositoryOfKey(String(row['key']));
    if (repositoryId !== undefined) gone.add(repositoryId);
  }
  const found: Folder[] = [];
  for (const id of await files.repositories())
    if (gone.has(id)) found.push(...(await files.of(id)));
  return found;
}

interface Saying {
  target: Target;
  rows: ErasedRows;
  folders: readonly Folder[];
  isDone: boolean;
  isJson: boolean;
}

function say(io: Io, { target, rows, folders, isDone, isJson }: Saying): void {
  if (isJson) return outJson(io, { target, erased: isDone, rows, folders });
  if (countRows(rows) + folders.length === 0)
    return io.out(`Nothing is kept of ${describe(target)}.\n`);
  const { ledger, ...others } = rows;
  const counts = Object.entries(others).filter(([, count]) => count > 0);
  const list = [
    ...counts.map(([table, count]) => [table, countOf(count)]),
    ...(ledger === 0 ? [] : [['ledger', `${countOf(ledger)}; amounts stay, without names`]]),
    ...folders.map(({ path, bytes }) => [path, sizeOf(bytes)]),
  ];
  const head = isDone ? 'Erased' : 'Kept';
  const end = isDone
    ? 'Backups of the store are not changed. Text that GitHub has stays there.'
    : 'Nothing was changed. Add --yes to erase it for good.';
  const table = renderTable(list, { columns: io.columns, indent: 2 });
  io.out(`${head} of ${describe(target)}:\n${table}${end}\n`);
}

function describe(target: Target): string {
  if (target.kind === 'installation') return `installation ${target.installationId}`;
  if (target.kind === 'repository') return `repository ${target.repositoryId}`;
  const logins = target.logins.length === 0 ? '' : ` (${target.logins.join(', ')})`;
  return `user ${target.id}${logins}`;
}

function countOf(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`;
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.ceil(bytes / 1_000_000)} MB`;
}
