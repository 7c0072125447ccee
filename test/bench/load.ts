/** A sender of webhooks that costs little itself: raw sockets, whole requests, answers read no further than needed. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { NextPayload, SignedPayload } from './payloads.ts';

/** Of every App here: Probot's own path. */
export const PATH = '/api/github/webhooks';

export interface Loaded {
  /** Answers that say that the delivery was taken. */
  taken: number;
  /** Answers that say anything else. */
  refused: number;
  seconds: number;
  /** Of each answer, in milliseconds. */
  latencies: number[];
}

/** One connection that is kept; one request at a time. */
export class Line {
  readonly #socket: Socket;
  #answer: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined;
  #read = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#take(chunk));
    socket.on('error', (error) => this.#answer?.reject(error));
    socket.on('close', () => this.#answer?.reject(new Error('the connection was closed')));
  }

  static open(port: number): Promise<Line> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
        socket.off('error', reject);
        resolve(new Line(socket));
      });
      socket.once('error', reject);
    });
  }

  /** Sends a delivery under an id of its own; resolves with the status of the answer. */
  send({ event, signature, body }: SignedPayload): Promise<number> {
    const head =
      `POST ${PATH} HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: GitHub-Hookshot/bench\r\naccept: */*\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\nx-github-event: ${event}\r\n` +
      `x-github-delivery: ${randomUUID()}\r\nx-hub-signature-256: ${signature}\r\n\r\n`;
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
      this.#socket.cork();
      this.#socket.write(head, 'latin1');
      this.#socket.write(body);
      this.#socket.uncork();
    });
  }

  close(): void {
    this.#answer = undefined;
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    this.#read += chunk;
    if (!isWhole(this.#read)) return;
    const status = Number(this.#read.slice(9, 12));
    this.#read = '';
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.resolve(status);
  }
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1];
  if (length !== undefined) return text.length >= end + 4 + Number(length);
  return text.endsWith('0\r\n\r\n');
}

/** `connections` senders, each of which waits for its answer before it sends again, for a time or a number. */
export async function sendClosed(
  port: number,
  next: NextPayload,
  until: { connections: number; ms?: number; events?: number },
): Promise<Loaded> {
  const loaded: Loaded = { taken: 0, refused: 0, seconds: 0, latencies: [] };
  const lines = await openLines(port, until.connections);
  const startedAt = performance.now();
  const endsAt = startedAt + (until.ms ?? Infinity);
  let sent = 0;
  await Promise.all(
    lines.map(async (line) => {
      while (sent < (until.events ?? Infinity) && performance.now() < endsAt) {
        sent += 1;
        const payload = next();
        await sendOne(line, payload, { loaded, from: performance.now() });
      }
    }),
  );
  loaded.seconds = (performance.now() - startedAt) / 1000;
  for (const line of lines) line.close();
  return loaded;
}

/** Sends at a fixed rate whatever the answers do; the wait for a free connection counts as latency. */
export async function sendOpen(
  port: number,
  next: NextPayload,
  { perSecond, ms }: { perSecond: number; ms: number },
): Promise<Loaded> {
  const loaded: Loaded = { taken: 0, refused: 0, seconds: ms / 1000, latencies: [] };
  const lines = await openLines(port, OPEN_CONNECTIONS);
  const free = [...lines];
  const waiting: number[] = [];
  const underWay: Promise<void>[] = [];
  let payload = next();
  const serve = async (line: Line, first: number): Promise<void> => {
    let from: number | undefined = first;
    while (from !== undefined) {
      const answered = sendOne(line, payload, { loaded, from });
      // Signed while the App works: what a sender does is no latency.
      payload = next();
      await answered;
      from = waiting.shift();
    }
    free.push(line);
  };
  await pace(perSecond, ms, () => {
    const line = free.pop();
    if (line === undefined) waiting.push(performance.now());
    else underWay.push(serve(line, performance.now()));
  });
  while (underWay.length > 0) await Promise.all(underWay.splice(0));
  for (const line of lines) line.close();
  return loaded;
}

const OPEN_CONNECTIONS = 64;

/** Calls back at the rate; what a late timer missed is made up for at once. */
function pace(perSecond: number, ms: number, call: () => void): Promise<void> {
  const startedAt = performance.now();
  const total = Math.round((perSecond * ms) / 1000);
  let called = 0;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(total, ((performance.now() - startedAt) / 1000) * perSecond);
      for (; called < due; called += 1) call();
      if (called < total) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
}

function openLines(port: number, count: number): Promise<Line[]> {
  return Promise.all(Array.from({ length: count }, () => Line.open(port)));
}

async function sendOne(
  line: Line,
  payload: SignedPayload,
  { loaded, from }: { loaded: Loaded; from: number },
): Promise<void> {
  const status = await line.send(payload);
  loaded.latencies.push(performance.now() - from);
  if (status === 200 || status === 202) loaded.taken += 1;
  else loaded.refused += 1;
}
