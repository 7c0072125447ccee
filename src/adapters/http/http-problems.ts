/** Each way to be turned away at the door. */
import type { Problem } from './http-answers.ts';

/** For clients that redeliver. GitHub itself never does; Quorum's reconcile pass asks it to. */
const SOON = { 'retry-after': '30' };

export const PROBLEMS = {
  method: {
    status: 405,
    code: 'method-not-allowed',
    title: 'Webhooks are delivered by POST',
    headers: { allow: 'POST' },
  },
  mediaType: {
    status: 415,
    code: 'media-type-unsupported',
    title: 'Set the content type of the webhook to application/json, uncompressed',
  },
  header: {
    status: 400,
    code: 'header-missing',
    title: 'X-GitHub-Event and X-GitHub-Delivery are needed, in the form that GitHub sends them',
  },
  tooLarge: {
    status: 413,
    code: 'payload-too-large',
    title: 'GitHub delivers at most 25 MB, and so much is read',
  },
  signature: {
    status: 401,
    code: 'signature-invalid',
    title: 'X-Hub-Signature-256 does not fit the body and the webhook secret',
  },
  malformed: {
    status: 400,
    code: 'payload-malformed',
    title: 'The body is not JSON in UTF-8 of reasonable depth',
  },
  busy: {
    status: 503,
    code: 'ingress-busy',
    title: 'Too many large bodies are being read',
    headers: SOON,
  },
  store: {
    status: 503,
    code: 'store-unavailable',
    title: 'The delivery could not be written down',
    headers: SOON,
  },
  notConfigured: {
    status: 503,
    code: 'not-configured',
    title: 'No webhook secret is set yet',
    headers: SOON,
  },
  notFound: { status: 404, code: 'not-found', title: 'There is nothing here' },
  getOnly: {
    status: 405,
    code: 'method-not-allowed',
    title: 'This is read by GET',
    headers: { allow: 'GET, HEAD' },
  },
  unauthorised: {
    status: 401,
    code: 'token-required',
    title: 'Set QUORUM_DASHBOARD_TOKEN where the App runs, and send it as bearer token',
    headers: { 'www-authenticate': 'Bearer' },
  },
  internal: {
    status: 500,
    code: 'internal-error',
    title: 'That was our mistake; the log says more',
  },
} as const satisfies Record<string, Problem>;
