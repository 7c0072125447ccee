/** Events of repositories that the installation does not cover: one look, then the end. */
import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createLog } from '../../src/hosts/create-log.ts';
import { aWorld, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const ELSEWHERE = 'eve/elsewhere';
const LOGGED = 'repository not covered by the installation';

/** A recorded delivery as if it were of another repository, signed as GitHub would sign it. */
async function sendAs(world: TestWorld, event: string, place: { id: number; full_name: string }) {
  const found = world.emulator.deliveries.find((one) => `${one.event}.${one.action}` === event);
  const payload = JSON.parse(found?.payload ?? '{}') as { repository: Record<string, unknown> };
  const [login, name] = place.full_name.split('/');
  payload.repository = { ...payload.repository, ...place, name, owner: { login } };
  const body = JSON.stringify(payload);
  const secret = world.emulator.app(world.appId).webhookSecret ?? '';
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const answer = await fetch(`${world.app.url}/api/github/webhooks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': found?.event ?? '',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  });
  await answer.text();
  expect(answer.status).toBe(202);
}

/** A world with a label and a comment among its deliveries, a private repository beside it, and its log. */
async function aWorldBeside(): Promise<{ world: TestWorld; id: number; lines: string[] }> {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const world = await aWorld({ log: createLog({ level: 'info', format: 'json', destination }) });
  const { emulator } = world;
  const { number } = await emulator.as('tom').openIssue(REPO, READY_ISSUE);
  await emulator.as('ana').comment(REPO, number, '/pm why');
  await emulator.as('ana').label(REPO, number, ['deliberate']);
  await world.idle();
  const history = [{ message: 'feat: first', author: 'eve', files: { 'a.md': 'a\n' } }];
  const { id } = await emulator.createRepository({
    owner: 'eve',
    name: 'elsewhere',
    private: true,
    history,
  });
  await world.idle();
  return { world, id, lines };
}

function requestsSince({ emulator }: TestWorld, from: number): string[] {
  return emulator.requests.slice(from).map(({ method, path }) => `${method} ${path}`);
}

describe('an event of a repository that the installation does not cover', () => {
  verifies('ING-12', 'ends at the first look, and the log names the repository once', async () => {
    const { world, id, lines } = await aWorldBeside();
    const from = world.emulator.requests.length;
    await sendAs(world, 'issues.labeled', { id, full_name: ELSEWHERE });
    await sendAs(world, 'issue_comment.created', { id, full_name: ELSEWHERE });
    await world.idle();
    const refused = await world.store.records.effects({ status: 'refused', limit: 10 });
    expect(refused.map(({ attempts }) => attempts)).toEqual([1, 1]);
    for (const { reason } of refused) expect(reason).toContain('does not cover eve/elsewhere');
    const requests = requestsSince(world, from);
    // Two looks at the same moment share the answer.
    const asked = requests.filter((one) => one.endsWith('/installation')).length;
    expect([1, 2]).toContain(asked);
    expect(requests.length).toBeLessThanOrEqual(6);
    expect(lines.filter((line) => line.includes(LOGGED))).toHaveLength(1);
  });

  verifies('ING-12', 'is looked at twice where the installation does cover it', async () => {
    const { world } = await aWorldBeside();
    const { emulator } = world;
    await world.stopApp();
    await world.startApp();
    const { number } = await emulator.as('tom').openIssue(REPO, READY_ISSUE);
    await world.idle();
    const fault = { kind: 'status', status: 404, body: { message: 'Not Found' } } as const;
    emulator.faults.add({ method: 'GET', path: /^\/repos\/acme\/tidy$/, times: 1, fault });
    emulator.faults.add({ method: 'POST', path: /graphql/, times: 1, fault });
    await emulator.as('ana').label(REPO, number, ['deliberate']);
    await world.idle();
    expect((await world.tell(number)).comments).toHaveLength(1);
    const looks = (await world.store.records.effects({ limit: 100 })).filter(
      ({ data }) => data.kind === 'look' && data.thread.number === number,
    );
    expect(looks.map(({ attempts, status }) => [attempts, status])).toContainEqual([2, 'done']);
  });
});
