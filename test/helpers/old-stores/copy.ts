/** A store as a file, and back: a copy of SQLite's database, or what `pg_dump` says in SQL. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';

const SQLITE = 'sqlite.db.br';
const POSTGRES = 'postgres.sql.br';

/** What is settled and has a large content, or was ignored, goes as it does when its time is over: the copy is to be small. */
const EXPIRED = "status <> 'pending' AND (status = 'ignored' OR data = '' OR length(data) > 400)";

interface StoreEnv {
  QUORUM_DATA: string;
  DATABASE_URL?: string;
}

export function copyStore({ QUORUM_DATA: dir, DATABASE_URL: url }: StoreEnv, folder: string): void {
  if (url === undefined) return copySqlite(dir, folder);
  for (const table of ['events', 'effects'])
    execFileSync('psql', ['-q', url, '-c', `DELETE FROM quorum.${table} WHERE ${EXPIRED}`]);
  const flags = ['--no-owner', '--no-privileges', '-n', 'quorum', '-n', 'quorum_boss'];
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  const sql = execFileSync('pg_dump', [...flags, url], options);
  // Other versions of the server or of `psql` know no such settings, and nothing here needs them.
  const plain = sql.replaceAll(
    /^(?:SET \w+ = .*|SELECT pg_catalog.set_config.*|\\(?:un)?restrict .*)\n/gm,
    '',
  );
  writeFileSync(path.join(folder, POSTGRES), brotliCompressSync(plain));
}

function copySqlite(dir: string, folder: string): void {
  const copy = path.join(folder, 'copy.db');
  const db = new DatabaseSync(path.join(dir, 'quorum.db'));
  db.prepare('VACUUM INTO ?').run(copy);
  db.close();
  expire(copy);
  writeFileSync(path.join(folder, SQLITE), brotliCompressSync(readFileSync(copy)));
  rmSync(copy);
}

function expire(file: string): void {
  const db = new DatabaseSync(file);
  for (const table of ['events', 'effects']) db.exec(`DELETE FROM ${table} WHERE ${EXPIRED}`);
  db.exec('VACUUM');
  db.close();
}

export function restoreStore(
  folder: string,
  { QUORUM_DATA: dir, DATABASE_URL: url }: StoreEnv,
): void {
  if (url === undefined) {
    mkdirSync(dir, { recursive: true });
    const db = brotliDecompressSync(readFileSync(path.join(folder, SQLITE)));
    return writeFileSync(path.join(dir, 'quorum.db'), db);
  }
  const sql = brotliDecompressSync(readFileSync(path.join(folder, POSTGRES)));
  execFileSync('psql', ['-q', '-v', 'ON_ERROR_STOP=1', url], { input: sql });
}
