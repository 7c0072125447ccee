/** What a bundle starts inside a sandbox is one file: the sandbox shows it no other. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUILD_DIR, buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';

const NAMES = ['task', 'code', 'merge'];

beforeAll(() => buildForTests(NAMES));
afterAll(dropBuild);

test.each(NAMES)(
  'the programs of action/%s that a sandbox runs import no file beside them',
  (name) => {
    const dir = path.resolve(BUILD_DIR, name, 'dist');
    const children = readdirSync(dir).filter((file) => file.startsWith('bridge'));
    expect(children).toContain('bridge-out.js');
    const importing = children.filter((file) =>
      readFileSync(path.join(dir, file), 'utf8').includes('"./'),
    );
    expect(importing).toEqual([]);
  },
);
