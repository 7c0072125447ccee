/** Whose login it is: answers of GitHub that name an account, none, or nothing for now. */
import { describe, expect, test } from 'vitest';
import { TransientError } from '../../../src/domain/event/errors.ts';
import { createTestClock, inQueue, openGitHub, openStage, REF, type Reply } from './stage.ts';

describe('whose login it is', () => {
  const ask = async (reply: Reply) => {
    const stage = await openStage(() => reply);
    const clock = createTestClock();
    const { survey } = openGitHub(stage, clock).at(REF);
    return (await inQueue(clock, () => survey.person(REF, 'alice'))).found;
  };

  test.each<[string, Reply]>([
    ['no account in the answer', { body: { permission: 'admin', user: null } }],
    ['404', { status: 404 }],
    ['403', { status: 403 }],
  ])('nobody known with %s', async (_title, reply) => {
    expect(await ask(reply)).toBeUndefined();
  });

  test('is as GitHub writes it, with the finer role', async () => {
    const user = { id: 11, login: 'Alice' };
    const body = { permission: 'write', role_name: 'maintain', user };
    expect(await ask({ body })).toEqual({ ...user, permission: 'maintain' });
  });

  test('is no answer at all where it cannot be asked for now', async () => {
    await expect(ask({ status: 503 })).rejects.toBeInstanceOf(TransientError);
  });
});
