/** An emulated Slack on loopback: Web API, uploads, Socket Mode, signed events, and pages that show the channels. */
import type { Clock } from '../../../ports/clock.ts';
import {
  json,
  serve,
  takeFault,
  withFault,
  type ChatAnswer,
  type ChatFault,
  type ChatRequest,
} from '../serve.ts';
import { signEvent, toSlackEvent } from './slack-events.ts';
import {
  slackRefusal,
  MESSAGE_METHODS,
  missing,
  type Args,
  type SlackAnswer,
} from './slack-methods.ts';
import { OTHER_METHODS } from './slack-more-methods.ts';
import { toForm } from './slack-blocks.ts';
import { slackPage } from './slack-page.ts';
import { openSlackSocket, type SlackSocket } from './slack-socket.ts';
import {
  createSlackWorld,
  findChannel,
  type SlackChannel,
  type SlackMessage,
  type SlackSecrets,
  type SlackWorld,
} from './slack-world.ts';

export interface SlackOptions {
  clock: Clock;
  secrets: SlackSecrets;
  port?: number;
}

export interface SlackEmulator {
  /** For `SLACK_API_URL`. */
  apiUrl: string;
  url: string;
  world: SlackWorld;
  faults: ChatFault[];
  socket: SlackSocket;
  /** Every call of a method, in order. `at`: when it was answered, in ms since the epoch. */
  calls: { method: string; args: Args; status: number; at: number }[];
  /** The signed body and headers with which the Events API delivers a message. */
  delivery(
    channel: SlackChannel,
    message: SlackMessage,
  ): { headers: Record<string, string>; body: string };
  /** Somebody presses a button of a message: the signed body and headers of the delivery. */
  press(payload: Record<string, unknown>): { headers: Record<string, string>; body: string };
  close(): Promise<void>;
}

const METHODS = { ...MESSAGE_METHODS, ...OTHER_METHODS };
const FORM = 'application/x-www-form-urlencoded';
/** Slack lets an App post so often in one channel. */
const POST_EVERY_MS = 1_000;

export async function startSlack({
  clock,
  secrets,
  port = 0,
}: SlackOptions): Promise<SlackEmulator> {
  const world = createSlackWorld(clock, secrets);
  const state: State = { world, faults: [], calls: [], url: '', socket: undefined };
  const listening = await serve(port, (request) => answer(state, request));
  const socket = await openSlackSocket(listening.server, world.bot.appId);
  Object.assign(state, { socket, url: listening.url });
  return {
    url: listening.url,
    apiUrl: `${listening.url}/api/`,
    world,
    faults: state.faults,
    calls: state.calls,
    socket,
    delivery: (channel, message) => {
      const body = JSON.stringify(toSlackEvent(world, channel, message));
      return {
        body,
        headers: signEvent(world.signingSecret, body, Math.floor(clock.now() / 1000)),
      };
    },
    press: (payload) => {
      const body = toForm(payload);
      const seconds = Math.floor(clock.now() / 1000);
      const signed = signEvent(world.signingSecret, body, seconds);
      return { body, headers: { ...signed, 'content-type': FORM } };
    },
    close: () => {
      socket.close();
      return listening.close();
    },
  };
}

interface State {
  world: SlackWorld;
  faults: ChatFault[];
  calls: SlackEmulator['calls'];
  url: string;
  socket: SlackSocket | undefined;
}

async function answer(state: State, request: ChatRequest): Promise<ChatAnswer | undefined> {
  const { world } = state;
  if (request.method === 'GET')
    return found(slackPage(world, request.path) ?? privateFile(world, request));
  const upload = /^\/upload\/v1\/(F\d+)$/.exec(request.path)?.[1];
  const method = upload === undefined ? request.path.replace(/^\/api\//, '') : 'upload';
  const args = upload === undefined ? readArgs(request) : {};
  const fault = takeFault(state.faults, method);
  const happens = async (): Promise<ChatAnswer> =>
    upload === undefined
      ? callMethod(state, { method, args, request })
      : takeUpload(world, upload, request);
  const answered = await withFault(fault, happens);
  state.calls.push({ method, args, status: answered?.status ?? 0, at: world.clock.now() });
  return answered;
}

function found(answered: ChatAnswer | undefined): ChatAnswer {
  return (
    answered ?? { status: 404, headers: { 'content-type': 'text/plain' }, body: 'not found\n' }
  );
}

/** Only with the bot's token, as Slack keeps files. */
function privateFile(world: SlackWorld, { path, headers }: ChatRequest): ChatAnswer | undefined {
  const id = /^\/files\/(F\w+)$/.exec(path)?.[1];
  const isAllowed = headers.authorization === `Bearer ${world.botToken}` && !world.isRevoked;
  const file = world.channels
    .flatMap(({ messages }) => messages.flatMap(({ files }) => files))
    .find((each) => each.id === id);
  if (id === undefined || file?.bytes === undefined || !isAllowed) return undefined;
  return { status: 200, headers: { 'content-type': file.mimetype }, body: file.bytes };
}

interface Call {
  method: string;
  args: Args;
  request: ChatRequest;
}

function callMethod(state: State, { method, args, request }: Call): ChatAnswer {
  const { world } = state;
  const refusal = refuse(world, method, request);
  if (refusal !== undefined) return json(refusal);
  const headers = { 'x-oauth-scopes': [...world.scopes].join(',') };
  if (method === 'apps.connections.open') {
    const at = new URL(state.url).host;
    return json({ ok: true, url: `ws://${at}/link/?ticket=${state.socket?.ticket()}` });
  }
  const limited = method === 'chat.postMessage' ? waitFor(world, args) : 0;
  if (limited > 0)
    return json(slackRefusal('ratelimited'), 429, {
      'retry-after': String(Math.ceil(limited / 1000)),
    });
  const result = METHODS[method]?.run(world, args) ?? slackRefusal('unknown_method');
  return json(withAddress(result, state.url), 200, headers);
}

function refuse(
  world: SlackWorld,
  method: string,
  { headers }: ChatRequest,
): SlackAnswer | undefined {
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) return slackRefusal('not_authed');
  if (world.isRevoked) return slackRefusal('token_revoked');
  if (method === 'apps.connections.open')
    return token === world.appToken ? undefined : slackRefusal('invalid_auth');
  if (token !== world.botToken) return slackRefusal('invalid_auth');
  const scope = METHODS[method]?.scope;
  return scope === undefined || world.scopes.has(scope) ? undefined : missing(world, scope);
}

function waitFor(world: SlackWorld, args: Args): number {
  const channel = findChannel(world, args['channel']);
  return channel === undefined ? 0 : channel.lastPostAt + POST_EVERY_MS - world.clock.now();
}

/** Uploads go to this server. */
function withAddress(result: SlackAnswer, url: string): SlackAnswer {
  const path = result['upload_url'];
  return typeof path === 'string' ? { ...result, upload_url: `${url}${path}` } : result;
}

function readArgs({ headers, body, query }: ChatRequest): Args {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  return Object.fromEntries([...query, ...(isForm ? new URLSearchParams(body.toString()) : [])]);
}

async function takeUpload(
  world: SlackWorld,
  id: string,
  { headers, body }: ChatRequest,
): Promise<ChatAnswer> {
  const file = world.uploads.get(id);
  if (file === undefined) return found(undefined);
  const type = headers['content-type'] ?? '';
  const form = type.startsWith('multipart/form-data')
    ? await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    : undefined;
  const part = form?.get('body') ?? form?.get('file');
  file.bytes =
    part instanceof Blob ? Buffer.from(await part.arrayBuffer()) : Buffer.from(part ?? body);
  return {
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: `OK - ${file.bytes.length}`,
  };
}
