/** Whatever was written in one worktree, its patch makes the same tree in another. */
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commitIn, openIn, treeOf } from '../../contract/git.ts';
import { FILES, openEmulatedGit, type EmulatedGit } from './world.ts';

let world: EmulatedGit;
beforeAll(async () => {
  world = await openEmulatedGit({
    ...FILES,
    'crlf.txt': 'one\r\ntwo\r\n',
    'no-end': 'no newline',
    empty: '',
    '.gitattributes': '*.lf text eol=lf\n*.win text eol=crlf\n*.txt -text\n',
    'x.win': 'a\nb\n',
  });
});
afterAll(() => world.close());

const bytes = fc.oneof(
  fc.constant(Buffer.alloc(0)),
  fc
    .array(fc.constantFrom('one', 'two', '', 'dif', 'diff --git a/x b/x', '--- a/x', '\u00fc'), {
      maxLength: 8,
    })
    .map((lines) => Buffer.from(lines.join('\n'))),
  fc
    .array(fc.constantFrom('one', 'two'), { maxLength: 5 })
    .map((lines) => Buffer.from(lines.join('\r\n'))),
  fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)),
);
const path = fc.constantFrom(
  'README.md',
  'src/a.ts',
  'src/new/b.ts',
  'crlf.txt',
  'no-end',
  'empty',
  'x.win',
  'y.lf',
  'z z.bin',
  'run.sh',
  'src',
);
const change = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    path,
    content: bytes,
    isExecutable: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('delete' as const), path }),
  fc.record({
    kind: fc.constant('link' as const),
    path,
    to: fc.constantFrom('a.ts', '/nowhere', '../..'),
  }),
);

test('a patch makes the same tree where it is applied', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
      const one = await openIn(world);
      for (const each of changes) {
        const at = join(one.folder, each.path);
        await rm(at, { recursive: true, force: true }).catch(() => undefined);
        if (each.kind === 'delete') continue;
        const isMade = await mkdir(dirname(at), { recursive: true }).then(
          () => true,
          () => false,
        );
        // A link or a file may stand where the folder would be.
        if (!isMade) continue;
        if (each.kind === 'link') await symlink(each.to, at);
        else
          await writeFile(at, each.content).then(
            () => chmod(at, each.isExecutable ? 0o755 : 0o644),
            () => undefined,
          );
      }
      const patch = await one.patch({ maxBytes: 1e6 });
      const two = await openIn(world);
      expect(await two.apply(patch.text)).toEqual({ outcome: 'applied' });
      const tree = await treeOf(one, await commitIn(one));
      expect(await treeOf(two, await commitIn(two))).toBe(tree);
      await one.close();
      await two.close();
    }),
    { numRuns: 8 },
  );
}, 120_000);
