/** The setup page: registers the GitHub App from app.yml and takes its credentials over, without a restart. */
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerProblem, SAFE_HEADERS, type Problem } from '../../adapters/http/http-answers.ts';
import { readRequestBody } from '../../adapters/http/body.ts';
import { isFromThisMachine } from '../../adapters/http/local-peer.ts';
import { parseJsonBytes } from '../../adapters/http/json.ts';
import { PROBLEMS } from '../../adapters/http/http-problems.ts';
import { webUrl } from '../../adapters/github/client/web-host.ts';
import { toFailure } from '../../domain/event/errors.ts';
import type { Clock, Random } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { toAppId, toPrivateKey } from '../environment/app-credentials.ts';
import type { AppCredentials } from '../environment/app-credentials.ts';
import { writeEnvFile } from '../environment/env-file.ts';
import type { Env } from '../environment/env-file.ts';
import { isAccepted, readChoices, type SetupChoices } from './hook-address.ts';
import { toHookUrl, toManifest, WEBHOOK_PATH } from './app-manifest.ts';
import { loadManifestCreation, type ManifestCreation } from './manifest-creation.ts';
import { renderImport, renderAddressForm, renderRegistration, SETUP_FILES } from './setup-view.ts';
import { readApiUrl } from '../environment/host-settings.ts';
import { createSetupAccess, type SetupAccess, type SetupSession } from './setup-access.ts';

/** Like Probot's handlers: whether the request was answered. */
export type Route = (req: IncomingMessage, res: ServerResponse) => Promise<boolean>;

export interface SetupOptions {
  env: Env;
  /** Where credentials are kept: `.env`. */
  envFile: string;
  /** `app.yml`. */
  manifestFile: string;
  log: Log;
  clock: Pick<Clock, 'now'>;
  random: Pick<Random, 'id'>;
  /** Told the page's address with its token: for the terminal, never for a log. Again when the one before has expired. */
  onAddress: (address: string) => void;
  /** Takes the new credentials into use; the answer waits for it. */
  onCredentials: (credentials: AppCredentials) => Promise<void>;
}

/** The page, once the server listens at `url`. */
export interface SetupPage {
  route: Route;
  open: (url: string) => void;
}

interface Setup extends SetupOptions {
  manifestCreation: ManifestCreation;
  access: SetupAccess;
  /** Credentials are being taken over, or were: it happens once. */
  isTaken: boolean;
}

/** Style and script are files of this server: nothing inline, nothing from elsewhere. */
const PAGE_HEADERS = {
  ...SAFE_HEADERS,
  'content-security-policy': "default-src 'self'; img-src data:; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
};

const MAX_IMPORT_BYTES = 64 * 1024;

/**
 * Serves `/probot` and what is below it, on this machine, to who brings the token of the terminal. A proxy on this machine
 * makes everybody a local peer, so that the address alone proves nothing. Probot is loaded at the first request.
 */
export function createSetup(options: SetupOptions): SetupPage {
  let access: SetupAccess | undefined;
  let loading: Promise<Setup> | undefined;
  return {
    open: (url) => {
      const { clock, random, onAddress } = options;
      const onToken = (token: string) => onAddress(`${reachable(url)}/probot?token=${token}`);
      access = createSetupAccess({ clock, random, onToken });
    },
    route: async (req, res) => {
      const [pathname = '/', query = ''] = (req.url ?? '/').split('?', 2);
      if (pathname !== '/' && pathname !== '/probot' && !pathname.startsWith('/probot/'))
        return false;
      if (!isFromThisMachine(req) || access === undefined) return answerAndDone(res, LOCAL_ONLY);
      const visit = { req, res, pathname, searchParams: new URLSearchParams(query) };
      const session = access.session(req.headers.cookie);
      if (session === undefined) return enter(access, visit);
      const opened = { ...options, access, isTaken: false };
      loading ??= loadManifestCreation().then((manifestCreation) => ({
        ...opened,
        manifestCreation,
      }));
      return answer(await loading, { ...visit, session });
    },
  };
}

/** An address for all interfaces is none to connect to. */
function reachable(url: string): string {
  return url.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\])/, 'http://127.0.0.1');
}

const LOCAL_ONLY: Problem = {
  status: 403,
  code: 'setup-local-only',
  title: 'Open the setup page on the machine itself (or through ssh -L), at 127.0.0.1',
};

const TOKEN_REQUIRED: Problem = {
  status: 403,
  code: 'setup-token-required',
  title:
    'Open the address with the token that the terminal shows; it is good once, for 30 minutes. Run quorum setup for a new one',
};

/** Without a session: the token opens one, and GitHub's redirect finds its own. */
function enter(access: SetupAccess, { req, res, pathname, searchParams }: Visit): boolean {
  const page = `${req.method} ${pathname}`;
  const session =
    page === 'GET /probot' ? access.exchange(searchParams.get('token') ?? '') : undefined;
  if (session !== undefined) return redirectTo(res, '/probot', session);
  const [code, state] = [searchParams.get('code') ?? '', searchParams.get('state') ?? ''];
  // Sent here by GitHub, a browser keeps a strict cookie back; sent here by our own page, it brings the cookie.
  const isFirst = page === 'GET /probot/setup' && !searchParams.has(AGAIN);
  if (isFirst && CODE.test(code) && access.isState(state))
    return redirectTo(res, `/probot/setup?code=${code}&state=${state}&${AGAIN}`);
  access.renew();
  return answerAndDone(res, TOKEN_REQUIRED);
}

const CODE = /^[\w-]{1,200}$/;
const AGAIN = 'again';

/** A page that leads on by itself: what it asks for comes from this site, whoever sent the browser here. */
function redirectTo(res: ServerResponse, to: string, session?: SetupSession): boolean {
  const href = to.replaceAll('&', '&amp;');
  const cookie = session === undefined ? {} : { 'set-cookie': session.cookie };
  res
    .writeHead(200, { ...SAFE_HEADERS, ...cookie, 'content-type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Quorum setup</title><meta http-equiv="refresh" content="0;url=${href}"><p><a href="${href}">Continue</a></p></html>`,
    );
  return true;
}

interface Visit {
  req: IncomingMessage;
  res: ServerResponse;
  pathname: string;
  searchParams: URLSearchParams;
}

interface Entered extends Visit {
  session: SetupSession;
}

async function answer(setup: Setup, visit: Entered): Promise<boolean> {
  const { req, res, pathname, searchParams } = visit;
  const page = `${req.method} ${pathname}`;
  if (page === 'GET /') return redirect(res, '/probot');
  // A link that is opened again: the token is used, and leaves the address bar.
  if (page === 'GET /probot' && searchParams.has('token')) return redirect(res, '/probot');
  if (page === 'GET /probot') return answerPage(res, await renderSetup(setup, visit));
  if (page === 'GET /probot/setup') return convert(setup, visit);
  if (page === 'GET /probot/import') return answerPage(res, renderImportPage(setup, visit));
  if (page === 'POST /probot/import') return importApp(setup, visit);
  return answerFile(visit);
}

async function renderSetup(setup: Setup, visit: Entered): Promise<string> {
  const { req, session, searchParams } = visit;
  const choices = readChoices(setup.env, searchParams);
  const hookUrl = choices.hookUrl ?? toHookUrl(req);
  if (!isAccepted(setup.env, hookUrl)) return renderAddressForm(choices, choices.hookUrl);
  return renderRegistration({
    choices,
    hookUrl,
    action: `${webUrl(readApiUrl(setup.env))}${organisation(choices)}/settings/apps/new?state=${session.state}`,
    manifest: await toManifest(setup, req, hookUrl),
  });
}

function renderImportPage(setup: Setup, { req, searchParams }: Entered): string {
  const { hookUrl = toHookUrl(req) } = readChoices(setup.env, searchParams);
  const isUsable = isAccepted(setup.env, hookUrl);
  return renderImport({
    github: webUrl(readApiUrl(setup.env)),
    hookUrl: isUsable ? hookUrl : `https://your.host${WEBHOOK_PATH}`,
  });
}

function organisation({ organisation: name }: SetupChoices): string {
  return name === undefined ? '' : `/organizations/${encodeURIComponent(name)}`;
}

/** GitHub sends the browser here with a code that is good for one conversion within an hour. */
async function convert(setup: Setup, { res, searchParams }: Entered): Promise<boolean> {
  const code = searchParams.get('code') ?? '';
  if (!CODE.test(code)) return refuseSetup(res, 'code-invalid', 'code missing or invalid');
  if (!setup.access.isState(searchParams.get('state') ?? ''))
    return refuseSetup(res, 'state-invalid', 'Start again at /probot: this link is from elsewhere');
  if (setup.isTaken) return answerAndDone(res, TAKEN);
  setup.isTaken = true;
  const converted = await createApp(setup, code);
  if (typeof converted !== 'string') return install(setup, res, converted);
  setup.isTaken = false;
  return refuseSetup(res, 'conversion-failed', converted);
}

const TAKEN: Problem = {
  status: 409,
  code: 'setup-taken',
  title: 'An App was registered by this page already, or is being registered now; see the log',
};

interface NewApp {
  /** The App's page on GitHub. */
  page: string;
  credentials: AppCredentials;
}

/** Resolves with the App, or with why GitHub made none. */
async function createApp(setup: Setup, code: string): Promise<NewApp | string> {
  let values: Record<string, string | null> = {};
  const creation = new setup.manifestCreation({ updateEnv: (env) => (values = env) });
  const { env, log } = setup;
  const baseUrl = readApiUrl(env);
  try {
    const page = await creation.createAppFromCode(code, { baseUrl, request: {}, log });
    return { page, credentials: toCredentials(values) };
  } catch (error) {
    log.error({ failure: toFailure(error) }, 'GitHub did not convert the code of the manifest');
    return refusalReason(error);
  }
}

const Refused = z.object({
  status: z.literal(422),
  response: z.object({
    data: z.object({ errors: z.array(z.object({ message: z.string().optional() })) }),
  }),
});

/** GitHub checks the name of the App again when it converts the code: somebody may have taken it meanwhile. */
function refusalReason(error: unknown): string {
  const errors = Refused.safeParse(error).data?.response.data.errors ?? [];
  const reasons = errors.flatMap(({ message }) => message ?? []);
  return reasons.length === 0
    ? 'GitHub did not accept the code: start again at /probot'
    : `GitHub did not register the App (${reasons.join('; ')}): start again at /probot and choose another name on GitHub's page`;
}

/** The code is spent: from here on everything is kept, whatever else fails. */
async function install(setup: Setup, res: ServerResponse, app: NewApp): Promise<boolean> {
  try {
    await acceptCredentials(setup, app.credentials);
    return redirect(res, `${app.page}/installations/new`);
  } catch (error) {
    setup.log.error({ failure: toFailure(error) }, 'the new App could not be taken into use');
    return answerAndDone(res, NOT_TAKEN_OVER);
  }
}

const NOT_TAKEN_OVER: Problem = {
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
async function importApp(setup: Setup, { req, res }: Entered): Promise<boolean> {
  if (!/^application\/json\b/.test(req.headers['content-type'] ?? ''))
    return answerAndDone(res, PROBLEMS.mediaType);
  const body = await readRequestBody(req, MAX_IMPORT_BYTES, {
    limit: MAX_IMPORT_BYTES * 2,
    held: 0,
  });
  if (body.kind !== 'read') return answerAndDone(res, PROBLEMS.tooLarge);
  const imported = Imported.safeParse(parseJsonBytes(body.bytes)?.value).data;
  if (imported === undefined)
    return refuseSetup(res, 'import-invalid', 'appId and/or pem and/or webhook_secret missing');
  if (setup.isTaken) return answerAndDone(res, TAKEN);
  setup.isTaken = true;
  try {
    await acceptCredentials(setup, {
      appId: toAppId(imported.appId),
      privateKey: toPrivateKey(imported.pem),
      webhookSecrets: [imported.webhook_secret],
    });
  } catch (error) {
    setup.isTaken = false;
    return refuseSetup(res, toFailure(error).code, toFailure(error).message);
  }
  res.writeHead(200, PAGE_HEADERS).end();
  return true;
}

/** First written down, then used: a crash between the two loses nothing. */
async function acceptCredentials(setup: Setup, credentials: AppCredentials): Promise<void> {
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

function answerFile({ req, res, pathname }: Entered): boolean {
  const file = req.method === 'GET' ? SETUP_FILES[pathname] : undefined;
  if (file === undefined) return false;
  res.writeHead(200, { ...PAGE_HEADERS, 'content-type': file.type }).end(file.text);
  return true;
}

function redirect(res: ServerResponse, location: string): boolean {
  res.writeHead(302, { ...PAGE_HEADERS, location }).end();
  return true;
}

function refuseSetup(res: ServerResponse, code: ErrorCode, title: string): boolean {
  return answerAndDone(res, { status: 400, code, title });
}

function answerAndDone(res: ServerResponse, problem: Problem): boolean {
  answerProblem(res, problem);
  return true;
}
