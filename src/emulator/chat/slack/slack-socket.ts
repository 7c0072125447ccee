/** Socket Mode: one address a connection, a greeting first, and each event until it is acknowledged. */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { WebSocket } from 'ws';
import * as z from 'zod';
import { toEnvelope } from './slack-events.ts';

const PING_MS = 5_000;

export interface SlackSocket {
  /** A new address for one connection. */
  ticket(): string;
  /** Sends to one of the connections; false without connections. */
  send(payload: unknown, retry?: number): boolean;
  /** Ids of the envelopes that were acknowledged. */
  acknowledged: string[];
  /** How long each acknowledgement took, in ms; beyond 3 seconds people see an error. */
  tookMs: number[];
  connections(): number;
  /** Asks every client to connect again, as Slack does some times a day. */
  refresh(): void;
  /** Ends every connection without a close message. */
  drop(): void;
  close(): void;
}

interface State {
  sockets: Set<WebSocket>;
  tickets: Set<string>;
  acknowledged: string[];
  sentAt: Map<string, number>;
  tookMs: number[];
  appId: string;
}

const Acknowledgement = z.object({ envelope_id: z.string() });

export async function openSlackSocket(server: Server, appId: string): Promise<SlackSocket> {
  const { WebSocketServer } = await import('ws');
  const state: State = {
    sockets: new Set(),
    tickets: new Set(),
    acknowledged: [],
    sentAt: new Map(),
    tookMs: [],
    appId,
  };
  const { sockets, tickets } = state;
  const accepts = new WebSocketServer({
    server,
    path: '/link/',
    verifyClient: ({ req }: { req: { url?: string | undefined } }) => {
      const { searchParams } = new URL(req.url ?? '/', 'http://emulator');
      return tickets.delete(searchParams.get('ticket') ?? '');
    },
  });
  accepts.on('connection', (socket) => welcome(state, socket));
  const open = (): WebSocket[] => [...sockets].filter((each) => each.readyState === each.OPEN);
  const drop = (): void => {
    for (const socket of sockets) socket.terminate();
  };
  return {
    acknowledged: state.acknowledged,
    tookMs: state.tookMs,
    connections: () => open().length,
    ticket: () => {
      const id = randomUUID();
      tickets.add(id);
      return id;
    },
    send: (payload, retry) => send(state, open().at(-1), toEnvelope(payload, retry)),
    refresh: () => {
      const wish = JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' });
      for (const socket of open()) socket.send(wish);
    },
    drop,
    close: () => {
      drop();
      accepts.close();
    },
  };
}

/** False where there is no connection. */
function send(
  { sentAt }: State,
  socket: WebSocket | undefined,
  envelope: ReturnType<typeof toEnvelope>,
): boolean {
  sentAt.set(envelope.envelope_id, performance.now());
  socket?.send(JSON.stringify(envelope));
  return socket !== undefined;
}

function welcome({ sockets, acknowledged, sentAt, tookMs, appId }: State, socket: WebSocket): void {
  sockets.add(socket);
  const beat = setInterval(() => socket.ping(), PING_MS);
  socket.on('close', () => {
    clearInterval(beat);
    sockets.delete(socket);
  });
  socket.on('message', (data: Buffer) => {
    const said = Acknowledgement.safeParse(JSON.parse(data.toString()));
    if (!said.success) return;
    const id = said.data.envelope_id;
    acknowledged.push(id);
    tookMs.push(performance.now() - (sentAt.get(id) ?? 0));
  });
  const about = { num_connections: sockets.size, connection_info: { app_id: appId } };
  socket.send(JSON.stringify({ type: 'hello', ...about }));
}
