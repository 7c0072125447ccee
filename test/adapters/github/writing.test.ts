/** Writes against scripted answers: sent once, and careful where a server is old or people were faster. */
import { describe, expect, test } from 'vitest';
import { TransientError } from '../../../src/domain/event/errors.ts';
import type { Script } from './stage.ts';
import { verifies } from '../../verifies.ts';
import {
  createTestClock,
  openGitHub,
  openStage,
  REF,
  THREAD,
  WIRE_REPOSITORY,
  WIRE_SELF,
  wireComment,
  wireIssue,
} from './stage.ts';

const MARKER = { kind: 'run', run: 'r', key: 'k' } as const;

/** Answers what is scripted, and for the rest who we are and which repository this is. */
function withBasics(script: Script): Script {
  return (seen) => {
    const own = script(seen);
    if (own !== undefined) return own;
    if (seen.path === '/user') return { body: WIRE_SELF };
    if (seen.path === '/repos/acme/widgets') return { body: WIRE_REPOSITORY };
    return undefined;
  };
}

async function open(script: Script) {
  const stage = await openStage(withBasics(script));
  const warnings: string[] = [];
  const log = {
    info: () => undefined,
    warn: (_: unknown, message: string) => void warnings.push(message),
  };
  const clock = createTestClock();
  const github = openGitHub(stage, clock, { log, timeoutMs: 120_000 });
  return { stage, clock, github, warnings, write: github.at(REF).write };
}

describe('ensureComment', () => {
  verifies('DUR-02', 'sends a creation once, even when the server fails', async () => {
    const { stage, write } = await open((seen) => {
      if (seen.method === 'POST') return { status: 502 };
      return seen.path.includes('/comments') ? { body: [] } : undefined;
    });
    await expect(write.ensureComment(THREAD, { marker: MARKER, body: 'x' })).rejects.toBeInstanceOf(
      TransientError,
    );
    expect(stage.count('POST')).toBe(1);
  });

  test('never shares a look that began before the last write', async () => {
    const gate = Promise.withResolvers<void>();
    let lists = 0;
    const { github } = await open((seen) => {
      if (!seen.path.includes('/comments')) return undefined;
      if (seen.method === 'POST') return { status: 201, body: wireComment(1, '') };
      return (lists += 1) === 1 ? { body: [], after: gate.promise } : { body: [] };
    });
    const early = github.at(REF).read.comments(THREAD, 5);
    await expect.poll(() => lists).toBe(1);
    await github.at(REF).write.ensureReaction(THREAD, { add: 'eyes' });
    await github.at(REF).write.ensureComment(THREAD, { marker: MARKER, body: 'x' });
    expect(lists).toBe(2);
    gate.resolve();
    expect(await early).toEqual([]);
  });

  test('needs no listing for later edits of what it wrote', async () => {
    const { stage, github } = await open((seen) => {
      if (!seen.path.includes('/comments')) return undefined;
      return seen.method === 'GET' ? { body: [] } : { body: wireComment(1, '') };
    });
    for (const body of ['a', 'b', 'c'])
      await github.at(REF).write.ensureComment(THREAD, { marker: MARKER, body });
    expect([
      stage.count('GET /repos/acme/widgets/issues/5/comments'),
      stage.count('POST'),
      stage.count('PATCH'),
    ]).toEqual([1, 1, 2]);
  });

  verifies('ING-12', 'asks first whether the name still means the same repository', async () => {
    const { stage, write } = await open((seen) =>
      seen.path === '/repos/acme/widgets' ? { body: { ...WIRE_REPOSITORY, id: 43 } } : undefined,
    );
    const work = write.ensureComment(THREAD, { marker: MARKER, body: 'x' });
    await expect(work).rejects.toMatchObject({ code: 'github-moved' });
    expect(stage.count('POST')).toBe(0);
  });

  verifies(
    'ING-12',
    'goes to the id whatever the name is by then, and follows no redirect',
    async () => {
      let name = 'widgets';
      const answer: Script = (seen) => {
        if (/^\/repos\/acme\/\w+$/.test(seen.path))
          return { body: { ...WIRE_REPOSITORY, full_name: `acme/${name}` } };
        if (seen.method === 'GET')
          return seen.path.includes('/comments') ? { body: [] } : undefined;
        return { status: 201, body: wireComment(1, 'x') };
      };
      const { stage, github } = await open(answer);
      await github.at(REF).read.repository(REF);
      name = 'gadgets';
      await github.at(REF).write.ensureComment(THREAD, { marker: MARKER, body: 'x' });
      const posts = stage.seen.filter(({ method }) => method === 'POST');
      expect(posts.map(({ asked }) => asked)).toEqual(['/repositories/42/issues/5/comments']);

      const transferred = await open((seen) =>
        seen.method === 'POST'
          ? { status: 307, headers: { location: '/repositories/77/issues/1/comments' } }
          : seen.path.includes('/comments')
            ? { body: [] }
            : undefined,
      );
      const work = transferred.write.ensureComment(THREAD, { marker: MARKER, body: 'x' });
      await expect(work).rejects.toMatchObject({ code: 'github-moved' });
      expect(transferred.stage.count('POST')).toBe(1);
    },
  );

  test.each([
    [true, 'github-locked'],
    [false, 'github-forbidden'],
  ])('tells a locked thread (%s) from a missing permission', async (locked, code) => {
    const { write } = await open((seen) => {
      if (seen.method === 'POST') return { status: 403, body: { message: 'no' } };
      if (seen.path.includes('/comments')) return { body: [] };
      return seen.path.endsWith('/issues/5') ? { body: wireIssue(5, { locked }) } : undefined;
    });
    await expect(write.ensureComment(THREAD, { marker: MARKER, body: 'x' })).rejects.toMatchObject({
      code,
    });
  });
});

describe('ensureReaction', () => {
  test('on a server without reactions says so once and goes on', async () => {
    const { github, warnings } = await open(() => undefined);
    await github.at(REF).write.ensureReaction(THREAD, { add: 'eyes' });
    await github.at(REF).write.ensureReaction({ ...THREAD, number: 6 }, { add: 'eyes' });
    expect(warnings).toHaveLength(1);
  });

  test('removes only its own', async () => {
    const mine = { id: 2, content: 'eyes', user: WIRE_SELF };
    const theirs = { id: 1, content: 'eyes', user: { id: 11, login: 'alice' } };
    const { stage, write } = await open((seen) => {
      if (!seen.path.includes('/reactions')) return undefined;
      if (seen.method === 'GET') return { body: [theirs, mine] };
      return seen.method === 'POST'
        ? { body: { id: 3, content: 'rocket', user: WIRE_SELF } }
        : { status: 204 };
    });
    await write.ensureReaction(THREAD, { commentId: 8, add: 'rocket', remove: 'eyes' });
    const gone = stage.seen.filter((one) => one.method === 'DELETE').map((one) => one.path);
    expect(gone).toEqual(['/repos/acme/widgets/issues/comments/8/reactions/2']);
  });
});

describe('ensureClosed', () => {
  test('closes as not planned where the server does not know duplicates', async () => {
    const { stage, write } = await open((seen) => {
      if (!seen.path.endsWith('/issues/5')) return undefined;
      if (seen.method === 'GET') return { body: wireIssue(5) };
      const { state_reason: reason } = seen.body as { state_reason: string };
      return reason === 'duplicate' ? { status: 422 } : { body: wireIssue(5) };
    });
    expect(await write.ensureClosed(THREAD, 'duplicate')).toBe('closed');
    expect(stage.seen.at(-1)?.body).toEqual({ state: 'closed', state_reason: 'not_planned' });
  });

  test('gives no reason for a pull request', async () => {
    const { stage, write } = await open((seen) =>
      seen.path.endsWith('/issues/5')
        ? { body: wireIssue(5, { pull_request: { url: 'x' } }) }
        : undefined,
    );
    await write.ensureClosed(THREAD, 'completed');
    expect(stage.seen.at(-1)?.body).toEqual({ state: 'closed' });
  });
});

describe('ensureLabels', () => {
  test('goes on when somebody else creates the label or removes it in the same moment', async () => {
    let on = [{ name: 'old' }];
    const { stage, write } = await open((seen) => {
      if (seen.method === 'GET' && seen.path.includes('/issues/5/labels')) return { body: on };
      if (seen.method === 'DELETE') on = [];
      if (seen.method === 'POST' && seen.path.endsWith('/acme/widgets/labels'))
        return { status: 422 };
      if (seen.method === 'POST') return { body: [] };
      return undefined;
    });
    const add = [{ name: 'new', color: '#00ff00', description: 'd'.repeat(200) }];
    await write.ensureLabels(THREAD, { add, remove: ['old'] });
    const created = stage.seen.find((one) => one.path.endsWith('/acme/widgets/labels'))?.body;
    expect(created).toEqual({ name: 'new', color: '00ff00', description: 'd'.repeat(100) });
    expect([
      stage.count('POST /repos/acme/widgets/issues/5/labels'),
      stage.count('DELETE'),
    ]).toEqual([1, 1]);
  });

  test('does not report a label as removed while GitHub still lists it', async () => {
    const { write } = await open((seen) =>
      seen.method === 'GET' && seen.path.includes('/issues/5/labels')
        ? { body: [{ name: 'old' }] }
        : undefined,
    );
    const work = write.ensureLabels(THREAD, { add: [], remove: ['old'] });
    await expect(work).rejects.toMatchObject({
      code: 'github-not-found',
      isEventuallyConsistent: true,
    });
  });
});

describe('errors', () => {
  test('name the permission that GitHub asks for', async () => {
    const { write } = await open((seen) =>
      seen.path.includes('/labels')
        ? {
            status: 403,
            headers: { 'x-accepted-github-permissions': 'issues=write' },
            body: { message: 'Resource not accessible' },
          }
        : undefined,
    );
    const work = write.ensureLabels(THREAD, { add: [], remove: ['x'] });
    await expect(work).rejects.toMatchObject({
      code: 'github-forbidden',
      details: expect.stringContaining('issues=write'),
    });
  });
});
