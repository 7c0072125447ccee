/** The setup page: registers the GitHub App from app.yml and takes its credentials over, without a restart. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isFromThisMachine } from '../../adapters/http/local-peer.ts';
import { webUrl } from '../../adapters/github/client/web-host.ts';
import { isAccepted, readChoices, type SetupChoices } from './hook-address.ts';
import { toHookUrl, toManifest, WEBHOOK_PATH } from './app-manifest.ts';
import { loadManifestCreation } from './manifest-creation.ts';
import { renderImport, renderAddressForm, renderRegistration, SETUP_FILES } from './setup-view.ts';
import { readApiUrl } from '../environment/host-settings.ts';
import { createSetupAccess, type SetupAccess } from './setup-access.ts';
import type { SetupOptions, Setup, Visit, Entered } from './setup-visit.ts';
import {
  PAGE_HEADERS,
  LOCAL_ONLY,
  TOKEN_REQUIRED,
  redirectTo,
  answerPage,
  redirect,
  answerAndDone,
} from './setup-answers.ts';
import { importApp } from './import-app.ts';
import { CODE, registerNewApp } from './register-app.ts';

/** Like Probot's handlers: whether the request was answered. */
export type Route = (req: IncomingMessage, res: ServerResponse) => Promise<boolean>;

/** The page, once the server listens at `url`. */
export interface SetupPage {
  route: Route;
  open: (url: string) => void;
}

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

/** Nobody can connect to the address for all interfaces. */
function reachable(url: string): string {
  return url.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\])/, 'http://127.0.0.1');
}

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

const AGAIN = 'again';

async function answer(setup: Setup, visit: Entered): Promise<boolean> {
  const { req, res, pathname, searchParams } = visit;
  const page = `${req.method} ${pathname}`;
  if (page === 'GET /') return redirect(res, '/probot');
  // A link that is opened again: the token is used, and leaves the address bar.
  if (page === 'GET /probot' && searchParams.has('token')) return redirect(res, '/probot');
  if (page === 'GET /probot') return answerPage(res, await renderSetup(setup, visit));
  if (page === 'GET /probot/setup') return registerNewApp(setup, visit);
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

function answerFile({ req, res, pathname }: Entered): boolean {
  const file = req.method === 'GET' ? SETUP_FILES[pathname] : undefined;
  if (file === undefined) return false;
  res.writeHead(200, { ...PAGE_HEADERS, 'content-type': file.type }).end(file.text);
  return true;
}
