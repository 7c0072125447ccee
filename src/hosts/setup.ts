/** The setup page: registers the GitHub App from app.yml and takes its credentials over, without a restart. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerProblem, SAFE_HEADERS } from '../adapters/http/answer.ts';
import { readBody } from '../adapters/http/body.ts';
import { isFromThisMachine } from '../adapters/http/local-peer.ts';
import { parseJson } from '../adapters/http/json.ts';
import { PROBLEMS } from '../adapters/http/problems.ts';
import { toFailure } from '../domain/errors.ts';
import type { Log } from '../ports/log.ts';
import { toAppId, toPrivateKey } from './credentials.ts';
import type { AppCredentials } from './credentials.ts';
import { writeEnvFile } from './env-file.ts';
import type { Env } from './env-file.ts';
import { toManifest } from './manifest.ts';
import { loadProbotPages } from './probot-pages.ts';
import type { ProbotPages } from './probot-pages.ts';

/** Like Probot's handlers: whether the request was answered. */
export type Route = (req: IncomingMessage, res: ServerResponse) => Promise<boolean>;

export interface SetupOptions {
  env: Env;
  /** Where credentials are kept: `.env`. */
  envFile: string;
  /** `app.yml`. */
  manifestFile: string;
  log: Log;
  /** Takes the new credentials into use; the answer waits for it. */
  onCredentials: (credentials: AppCredentials) => Promise<void>;
}

interface Setup extends SetupOptions {
  pages: ProbotPages;
  /** Comes back with GitHub's redirect, so that nobody else's link can bring us an App of theirs. */
  state: string;
}

/** Probot's pages have a style sheet of their own and one inline script. */
const PAGE_HEADERS = {
  ...SAFE_HEADERS,
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
};

const MAX_IMPORT_BYTES = 64 * 1024;

/** Serves `/probot` and what is below it, to this machine only. Probot is loaded at the first request. */
export function createSetup(options: SetupOptions): Route {
  let loading: Promise<Setup> | undefined;
  return async (req, res) => {
    const [pathname = '/', query = ''] = (req.url ?? '/').split('?', 2);
    const searchParams = new URLSearchParams(query);
    if (pathname !== '/' && pathname !== '/probot' && !pathname.startsWith('/probot/'))
      return false;
    if (!isFromThisMachine(req)) {
      answerProblem(res, LOCAL_ONLY);
      return true;
    }
    loading ??= loadProbotPages().then((pages) => ({
      ...options,
      pages,
      state: randomBytes(24).toString('base64url'),
    }));
    return answer(await loading, { req, res, pathname, searchParams });
  };
}

const LOCAL_ONLY = {
  status: 403,
  code: 'setup-local-only',
  title: 'Open the setup page on the machine itself (or through ssh -L), at 127.0.0.1',
};

interface Visit {
  req: IncomingMessage;
  res: ServerResponse;
  pathname: string;
  searchParams: URLSearchParams;
}

async function answer(setup: Setup, visit: Visit): Promise<boolean> {
  const { req, res, pathname } = visit;
  const page = `${req.method} ${pathname}`;
  const name = 'Quorum';
  if (page === 'GET /') return redirect(res, '/probot');
  if (page === 'GET /probot') return answerPage(res, await renderSetup(setup, req));
  if (page === 'GET /probot/setup') return convert(setup, visit);
  if (page === 'GET /probot/import') return answerPage(res, await renderImport(setup, req));
  if (page === 'GET /probot/success') return answerPage(res, setup.pages.successView({ name }));
  if (page === 'POST /probot/import') return importApp(setup, visit);
  return setup.pages.staticFilesHandler(req, res);
}

async function renderSetup(setup: Setup, req: IncomingMessage): Promise<string> {
  const { hookUrl, manifest } = await toManifest(setup, req);
  const { isReachable } = describeHook(setup, hookUrl);
  return setup.pages.setupView({
    name: 'Quorum',
    description: isReachable ? 'Your agent team.' : UNREACHABLE,
    createAppUrl: `${githubUrl(setup.env)}${organisation(setup.env)}/settings/apps/new?state=${setup.state}`,
    manifest,
  });
}

const UNREACHABLE =
  'GitHub cannot deliver to this machine’s own address. Stop, set WEBHOOK_PROXY_URL to an address that reaches it (ending in /api/github/webhooks), and start again.';

/** github.com delivers only to the public Internet; a server of one's own may sit beside us. */
function describeHook({ env }: Setup, hookUrl: string): { isReachable: boolean } {
  const { hostname } = new URL(hookUrl);
  const isLocal = /^(localhost|127\.|\[::1\])/.test(hostname);
  return { isReachable: !isLocal || env['GHE_HOST'] !== undefined };
}

async function renderImport(setup: Setup, req: IncomingMessage): Promise<string> {
  const { hookUrl } = await toManifest(setup, req);
  const GH_HOST = githubUrl(setup.env);
  return setup.pages.importView({ name: 'Quorum', GH_HOST, WEBHOOK_PROXY_URL: hookUrl });
}

function githubUrl(env: Env): string {
  return `${env['GHE_PROTOCOL'] ?? 'https'}://${env['GHE_HOST'] ?? 'github.com'}`;
}

function organisation(env: Env): string {
  const name = env['GH_ORG'];
  return name === undefined ? '' : `/organizations/${encodeURIComponent(name)}`;
}

/** GitHub sends the browser here with a code that is good for one conversion within an hour. */
async function convert(setup: Setup, { req, res, searchParams }: Visit): Promise<boolean> {
  const code = searchParams.get('code') ?? '';
  if (!/^[\w-]{1,200}$/.test(code))
    return refuseSetup(res, 'code-invalid', 'code missing or invalid');
  const isBrowser = req.headers['sec-fetch-site'] !== undefined;
  // Programs on this machine need no protection from web pages; a browser may have been sent here by one.
  if (searchParams.get('state') !== setup.state && (isBrowser || searchParams.has('state')))
    return refuseSetup(res, 'state-invalid', 'Start again at /probot: this link is from elsewhere');
  const converted = await createApp(setup, code);
  if (converted === undefined)
    return refuseSetup(
      res,
      'conversion-failed',
      'GitHub did not accept the code: start again at /probot',
    );
  return install(setup, res, converted);
}

interface NewApp {
  /** The App's page on GitHub. */
  page: string;
  credentials: AppCredentials;
}

async function createApp(setup: Setup, code: string): Promise<NewApp | undefined> {
  let values: Record<string, string | null> = {};
  const creation = new setup.pages.ManifestCreation({ updateEnv: (env) => (values = env) });
  const { env, log } = setup;
  const baseUrl = env['GHE_HOST'] === undefined ? {} : { baseUrl: `${githubUrl(env)}/api/v3` };
  try {
    const page = await creation.createAppFromCode(code, { ...baseUrl, request: {}, log });
    return { page, credentials: toCredentials(values) };
  } catch (error) {
    log.error({ failure: toFailure(error) }, 'GitHub did not convert the code of the manifest');
    return undefined;
  }
}

/** The code is spent: from here on everything is kept, whatever else fails. */
async function install(setup: Setup, res: ServerResponse, app: NewApp): Promise<boolean> {
  try {
    await takeOver(setup, app.credentials);
    return redirect(res, `${app.page}/installations/new`);
  } catch (error) {
    setup.log.error({ failure: toFailure(error) }, 'the new App could not be taken into use');
    return answerAndDone(res, NOT_TAKEN_OVER);
  }
}

const NOT_TAKEN_OVER = {
  status: 500,
  code: 'takeover-failed',
  title:
    'The App is registered; the log says why it is not in use. Credentials in .env are used at the next start',
};

const Converted = z.object({
  APP_ID: z.string(),
  PRIVATE_KEY: z.string(),
  WEBHOOK_SECRET: z.string().min(1),
  GITHUB_CLIENT_ID: z.string().nullish(),
  GITHUB_CLIENT_SECRET: z.string().nullish(),
});

function toCredentials(values: Record<string, string | null>): AppCredentials {
  const converted = Converted.parse(values);
  return {
    appId: toAppId(converted.APP_ID),
    privateKey: toPrivateKey(converted.PRIVATE_KEY.replace(/^"|"$/g, '')),
    webhookSecrets: [converted.WEBHOOK_SECRET],
    clientId: converted.GITHUB_CLIENT_ID ?? undefined,
    clientSecret: converted.GITHUB_CLIENT_SECRET ?? undefined,
  };
}

const Imported = z.object({
  appId: z.union([z.string(), z.number()]).transform(String),
  pem: z.string(),
  webhook_secret: z.string().min(1),
});

/** An App that exists already. Needs a JSON content type, which no foreign page can send without being asked. */
async function importApp(setup: Setup, { req, res }: Visit): Promise<boolean> {
  if (!/^application\/json\b/.test(req.headers['content-type'] ?? ''))
    return answerAndDone(res, PROBLEMS.mediaType);
  const body = await readBody(req, MAX_IMPORT_BYTES, { limit: MAX_IMPORT_BYTES * 2, held: 0 });
  if (body.kind !== 'read') return answerAndDone(res, PROBLEMS.tooLarge);
  const imported = Imported.safeParse(parseJson(body.bytes)?.value).data;
  if (imported === undefined)
    return refuseSetup(res, 'import-invalid', 'appId and/or pem and/or webhook_secret missing');
  try {
    await takeOver(setup, {
      appId: toAppId(imported.appId),
      privateKey: toPrivateKey(imported.pem),
      webhookSecrets: [imported.webhook_secret],
    });
  } catch (error) {
    return refuseSetup(res, toFailure(error).code, toFailure(error).message);
  }
  res.writeHead(200, PAGE_HEADERS).end();
  return true;
}

/** First written down, then used: a crash between the two loses nothing. */
async function takeOver(setup: Setup, credentials: AppCredentials): Promise<void> {
  const { appId, privateKey, webhookSecrets, clientId, clientSecret } = credentials;
  writeEnvFile(setup.envFile, {
    APP_ID: String(appId),
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: webhookSecrets[0] ?? '',
    ...(clientId !== undefined && { GITHUB_CLIENT_ID: clientId }),
    ...(clientSecret !== undefined && { GITHUB_CLIENT_SECRET: clientSecret }),
  });
  await setup.onCredentials(credentials);
  setup.log.info({ appId }, 'the App is set up; credentials are in the .env file');
}

function answerPage(res: ServerResponse, html: string): boolean {
  res.writeHead(200, { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8' }).end(html);
  return true;
}

function redirect(res: ServerResponse, location: string): boolean {
  res.writeHead(302, { ...PAGE_HEADERS, location }).end();
  return true;
}

function refuseSetup(res: ServerResponse, code: string, title: string): boolean {
  return answerAndDone(res, { status: 400, code, title });
}

function answerAndDone(res: ServerResponse, problem: Parameters<typeof answerProblem>[1]): boolean {
  answerProblem(res, problem);
  return true;
}
