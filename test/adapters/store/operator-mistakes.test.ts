/** What an operator got wrong about the store is a ConfigError that says what, where and how to correct it. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toOpenFailure } from '../../../src/adapters/store/postgres/database-address.ts';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres.ts';
import { openPostgresReader } from '../../../src/adapters/store/postgres/postgres-reader.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { openSqliteReader } from '../../../src/adapters/store/sqlite/sqlite-reader.ts';
import { ConfigError } from '../../../src/domain/event/errors.ts';
import { realClock as clock } from '../../contract/real-clock.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'quorum-mistakes-'));
});

afterEach(async () => {
  await rm(dir, { recursive: true });
});

describe('a data directory', () => {
  test.each([
    ['that is a file', 'file', 'is a file'],
    ['below a file', 'file/below', 'is a file'],
  ])('%s is refused with the path and the setting', async (_, name, reason) => {
    await writeFile(path.join(dir, 'file'), 'notes');
    const refusal = await openSqliteStore({ dir: path.join(dir, name), clock }).catch(String);
    expect(refusal).toContain(reason);
    expect(refusal).toContain('Set QUORUM_DATA');
    expect(await readFile(path.join(dir, 'file'), 'utf8')).toBe('notes');
  });

  test('that the system does not let anybody make is refused, and the attempt ends', async () => {
    await expect(openSqliteStore({ dir: '/proc/quorum', clock })).rejects.toMatchObject({
      code: 'data-dir-unusable',
    });
  });

  test('whose database is a directory is refused', async () => {
    await mkdir(path.join(dir, 'quorum.db'));
    await expect(openSqliteStore({ dir, clock })).rejects.toMatchObject({
      code: 'data-dir-unusable',
    });
  });
});

describe('a database without content', () => {
  const empty = { code: 'store-empty' };

  test('next to its log is reported by both openings, and nothing is changed', async () => {
    await writeFile(path.join(dir, 'quorum.db'), '');
    await writeFile(path.join(dir, 'quorum.db-wal'), 'frames');
    await expect(openSqliteStore({ dir, clock })).rejects.toMatchObject(empty);
    await expect(openSqliteReader({ dir })).rejects.toMatchObject(empty);
    expect(await readFile(path.join(dir, 'quorum.db-wal'), 'utf8')).toBe('frames');
    expect(await readFile(path.join(dir, 'quorum.db'), 'utf8')).toBe('');
  });

  test('that is missing next to its log is reported', async () => {
    await writeFile(path.join(dir, 'quorum.db-wal'), 'frames');
    await expect(openSqliteStore({ dir, clock })).rejects.toMatchObject(empty);
  });

  test('in a directory that was used before is reported', async () => {
    await (await openSqliteStore({ dir, clock })).close();
    await writeFile(path.join(dir, 'quorum.db'), '');
    await expect(openSqliteStore({ dir, clock })).rejects.toMatchObject(empty);
  });
});

describe('an address of a database', () => {
  const password = ['not', 'to', 'be', 'shown'].join('-');

  test.each([
    `mysql://root:${password}@127.0.0.1/db`,
    password,
    `root:${password}@127.0.0.1:5432/db`,
    `postgres://root:a/${password}@127.0.0.1:port/db`,
  ])('that is not of PostgreSQL is refused without showing it (%#)', async (url) => {
    for (const open of [openPostgresStore({ url, clock }), openPostgresReader({ url })]) {
      const refusal: unknown = await open.catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ConfigError);
      expect(refusal).toMatchObject({ code: 'database-url-invalid' });
      expect(String(refusal)).not.toContain(password);
      expect(String(refusal)).toContain('postgres://user:password@host:5432/database');
    }
  });

  test.each([
    ['3D000', 'database-missing', 'createdb team'],
    ['28000', 'database-refused', 'Check the user'],
    ['28P01', 'database-refused', 'Check the password'],
    ['42501', 'database-refused', 'Grant the user CREATE on the database team'],
  ])('that the server refuses with %s becomes %s', (state, code, fix) => {
    const error = Object.assign(new Error('no'), { code: state, severity: 'FATAL' });
    const failure = toOpenFailure(error, new URL('postgres://ana@db.example/team'));
    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure).toMatchObject({ code });
    expect(String(failure)).toContain(fix);
  });

  test('that the server refuses for another reason stays what it is', () => {
    const error = Object.assign(new Error('busy'), { code: '53300', severity: 'FATAL' });
    expect(toOpenFailure(error, new URL('postgres://ana@db.example/team'))).toMatchObject({
      code: 'store-down',
    });
  });
});
