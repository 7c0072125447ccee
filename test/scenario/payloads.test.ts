/** All of GitHub's published example webhooks through the door of the running App, its worker on: each comes to an end. */
import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import type { StoredEvent } from '../../src/ports/store.ts';
import { aWorld, isWrite, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { pendingButWeek } from '../helpers/pending-but-week.ts';
import { verifies } from '../verifies.ts';

interface Example {
  event: string;
  payload: Record<string, unknown>;
}

const PUBLISHED = 329;
/** Those about the issue, the comments and the repository that other examples delete. */
const ERASED_AT_MOST = 60;

async function examples(): Promise<Example[]> {
  const file = fileURLToPath(import.meta.resolve('@octokit/webhooks-examples'));
  const all = JSON.parse(await readFile(file, 'utf8')) as {
    name: string;
    examples: Record<string, unknown>[];
  }[];
  return all.flatMap(({ name, examples: list }) =>
    list.map((payload) => ({ event: name, payload })),
  );
}

/** As a webhook of our App would carry them: without an installation most are refused at the door. */
function asOurs({ event, payload }: Example, world: TestWorld): Example {
  const old = payload['installation'];
  const more = typeof old === 'object' && old !== null ? old : {};
  return {
    event,
    payload: { ...payload, installation: { ...more, id: world.installationId } },
  };
}

/** As of our own repository: what acts on it is really tried, mostly on threads that are not there. */
function asOfOurRepository(example: Example, world: TestWorld): Example {
  const { event, payload } = asOurs(example, world);
  if (typeof payload['repository'] !== 'object') return { event, payload };
  const { id } = world.emulator.repository(REPO);
  const [owner, name] = REPO.split('/');
  const more = { id, name, full_name: REPO, owner: { login: owner } };
  return { event, payload: { ...payload, repository: { ...payload['repository'], ...more } } };
}

/** What closes a place comes last, so that the others are not refused for it. */
function closingLast(list: readonly Example[]): Example[] {
  const closes = ({ event, payload }: Example): boolean =>
    (event === 'installation' || event === 'installation_repositories' || event === 'repository') &&
    /^(deleted|suspend|removed|transferred)$/.test(String(payload['action']));
  return list.toSorted((a, b) => Number(closes(a)) - Number(closes(b)));
}

async function send(
  world: TestWorld,
  { event, payload }: Example,
  id: string = randomUUID(),
): Promise<[string, number]> {
  const body = JSON.stringify(payload);
  const secret = world.emulator.app(world.appId).webhookSecret ?? '';
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const answer = await fetch(`${world.app.url}/api/github/webhooks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  });
  await answer.text();
  return [id, answer.status];
}

const VARIANTS: [string, (example: Example, world: TestWorld) => Example][] = [
  ['as they are', (example) => example],
  ['as of our installation', asOurs],
  ['as of our repository', asOfOurRepository],
];

describe.each(VARIANTS)('GitHub’s example payloads, %s', (_, change) => {
  verifies(
    ['P1', 'ING-08', 'ING-12'],
    'each is kept and ends, with the reason where nothing was done',
    async () => {
      const world = await aWorld();
      // The place they speak of is not ours: give the App something to do in between, too.
      const number = await world.ask(READY_ISSUE);
      await world.idle();
      const list = closingLast(await examples());
      expect(list).toHaveLength(PUBLISHED);
      const sent: [string, number, Example][] = [];
      for (const one of list) {
        const example = change(one, world);
        sent.push([...(await send(world, example)), example]);
      }
      expect(sent.filter(([, status]) => status !== 202)).toEqual([]);
      await world.idle();
      const events = await world.store.records.events({ limit: 5000 });
      const byId = new Map<string, StoredEvent>(events.map((event) => [event.id, event]));
      const missing = sent.filter(([id]) => !byId.has(id));
      // Some examples delete an issue, a comment or a repository, which erases what came before about it.
      expect(missing.length).toBeLessThan(ERASED_AT_MOST);
      for (const [id, , example] of missing) await expectErased(world, id, example);
      const kept = sent.flatMap(([id]) => byId.get(id) ?? []);
      const open = kept.filter((event) => event.status !== 'done' && event.status !== 'ignored');
      expect(open).toEqual([]);
      const silent = kept.filter((event) => event.status === 'ignored' && !event.reason);
      expect(silent).toEqual([]);
      await expectAllEnded(world);
      expect((await fetch(`${world.app.url}/healthz`)).status).toBe(200);
      expect((await world.tell(number)).comments).toHaveLength(1);
    },
  );
});

/** The id of an erased delivery stays known, so the same delivery is a duplicate. A lost one would become an event. */
async function expectErased(world: TestWorld, id: string, example: Example): Promise<void> {
  expect((await send(world, example, id))[1]).toBe(202);
  expect(await world.store.records.events({ idEnd: id, limit: 1 })).toEqual([]);
}

async function expectAllEnded(world: TestWorld): Promise<void> {
  const { events, effects } = await world.store.records.counts();
  expect(events).toMatchObject({ dead: 0, parked: 0 });
  expect(await pendingButWeek(world.store.records)).toBe(0);
  expect(effects).toMatchObject({ pending: 0, dead: 0 });
  const refused = await world.store.records.effects({ status: 'refused', limit: 1000 });
  expect(refused.filter((effect) => !effect.reason)).toEqual([]);
  // No example asks for anything: nothing is written but what our own issue brought about, and what an installation that
  // reports its repositories has set there.
  const writes = world.emulator.requests.filter(
    (request) =>
      isWrite(request) &&
      !/\/acme\/tidy\/(issues\/1\/|issues\/comments|labels)|\/check-suites\/preferences$/.test(
        request.path,
      ),
  );
  expect(writes).toEqual([]);
}
