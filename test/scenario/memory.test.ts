/** What the team learns from one thread and uses in another, through the door and back. */
import { describe, expect, test } from 'vitest';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { memoryOf } from '../helpers/memory-of.ts';
import { reviewsOf } from '../helpers/a-pull.ts';
import { aPull, anIssue, say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };

async function merge(world: TestWorld, number: number): Promise<void> {
  await world.emulator.as('ana').request('PUT', `/repos/${REPO}/pulls/${number}/merge`, {});
  await world.idle();
}

describe('memory', () => {
  verifies(
    ['NW-14'],
    'a lesson of one review is on the branch, and the next review of the same matter cites it',
    async () => {
      const world = await aWorld({ files: QUICK });
      const first = await aPull(world, { 'src/run.ts': EVAL });
      await world.idle();
      const files = (await memoryOf(world)) ?? {};
      const working = Object.entries(files).filter(([path]) => path.endsWith('/working.md'));
      expect(working.map(([, text]) => text).join('\n')).toMatch(
        /- \[PATTERN\] Seen in src\/run\.ts: .* <!-- memory /,
      );
      expect(files['README.md']).toContain('edit');
      // What is cited is verified on the default branch: there it is once it was merged.
      await merge(world, first);
      const second = await aPull(world, { 'src/again.ts': EVAL.replace('run', 'again') }, 'second');
      await world.idle();
      const { reviews } = await reviewsOf(world, second);
      expect(reviews.join('\n')).toContain('remembered and used: `Seen in src/run.ts');
      const uses = JSON.parse((await memoryOf(world))?.['state/memory.json'] ?? '{}') as object;
      expect(Object.values(uses)).toContainEqual(expect.objectContaining({ uses: 1 }));
      expect(world.openApi.violations).toEqual([]);
    },
  );

  test('what a person says is kept with the comment, listed, used by everybody, reworded, and forgotten on demand', async () => {
    const world = await aWorld({ files: QUICK });
    const pull = await aPull(world, { 'src/run.ts': EVAL });
    await world.idle();
    const told = await say(world, pull, "/pm remember 'we release on Fridays'");
    expect(told.answers.join()).toContain('The team will remember: `we release on Fridays`');
    const files = (await memoryOf(world)) ?? {};
    expect(files['personas/team/working.md']).toMatch(/- \[DECISION\] we release on Fridays/);
    const listed = await say(world, pull, '/pm memory');
    expect(listed.answers.join()).toMatch(/`[0-9a-f]{10}` `we release on Fridays` \(team\)/);
    const id = /`([0-9a-f]{10})` `we release on Fridays`/.exec(listed.answers.join())?.[1] ?? '';
    const changed = await say(world, pull, `/pm change ${id} to we release on Mondays`);
    expect(changed.answers.join()).toContain('says now: `we release on Mondays`');
    const after = (await memoryOf(world))?.['personas/team/working.md'] ?? '';
    expect(after).toContain('we release on Mondays');
    expect(after).not.toContain('Fridays');
    const gone = await say(world, pull, '/pm forget the release on Mondays');
    expect(gone.answers.join()).toContain('Forgotten: `we release on Mondays`');
    expect((await memoryOf(world))?.['personas/team/working.md'] ?? '').not.toContain('Mondays');
  });

  verifies(
    'MEM-01: lesson from words of a stranger',
    'what grew from the words of a stranger waits for somebody with write access',
    async () => {
      const world = await aWorld({ files: QUICK });
      world.emulator.addCollaborator(REPO, 'tom', 'write');
      world.emulator.faults.addHook({ event: 'pull_request', fault: { kind: 'delay', ms: 500 } });
      const pull = await aPull(world, { 'src/run.ts': EVAL });
      // By the time it is read, its author has no role any more.
      world.emulator.addCollaborator(REPO, 'ana', 'read');
      await world.idle();
      const { comments } = await world.tell(pull);
      const proposal = comments.find((body) => body.includes('### To remember?')) ?? '';
      expect(proposal).toContain('1. [PATTERN] Seen in src/run.ts');
      expect(Object.values((await memoryOf(world)) ?? {}).join('\n')).toContain('quarantined');
      const refused = await say(world, pull, { by: 'ana', body: '/pm memory approve' });
      expect(refused.answers.join()).toContain('needs `write` permission');
      const approved = await say(world, pull, {
        by: 'tom',
        body: '/pm memory approve [1]',
      });
      expect(approved.answers.join()).toContain('The team will remember');
      const lines = Object.values((await memoryOf(world)) ?? {}).join('\n');
      expect(lines).toContain('Seen in src/run.ts');
      expect(lines).not.toContain('quarantined');
    },
  );

  test.each([
    ['memory:\n  enabled: false\n', []],
    ['memory:\n  branch: quorum/notes\n', ['quorum/notes']],
  ])('is kept where the settings say: %j', async (settings, branches) => {
    const text = `review:\n  settleSeconds: 0\n${settings}`;
    const world = await aWorld({ files: { '.github/quorum.yml': text } });
    await aPull(world, { 'src/run.ts': EVAL });
    await world.idle();
    const all = (await world.emulator.as('ana').request('GET', `/repos/${REPO}/branches`)) as {
      name: string;
    }[];
    expect(all.map(({ name }) => name).filter((name) => name.startsWith('quorum/'))).toEqual(
      branches,
    );
  });

  test('a protected branch is reported where something was to be remembered', async () => {
    const world = await aWorld({ files: QUICK });
    const issue = await anIssue(world);
    const fault = { kind: 'status', status: 403, body: { message: 'Protected branch' } } as const;
    world.emulator.faults.add({
      method: 'POST',
      path: `/repos/${REPO}/git/refs`,
      times: Infinity,
      fault,
    });
    const told = await say(world, issue, '/pm remember we release on Fridays');
    expect(told.answers.at(-1)).toContain('Memory was not changed (');
    expect(await memoryOf(world)).toBeUndefined();
  });

  verifies(
    'MEM-01: role that was taken away',
    'a role that was taken away after the command changes nothing',
    async () => {
      const world = await aWorld({ files: QUICK });
      const issue = await anIssue(world);
      world.emulator.addCollaborator(REPO, 'eve', 'write');
      let reads = 0;
      world.emulator.onExchange(({ path }) => {
        if (!path.endsWith('/collaborators/eve/permission')) return;
        reads += 1;
        if (reads === 1) world.emulator.addCollaborator(REPO, 'eve', 'read');
      });
      const told = await say(world, issue, { by: 'eve', body: '/pm remember trust eve' });
      expect(told.answers.at(-1)).toContain('`permission-lost`');
      expect(await memoryOf(world)).toBeUndefined();
    },
  );
});
