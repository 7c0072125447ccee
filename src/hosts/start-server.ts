/** The web server of the App: our door for webhooks in front, then health, metrics, setup and what others add. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { hasToken } from '../adapters/http/bearer-token.ts';
import {
  answerJson,
  answerProblem,
  refuseUnread,
  SAFE_HEADERS,
} from '../adapters/http/http-answers.ts';
import type { Problem } from '../adapters/http/http-answers.ts';
import { createReadiness } from '../adapters/http/readiness.ts';
import { createIngress } from '../adapters/http/ingress.ts';
import { createFailedCount } from '../act/memory/failed-reflections.ts';
import { createMetrics } from '../adapters/http/metrics.ts';
import type { Metrics } from '../adapters/http/metrics.ts';
import { PROBLEMS } from '../adapters/http/http-problems.ts';
import { NO_HOST_CAPS, type HostCaps } from '../domain/config/host-caps.ts';
import type { CallCounts } from '../domain/run/ledger.ts';
import type { Actor } from '../domain/run/thread-ref.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import { receive } from '../run.ts';
import type { AppCredentials } from './environment/app-credentials.ts';
import { standupRoutes } from './api/standup-routes.ts';
import { WEBHOOK_PATH } from './setup/app-manifest.ts';
import { createSetup } from './setup/setup.ts';
import type { Route, SetupPage } from './setup/setup.ts';
import type { SetupOptions } from './setup/setup-visit.ts';

export interface ServerOptions {
  /** Default `127.0.0.1`: set `HOST` to be reached from elsewhere. */
  host?: string;
  /** 0 takes any free port. */
  port: number;
  store: Pick<Store, 'append' | 'records' | 'standups'>;
  clock: Clock;
  log: Log;
  /** Live webhook secrets, one or two; none until the App is set up. */
  secrets: readonly string[];
  appId?: number | undefined;
  /** Installation to assume for a repository's own webhooks, in token mode. */
  installationId?: number | undefined;
  /** Who our comments are by, once GitHub said so. */
  identity: () => Actor | undefined;
  /** Opens the setup page while there are no secrets. */
  setup?: Omit<SetupOptions, 'log' | 'clock'>;
  /** Tried in order after our own paths; the first that answers wins. */
  extraRoutes?: readonly Route[];
  /** `QUORUM_DASHBOARD_TOKEN`: who sends it may read the metrics and `/api/v1`; without one nobody may. */
  dashboardToken?: string | undefined;
  githubCalls?: () => CallCounts;
  /** Failures to order what is remembered by its meaning, by code. */
  unranked?: () => CallCounts;
  /** How many notes are stale, by repository. */
  staleNotes?: () => number;
  /** What may be spent on models in a day, for the metrics; no limit when absent. */
  hostCaps?: HostCaps;
  /** Longest wait of due work that still counts as ready; 5 minutes by default. */
  maxLagMs?: number;
  timeouts?: Partial<Timeouts>;
}

/** In milliseconds. */
interface Timeouts {
  /** To send the head of a request. */
  headers: number;
  /** To send all of it: GitHub itself gives up after 10 s. */
  request: number;
  /** How often the two are checked. */
  check: number;
}

const TIMEOUTS: Timeouts = { headers: 10_000, request: 20_000, check: 2_000 };
/** Longer than the idle time of usual proxies, so that it is never us who closes under a request of theirs. */
const KEEP_ALIVE_MS = 65_000;
const MAX_LAG_MS = 5 * 60_000;

export interface RunningServer {
  /** `http://127.0.0.1:3000`, without a slash. */
  url: string;
  /** Takes no new request, lets those under way end for at most `timeoutMs`, then cuts them. */
  close(timeoutMs: number): Promise<'drained' | 'cut'>;
}

/** What changes while the server runs. */
interface Live {
  secrets: readonly string[];
  appId: number | undefined;
  isOpen: boolean;
}

/** Starts to listen. Rejects with the system's error when the address is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const live: Live = { secrets: options.secrets, appId: options.appId, isOpen: true };
  const { records } = options.store;
  const countFailed = createFailedCount(records, options.clock);
  const metrics = createMetrics({
    records,
    clock: options.clock,
    hostCaps: options.hostCaps ?? NO_HOST_CAPS,
    githubCalls: options.githubCalls ?? (() => ({})),
    unranked: options.unranked,
    readMemory: async () => ({
      failedReflections: await countFailed(),
      staleNotes: options.staleNotes?.() ?? 0,
    }),
  });
  const setup = live.secrets.length > 0 ? undefined : openSetup(options, live);
  const routes = createRoutes({ options, live, metrics, setup });
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.check,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (req, res) => {
      // Closing connections as they fall idle is how a stopping server ever ends.
      if (!live.isOpen) res.shouldKeepAlive = false;
      answer(routes, req, res).catch((error: unknown) => {
        options.log.error({ err: error, path: pathOf(req) }, 'request failed');
        if (res.headersSent) res.destroy();
        else answerProblem(res, PROBLEMS.internal);
      });
    },
  );
  const url = await listen(server, options.host ?? '127.0.0.1', options.port);
  setup?.open(url);
  return { url, close: (timeoutMs) => close(server, live, timeoutMs) };
}

interface Routes {
  byPath: ReadonlyMap<string, (req: IncomingMessage, res: ServerResponse) => Promise<void>>;
  others: readonly Route[];
}

interface Served {
  options: ServerOptions;
  live: Live;
  metrics: Metrics;
  setup: SetupPage | undefined;
}

function createRoutes({ options, live, metrics, setup }: Served): Routes {
  const { store, clock, log, identity } = options;
  const { installationId } = options;
  const door = createIngress({
    clock,
    log,
    secrets: () => live.secrets,
    receive: (delivery) =>
      receive({ ...delivery, appId: live.appId, botId: identity()?.id, installationId }, store),
    observe: (outcome, ms) => metrics.observe(outcome, ms),
  });
  const readiness = createReadiness({
    records: store.records,
    clock,
    isGitHubKnown: () => identity() !== undefined,
    isConfigured: () => live.secrets.length > 0,
    isOpen: () => live.isOpen,
    maxLagMs: options.maxLagMs ?? MAX_LAG_MS,
  });
  return {
    byPath: new Map([
      [WEBHOOK_PATH, door],
      ['/healthz', readOnly((_req, res) => answerJson(res, 200, '{"status":"alive"}'))],
      ['/readyz', readOnly((_req, res) => answerReadiness(readiness, res))],
      ['/metrics', readOnly((req, res) => answerMetrics({ options, metrics }, req, res))],
      ...standupRoutes({ standups: store.standups, token: options.dashboardToken }).map(
        ([path, serve]) => [path, readOnly(serve)] as const,
      ),
    ]),
    others: [...(setup === undefined ? [] : [setup.route]), ...(options.extraRoutes ?? [])],
  };
}

/** The setup page is there until credentials are; then the door opens, without a restart. */
function openSetup({ setup, log, clock }: ServerOptions, live: Live): SetupPage | undefined {
  if (setup === undefined) return undefined;
  const { route, open } = createSetup({
    ...setup,
    log,
    clock,
    async onCredentials(credentials: AppCredentials) {
      await setup.onCredentials(credentials);
      live.appId = credentials.appId;
      live.secrets = credentials.webhookSecrets;
    },
  });
  return { open, route: async (req, res) => live.secrets.length === 0 && route(req, res) };
}

async function answer(routes: Routes, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const serve = routes.byPath.get(pathOf(req));
  if (serve !== undefined) return serve(req, res);
  for (const route of routes.others) if (await route(req, res)) return;
  refuse(req, res, PROBLEMS.notFound);
}

function pathOf(req: IncomingMessage): string {
  const url = req.url ?? '/';
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

type Serve = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

function readOnly(serve: Serve): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async (req, res) => {
    if (req.method === 'GET' || req.method === 'HEAD') await serve(req, res);
    else refuse(req, res, PROBLEMS.getOnly);
  };
}

function refuse(req: IncomingMessage, res: ServerResponse, problem: Problem): void {
  refuseUnread(req, res, { problem, lingerMs: 500 });
}

async function answerReadiness(
  readiness: ReturnType<typeof createReadiness>,
  res: ServerResponse,
): Promise<void> {
  const { isReady, body } = await readiness();
  answerJson(res, isReady ? 200 : 503, body);
}

/** Figures about private work, for who has the token: a proxy on this machine makes everybody a local peer. */
async function answerMetrics(
  { options, metrics }: { options: ServerOptions; metrics: Metrics },
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (!hasToken(req, options.dashboardToken)) return answerProblem(res, PROBLEMS.unauthorised);
  const { contentType, text } = await metrics.render();
  res.writeHead(200, { ...SAFE_HEADERS, 'content-type': contentType }).end(text);
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

function close(server: Server, live: Live, timeoutMs: number): Promise<'drained' | 'cut'> {
  live.isOpen = false;
  return new Promise((resolve) => {
    let outcome: 'drained' | 'cut' = 'drained';
    const deadline = setTimeout(() => {
      outcome = 'cut';
      server.closeAllConnections();
    }, timeoutMs);
    // A connection that was busy a moment ago would otherwise be kept alive for its next request.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(deadline);
      clearInterval(sweep);
      resolve(outcome);
    });
    server.closeIdleConnections();
  });
}
