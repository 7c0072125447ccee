import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  loadPersonas,
  parsePersonaBytes,
  readPersonaFolder,
} from '../../../src/adapters/files/load-personas.ts';
import { aPersonaText } from '../../helpers/a-persona.ts';
import { verifies } from '../../verifies.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'personas-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const write = (name: string, content: string | Uint8Array) =>
  writeFile(join(folder, name), content);

describe('loadPersonas', () => {
  verifies(
    'NW-1',
    'a folder of overrides replaces, adds and removes; a bad file is refused and the others go on',
    async () => {
      await write('maya.md', aPersonaText().replace('robin', 'maya'));
      await write('robin.md', aPersonaText());
      await write('dev.md', '---\nhandle: dev\nactive: false\n---\n');
      await write('priya.md', aPersonaText('leed: true\n').replace('robin', 'priya'));
      await write('notes.txt', 'no persona');
      await write('README.md', 'no persona');
      const { personas, problems } = await loadPersonas({ overrides: folder });
      const roles = Object.fromEntries(personas.map(({ handle, role }) => [handle, role]));
      expect(roles).toMatchObject({ maya: 'Reviewer', robin: 'Reviewer', priya: 'QA Engineer' });
      expect(roles).not.toHaveProperty('dev');
      expect(personas).toHaveLength(13);
      expect(problems).toMatchObject([
        { file: expect.stringContaining('/priya.md'), key: 'leed', nearest: 'lead', line: 7 },
      ]);
    },
  );

  test('no folder of overrides is no problem', async () => {
    const { personas, problems } = await loadPersonas({ overrides: join(folder, 'none') });
    expect(personas).toHaveLength(13);
    expect(problems).toEqual([]);
  });
});

describe('readPersonaFolder', () => {
  test('refuses links, folders and huge files without reading them', async () => {
    await write('outside.txt', aPersonaText());
    await symlink(join(folder, 'outside.txt'), join(folder, 'link.md'));
    await mkdir(join(folder, 'folder.md'));
    await write('huge.md', 'x'.repeat(1_000_000));
    const files = await readPersonaFolder(folder);
    const codes = files.map((file) =>
      file.kind === 'invalid' ? file.problems[0]?.code : file.kind,
    );
    expect(codes).toEqual(['unreadable-file', 'too-large', 'symbolic-link']);
  });

  test('reports too many files', async () => {
    await Promise.all(Array.from({ length: 201 }, (_, index) => write(`p${index}.md`, '')));
    const last = (await readPersonaFolder(folder)).at(-1);
    expect(last).toMatchObject({ kind: 'invalid', problems: [{ code: 'too-many-files' }] });
  });

  test('bytes that are not UTF-8 are refused, a byte order mark is fine', () => {
    expect(
      parsePersonaBytes('a.md', Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe])),
    ).toMatchObject({
      kind: 'invalid',
      problems: [{ file: 'a.md', code: 'not-utf-8' }],
    });
    expect(parsePersonaBytes('a.md', Buffer.from(`\uFEFF${aPersonaText()}`)).kind).toBe('persona');
  });
});
