import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseJsonBytes } from '../../../src/adapters/http/json.ts';
import { isSigned } from '../../../src/adapters/http/signature.ts';
import { TransientError } from '../../../src/domain/event/errors.ts';
import { verifies } from '../../verifies.ts';
import { CLOCK, deliver, example, headersOf, openDoor, readExamples, sign } from './door.ts';
import type { Door } from './door.ts';

const MB = 1024 * 1024;
const REOPENED = example('issues', 'reopened');

describe('an open door', () => {
  let door: Door;
  beforeAll(async () => {
    door = await openDoor();
  });
  afterAll(() => door.stop());

  async function rowCount(): Promise<number> {
    return (await door.rows()).length;
  }

  /** Sends, and checks that the refusal left nothing behind. */
  async function refused(
    body: string | Uint8Array<ArrayBuffer>,
    overrides: Record<string, string | undefined> = {},
  ): Promise<string> {
    const before = await rowCount();
    const answer = await deliver(door.url, body, overrides);
    expect(await rowCount()).toBe(before);
    return `${answer.status} ${answer.body.code}`;
  }

  test('a good delivery is written down and answered with 202', async () => {
    const id = randomUUID();
    const body = JSON.stringify(example('issues', 'opened', { sender: { id: 3, login: 'mona' } }));
    const answer = await deliver(door.url, body, { 'x-github-delivery': id });
    expect(answer).toEqual({ status: 202, body: { status: 'queued' } });
    expect((await door.rows()).find((row) => row.id === id)).toMatchObject({
      status: 'pending',
      key: expect.stringMatching(/^thread:/) as string,
      data: { kind: 'trigger', trigger: { kind: 'opened' } },
    });
  });

  verifies('ING-01', "GitHub's own example of a signature is accepted", () => {
    const secret = ['It', "'s a Secret to Everybody"].join('');
    const known = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    const body = Buffer.from('Hello, World!');
    expect(isSigned(body, `sha256=${known}`, [secret])).toBe(true);
    expect(isSigned(body, `sha256=${known}`, ['another'])).toBe(false);
    expect(isSigned(body, `sha256=${known}`, [''])).toBe(false);
    expect(isSigned(body, `sha256=${known}`, [])).toBe(false);
  });

  verifies(
    'ING-01',
    'forged, missing, old-style and mis-shaped signatures leave no row',
    async () => {
      const body = JSON.stringify({ ...REOPENED, note: 'ünïcødé ✓' });
      const variants: (string | undefined)[] = [
        undefined,
        '',
        'sha256=',
        sign(body, 'another secret'),
        sign(`${body} `),
        sign(JSON.stringify(JSON.parse(body), undefined, 1)),
        sign(body).slice(0, -2),
        `${sign(body)}00`,
        sign(body).replace('sha256=', 'sha1='),
        sign(body).toUpperCase(),
        sign(body).replace('sha256=', ''),
      ];
      for (const signature of variants)
        expect(await refused(body, { 'x-hub-signature-256': signature })).toBe(
          '401 signature-invalid',
        );
      const sha1Only = { 'x-hub-signature-256': undefined, 'x-hub-signature': 'sha1=00' };
      expect(await refused(body, sha1Only)).toBe('401 signature-invalid');
      expect(door.lines.join('\n')).not.toContain('ünïcødé');
      expect((await deliver(door.url, body)).status).toBe(202);
    },
  );

  test('headers that GitHub always sends are needed, in their form', async () => {
    const body = JSON.stringify(REOPENED);
    for (const name of ['x-github-event', 'x-github-delivery'])
      expect(await refused(body, { [name]: undefined })).toBe('400 header-missing');
    for (const id of ['short', 'has spaces in it', 'a'.repeat(101), '../../etc/passwd'])
      expect(await refused(body, { 'x-github-delivery': id })).toBe('400 header-missing');
    expect(await refused(body, { 'x-github-event': 'a'.repeat(65) })).toBe('400 header-missing');
  });

  test('forms, other types and compressed bodies are not read', async () => {
    const form = `payload=${encodeURIComponent(JSON.stringify(REOPENED))}`;
    const type = 'application/x-www-form-urlencoded';
    expect(await refused(form, { 'content-type': type })).toBe('415 media-type-unsupported');
    const body = JSON.stringify(REOPENED);
    for (const other of ['text/plain', 'application/jsonp', 'application/json-seq'])
      expect(await refused(body, { 'content-type': other })).toBe('415 media-type-unsupported');
    expect(await refused(body, { 'content-encoding': 'gzip' })).toBe('415 media-type-unsupported');
    const charset = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await deliver(door.url, body, charset)).status).toBe(202);
  });

  test.each([
    ['cut JSON', Buffer.from(JSON.stringify(REOPENED).slice(0, -20))],
    ['nothing', Buffer.alloc(0)],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['100,000 brackets', Buffer.from('['.repeat(1e5) + ']'.repeat(1e5))],
    ['100,000 objects', Buffer.from('{"a":'.repeat(1e5) + '1' + '}'.repeat(1e5))],
    ['a byte order mark', Buffer.from('\uFEFF{}')],
  ])('%s, well signed, is refused as malformed', async (_name, body) => {
    expect(await refused(Uint8Array.from(body))).toBe('400 payload-malformed');
  });

  verifies(
    'ING-08',
    'null sender, null body, unknown events and odd values are kept as ignored or queued',
    async () => {
      const issue = { ...(REOPENED['issue'] as object), user: null, body: null };
      const bodies: [string, unknown, string][] = [
        ['issues', { ...REOPENED, sender: null, issue }, 'queued'],
        ['issues', { ...REOPENED, issue: null }, 'ignored'],
        [
          'issue_comment',
          { ...REOPENED, action: 'created', comment: { id: 1, user: null } },
          'queued',
        ],
        ['never_heard_of', { action: 'x' }, 'ignored'],
        ['issues', 'just text', 'ignored'],
        ['issues', null, 'ignored'],
        ['issues', [1, 2], 'ignored'],
        ['ping', { zen: 'Design for failure.', hook_id: 1 }, 'ignored'],
      ];
      for (const [event, payload, status] of bodies) {
        const id = randomUUID();
        const headers = { 'x-github-event': event, 'x-github-delivery': id };
        const answer = await deliver(door.url, JSON.stringify(payload), headers);
        expect([answer.status, answer.body.status]).toEqual([202, status]);
        const row = (await door.rows()).find((each) => each.id === id);
        expect(row?.status).toBe(status === 'queued' ? 'pending' : 'ignored');
        expect(row?.reason ?? undefined).toBe(answer.body.reason);
      }
    },
  );

  verifies('LOOP-01', 'our own events are dropped at the door', async () => {
    const sender = { id: 777, login: 'quorum[bot]', type: 'Bot' };
    const own = await deliver(door.url, JSON.stringify({ ...REOPENED, sender }));
    expect(own.body).toEqual({ status: 'ignored', reason: 'own event' });
    const comment = {
      id: 4,
      user: { id: 3, login: 'mona' },
      performed_via_github_app: { id: 12345 },
    };
    const viaUs = JSON.stringify({ ...REOPENED, action: 'created', comment });
    const answer = await deliver(door.url, viaUs, { 'x-github-event': 'issue_comment' });
    expect(answer.body.reason).toBe('own event');
  });

  verifies(
    'ING-03',
    'the same GUID fifty times at once is one row, and each is acknowledged',
    async () => {
      const before = await rowCount();
      const id = randomUUID();
      const body = JSON.stringify(example('issues', 'transferred'));
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => deliver(door.url, body, { 'x-github-delivery': id })),
      );
      expect(answers.map((each) => each.status)).toEqual(Array.from({ length: 50 }, () => 202));
      expect(answers.filter((each) => each.body.status === 'queued')).toHaveLength(1);
      expect(answers.filter((each) => each.body.status === 'duplicate')).toHaveLength(49);
      expect(await rowCount()).toBe(before + 1);
    },
  );

  verifies(
    'ING-04: kept and not queued',
    'a captured body under a new GUID is kept, and not queued again',
    async () => {
      const body = JSON.stringify(example('issues', 'labeled', { sender: { id: 31, login: 'x' } }));
      const replay = randomUUID();
      expect((await deliver(door.url, body)).body.status).toBe('queued');
      const answer = await deliver(door.url, body, { 'x-github-delivery': replay });
      expect(answer).toMatchObject({ status: 202, body: { status: 'duplicate' } });
      const row = (await door.rows()).find((each) => each.id === replay);
      expect(row).toMatchObject({ status: 'ignored', reason: expect.any(String) as string });
    },
  );

  test('answers other methods with the right one in `allow`', async () => {
    const response = await fetch(`${door.url}/api/github/webhooks`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  verifies('ING-07', 'too large a body is cut off, announced or not, signed or not', async () => {
    const announced = await sendRaw(door.url, { announce: 26 * MB, send: 1 });
    const chunked = await sendRaw(door.url, { send: 26 });
    expect(announced).toMatchObject({ status: 413, connection: 'close' });
    expect(chunked).toMatchObject({ status: 413, connection: 'close' });
    expect(await rowCount()).toBeGreaterThan(0);
  });

  verifies('ING-07', 'a body of exactly the cap is read', async () => {
    const head = '{"action":"x","pad":"';
    const body = `${head}${'a'.repeat(25 * MB - head.length - 2)}"}`;
    expect((await deliver(door.url, body)).body.status).toBe('ignored');
  });

  verifies('ING-07', '60 MB unsigned do not stay in memory', async () => {
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
    const answer = await sendRaw(door.url, { send: 60 });
    clearInterval(watch);
    expect(answer.status).toBe(413);
    expect((peak - before) / MB).toBeLessThan(50);
  });

  test('a sender who hangs up in the middle disturbs nobody', async () => {
    const before = await rowCount();
    const { port } = new URL(door.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = Object.entries(headersOf('x', { 'content-length': '1000' }));
    const lines = head.map(([name, value]) => `${name}: ${value}`).join('\r\n');
    await new Promise<void>((resolve) => {
      socket.on('connect', () => {
        socket.write(
          `POST /api/github/webhooks HTTP/1.1\r\nhost: x\r\n${lines}\r\n\r\n{"half":`,
          () => {
            socket.destroy();
            resolve();
          },
        );
      });
    });
    expect((await deliver(door.url, JSON.stringify({ action: 'alive' }))).status).toBe(202);
    expect(await rowCount()).toBe(before + 1);
  });
});

describe('doors of other kinds', () => {
  let door: Door | undefined;
  afterEach(() => door?.stop());

  verifies(
    'ING-02',
    'while a secret is replaced both are live, and the retired one is not',
    async () => {
      const body = JSON.stringify({ action: 'x' });
      const [next, old, retired] = ['next-secret', 'old-secret', 'retired-secret'];
      door = await openDoor({ secrets: [next, old] });
      const status = async (secret: string): Promise<number> =>
        (await deliver(door!.url, body, { 'x-hub-signature-256': sign(body, secret) })).status;
      expect([await status(next), await status(old), await status(retired)]).toEqual([
        202, 202, 401,
      ]);
    },
  );

  verifies(
    ['ING-06', 'DUR-05: answer while the store is down'],
    'with the store down a delivery is answered with 503, and nothing is claimed',
    async () => {
      door = await openDoor();
      const { store, url } = door;
      const append = store.append.bind(store);
      store.append = () =>
        Promise.reject(new TransientError({ code: 'store-down', message: 'disk full' }));
      const body = JSON.stringify(REOPENED);
      const id = { 'x-github-delivery': randomUUID() };
      const response = await fetch(`${url}/api/github/webhooks`, {
        method: 'POST',
        headers: headersOf(body, id),
        body,
      });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
      expect(await response.json()).toMatchObject({ code: 'store-unavailable' });
      store.append = append;
      expect((await deliver(url, body, id)).body.status).toBe('queued');
    },
  );

  test('a store that hangs counts as down before GitHub stops waiting', async () => {
    const waits: number[] = [];
    const clock = { ...CLOCK, sleep: (ms: number) => Promise.resolve(void waits.push(ms)) };
    door = await openDoor({ clock });
    door.store.append = () => new Promise(() => undefined);
    expect((await deliver(door.url, '{}')).status).toBe(503);
    expect(Math.max(...waits)).toBeLessThan(10_000);
  });

  test('a sender who trickles is cut off', async () => {
    door = await openDoor({ timeouts: { headers: 200, request: 300, check: 50 } });
    const { port } = new URL(door.url);
    for (const start of ['POST /api/github/webhooks HTTP/1.1\r\nx-a: 1', trickledBody()]) {
      const socket = connect(Number(port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.write(start);
      await new Promise((resolve) => socket.on('close', resolve));
      expect(text).toMatch(/^HTTP\/1\.1 408 /);
    }
    expect((await deliver(door.url, JSON.stringify({ action: 'x' }))).status).toBe(202);
  });

  test("all of GitHub's published payloads end queued or ignored with a reason, and none is lost", async () => {
    const examples = readExamples();
    expect(examples).toHaveLength(329);
    door = await openDoor();
    const sent = new Map<string, string>();
    const variants = examples.flatMap(({ event, payload }) => [
      { event, payload },
      { event, payload: { ...payload, installation: { id: 9 } } },
    ]);
    for (const { event, payload } of variants) {
      const id = randomUUID();
      const headers = { 'x-github-event': event, 'x-github-delivery': id };
      const answer = await deliver(door.url, JSON.stringify(payload), headers);
      expect(answer.status).toBe(202);
      if (answer.body.status === 'ignored') expect(answer.body.reason).toBeTruthy();
      sent.set(id, answer.body.status ?? '');
    }
    const rows = new Map((await door.rows()).map((row) => [row.id, row]));
    for (const [id, status] of sent) {
      if (status === 'queued') expect(rows.get(id)?.status).toBe('pending');
      if (status === 'ignored') expect(rows.get(id)?.reason).toBeTruthy();
      if (status === 'duplicate') expect(rows.get(id)?.status).toBe('ignored');
    }
    expect(rows.size).toBe(sent.size);
    const counts = await door.store.records.counts();
    expect(counts.events.pending + counts.events.ignored).toBe(rows.size);
    expect([...sent.values()].filter((status) => status === 'queued').length).toBeGreaterThan(25);
  });
});

describe('reading JSON', () => {
  test('agrees with JSON.parse on what is not too deep', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), (text) => {
        expect(parseJsonBytes(Buffer.from(text))).toEqual({ value: JSON.parse(text) });
      }),
    );
  });

  test('never throws on any bytes, and brackets in strings are no depth', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        parseJsonBytes(Buffer.from(bytes));
      }),
    );
    const text = JSON.stringify({ a: `${'['.repeat(5000)}\\"` });
    expect(parseJsonBytes(Buffer.from(text))).toEqual({ value: JSON.parse(text) });
    expect(parseJsonBytes(Buffer.from('['.repeat(200) + ']'.repeat(200)))).toBeDefined();
    expect(parseJsonBytes(Buffer.from('['.repeat(201) + ']'.repeat(201)))).toBeUndefined();
    expect(parseJsonBytes(Buffer.from('"never ends'))).toBeUndefined();
  });
});

function trickledBody(): string {
  const lines = Object.entries(headersOf('x', { 'content-length': '1000' }))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n');
  return `POST /api/github/webhooks HTTP/1.1\r\nhost: x\r\n${lines}\r\n\r\n{"half":`;
}

/** Streams so many MB without a right signature, announced by a length or not. */
function sendRaw(
  url: string,
  { announce, send }: { announce?: number; send: number },
): Promise<{ status: number | undefined; connection: string | undefined }> {
  const length = announce === undefined ? {} : { 'content-length': String(announce) };
  const headers = { ...headersOf('x'), ...length };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}/api/github/webhooks`,
      { method: 'POST', headers },
      (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode, connection: answer.headers.connection });
        outgoing.destroy();
      },
    );
    outgoing.on('error', reject);
    const chunk = Buffer.alloc(MB, 'a');
    let left = send;
    const write = (): void => {
      while (left-- > 0) if (!outgoing.write(chunk)) return void outgoing.once('drain', write);
      if (announce === undefined) outgoing.end();
    };
    write();
  });
}
