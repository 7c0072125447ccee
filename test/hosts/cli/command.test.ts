/** `quorum command`: the pinned JSON, text for people, and what goes wrong. */
import { expect, test } from 'vitest';
import { quorum } from './fake-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

const BODY = 'Looks good.\n\n/pm review maya\n/pm pause\n\n> /pm stop\n\n/pm reveiw\n';

test('prints the commands after the safer one won, and why other lines are not', async () => {
  const cwd = temporaryFolder({ 'comment.md': BODY });
  const said = await quorum(['command', 'parse', 'comment.md', '--json'], { cwd });
  expect(said.code).toBe(0);
  expect(said.json()).toMatchObject({
    commands: [{ name: 'pause', args: [], line: 4 }],
    ignored: [
      { line: 3, reason: expect.stringContaining('safer') },
      { line: 6, reason: 'it is in a quote' },
      { line: 8, reason: expect.stringContaining('`/pm review`') },
    ],
  });
});

test('reads standard input, and tells people', async () => {
  const readStdin = () => Promise.resolve(BODY);
  const said = await quorum(['command', 'parse', '-'], { cwd: temporaryFolder(), readStdin });
  expect(said.out).toMatch(/^line 4 {2}\/pm pause/m);
  expect(said.out).toMatch(/^line 6 {2}not run: it is in a quote$/m);
  const none = await quorum(['command', 'parse', '-']);
  expect(none).toMatchObject({ code: 0, out: 'There is no command in it.\n' });
});

test('knows the models of the repository that it is in', async () => {
  const cwd = temporaryFolder({
    '.github/quorum.yml': 'models:\n  kimi:\n    provider: offline\n',
    'comment.md': '/pm kimi',
  });
  const said = await quorum(['command', 'parse', 'comment.md', '--json'], { cwd });
  expect(said.json()).toMatchObject({ commands: [{ name: 'model', args: ['kimi'] }] });
});

test('a file that is not there is exit code 2', async () => {
  const said = await quorum(['command', 'parse', 'none.md'], { cwd: temporaryFolder() });
  expect(said).toMatchObject({ code: 2, out: '' });
  expect(said.err).toContain('[file-missing]');
});

test('lists what works here, by the roles that the repository asks for', async () => {
  const files = { '.github/quorum.yml': 'access:\n  commands:\n    ask: maintain\n' };
  const said = await quorum(['command', 'list', '--json'], { cwd: temporaryFolder(files) });
  const list = said.json() as unknown as { name: string }[];
  expect(list.find(({ name }) => name === 'ask')).toEqual({
    name: 'ask',
    usage: '/pm ask question',
    summary: 'Answers a question about the code, with references.',
    permission: 'maintain',
    places: ['issue', 'pull'],
    destructive: false,
    available: true,
  });
  expect(list.map(({ name }) => name)).not.toContain('synthesise');
});

test('lists what is to come only when all is wanted', async () => {
  const said = await quorum(['command', 'list', '--all'], { cwd: temporaryFolder() });
  expect(said.out).toMatch(/^\/pm synthesise +triage +Proposes one plan .*$/m);
  expect(said.out).toContain('(not available yet)');
  const few = await quorum(['command', 'list'], { cwd: temporaryFolder() });
  expect(few.out).not.toContain('synthesise');
});
