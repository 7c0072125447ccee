/** Answers of the setup page: pages, redirects and refusals, with their headers. */
import type { ServerResponse } from 'node:http';
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import { answerProblem, SAFE_HEADERS, type Problem } from '../../adapters/http/http-answers.ts';
import type { SetupSession } from './setup-access.ts';

/** Style and script are files of this server: nothing inline, nothing from elsewhere. */
export const PAGE_HEADERS = {
  ...SAFE_HEADERS,
  'content-security-policy': "default-src 'self'; img-src data:; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
};

export const LOCAL_ONLY: Problem = {
  status: 403,
  code: 'setup-local-only',
  title: 'Open the setup page on the machine itself (or through ssh -L), at 127.0.0.1',
};

export const TOKEN_REQUIRED: Problem = {
  status: 403,
  code: 'setup-token-required',
  title:
    'Open the address with the token that the terminal shows; it is good once, for 30 minutes. Run quorum setup for a new one',
};

/** A page that redirects by itself: its next request comes from this site, wherever the browser came from. */
export function redirectTo(res: ServerResponse, to: string, session?: SetupSession): boolean {
  const href = to.replaceAll('&', '&amp;');
  const cookie = session === undefined ? {} : { 'set-cookie': session.cookie };
  res
    .writeHead(200, { ...SAFE_HEADERS, ...cookie, 'content-type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Quorum setup</title><meta http-equiv="refresh" content="0;url=${href}"><p><a href="${href}">Continue</a></p></html>`,
    );
  return true;
}

export const TAKEN: Problem = {
  status: 409,
  code: 'setup-taken',
  title: 'An App was registered by this page already, or is being registered now; see the log',
};

export const NOT_TAKEN_OVER: Problem = {
  status: 500,
  code: 'takeover-failed',
  title:
    'The App is registered; the log says why it is not in use. Credentials in .env are used at the next start',
};

export function answerPage(res: ServerResponse, html: string): boolean {
  res.writeHead(200, { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8' }).end(html);
  return true;
}

export function redirect(res: ServerResponse, location: string): boolean {
  res.writeHead(302, { ...PAGE_HEADERS, location }).end();
  return true;
}

export function refuseSetup(res: ServerResponse, code: ErrorCode, title: string): boolean {
  return answerAndDone(res, { status: 400, code, title });
}

export function answerAndDone(res: ServerResponse, problem: Problem): boolean {
  answerProblem(res, problem);
  return true;
}
