/** Tokens of installations: each is for one of them, and what git gets reaches one repository. */
import { expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import {
  createTestClock,
  makePrivateKey,
  openGitHub,
  openStage,
  REF,
  type Reply,
} from './stage.ts';

const auth = { kind: 'app', appId: 12, privateKey: makePrivateKey() } as const;

function token(value: string, clock: { now(): number }): Reply {
  const expires = new Date(clock.now() + 3_600_000).toISOString();
  const headers = { date: new Date(clock.now()).toUTCString() };
  return { status: 201, body: { token: value, expires_at: expires }, headers };
}

verifies(
  'SEC-04: one installation each',
  'the token of an installation is sent for that one alone',
  async () => {
    const clock = createTestClock();
    const stage = await openStage(({ method, path }) =>
      method === 'POST' ? token(`of-${path.split('/').at(-2) ?? ''}`, clock) : { body: [] },
    );
    const github = openGitHub(stage, clock, { auth });
    const other = { installationId: 8, repositoryId: 43, owner: 'beta', repo: 'neat' };
    for (const ref of [REF, other, REF]) await github.at(ref).read.pastIssues(ref, 1);
    const sent = stage.seen.filter(({ method }) => method === 'GET');
    expect(sent.map(({ headers }) => headers.authorization)).toEqual([
      'token of-7',
      'token of-8',
      'token of-7',
    ]);
  },
);

verifies(
  'SEC-04: git gets one repository',
  'git gets a token that reaches one repository and its contents',
  async () => {
    const clock = createTestClock();
    const stage = await openStage(({ method }) =>
      method === 'POST' ? token('t', clock) : { status: 404 },
    );
    // Its name is asked for as well, with another token.
    await openGitHub(stage, clock, { auth })
      .remote(REF)
      .catch(() => undefined);
    const minted = stage.seen.filter(({ path }) => path.endsWith('/access_tokens'));
    expect(minted.map(({ body }) => body)).toContainEqual({
      repository_ids: [42],
      permissions: { contents: 'write' },
    });
  },
);
