/** The address that GitHub is to deliver webhooks to, and the account that is to own the App: known, or asked for. */
import { BlockList, isIP } from 'node:net';
import { isEnterpriseServer } from '../../adapters/github/client/web-host.ts';
import type { Env } from '../environment/env-file.ts';
import { WEBHOOK_PATH } from './app-manifest.ts';
import { readApiUrl } from '../environment/host-settings.ts';

const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  ['::', 127],
  ['::ffff:0:0', 96],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(net, prefix, 'ipv6');

/** A name without a dot, or below `.localhost` or `.local`, is known on the local network at most. */
const LOCAL_NAME = /^[^.:]+\.?$|\.(?:localhost|local|internal)\.?$/i;

/** Whether an address on the public Internet is possible; whether anybody answers there is not asked. */
function isPublicAddress(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(host);
  if (family === 0) return !LOCAL_NAME.test(host);
  return !PRIVATE.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** What the person who sets the App up has said, in the environment or on the page. */
export interface SetupChoices {
  hookUrl: string | undefined;
  /** The organisation that is to own the App. */
  organisation: string | undefined;
}

/** The environment wins: it is what a later start reads as well. */
export function readChoices(env: Env, given: URLSearchParams): SetupChoices {
  return {
    hookUrl: said(env['WEBHOOK_PROXY_URL'] ?? given.get('hook')),
    organisation: said(env['GH_ORG'] ?? given.get('organisation')),
  };
}

function said(value: string | null): string | undefined {
  const text = value?.trim() ?? '';
  return text === '' ? undefined : text;
}

/**
 * Whether GitHub can accept the address. github.com and `ghe.com` refuse the form for one that is not on the public Internet; a server of
 * one's own may be on the same network as we are.
 */
export function isAccepted(env: Env, hookUrl: string): boolean {
  return isEnterpriseServer(readApiUrl(env)) ? URL.canParse(hookUrl) : isPublicAddress(hookUrl);
}

/** Asks for both on the page itself; `refused` is an address that GitHub would not accept. */
export function renderQuestion({ organisation }: SetupChoices, refused?: string): string {
  const why =
    refused === undefined
      ? 'GitHub needs a public address to deliver webhooks to; it refuses localhost.'
      : `GitHub cannot deliver to ${escapeHtml(refused)}: it refuses localhost and private networks.`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Quorum setup</title>
<link rel="stylesheet" href="/probot/static/primer.css">
<body class="bg-gray-light"><main class="container-sm p-6">
<h1>Where does GitHub deliver?</h1>
<p>${why} Enter the public address of this server, or of a proxy in front of it, ending in <code>${WEBHOOK_PATH}</code>. To keep it, set <code>WEBHOOK_PROXY_URL</code> and start again.</p>
<form action="/probot" method="get">
<p><label>Webhook address<br><input class="form-control" type="url" name="hook" required size="60" placeholder="https://quorum.example${WEBHOOK_PATH}"></label></p>
<p><label>Organisation (<code>GH_ORG</code>)<br><input class="form-control" name="organisation" size="30" value="${escapeHtml(organisation ?? '')}"></label></p>
<p>${OWN_ACCOUNT}</p>
<p><button class="btn btn-outline">Continue</button> <a href="/probot/import">or use an existing GitHub App</a></p>
</form></main></body></html>`;
}

const OWN_ACCOUNT =
  'The App is private: it can be installed only on the account that owns it. Without an organisation that is your own account.';

/** Who will own the App, for the page that registers it. */
export function describeOwner({ organisation }: SetupChoices): string {
  return organisation === undefined
    ? 'Your agent team. The App will belong to your own account and can be installed only there; to register it for an organisation, set <code>GH_ORG</code> and start again.'
    : `Your agent team. The App will belong to the organisation <b>${escapeHtml(organisation)}</b> and can be installed only there.`;
}

/** The same for the terminal, before the page is opened. */
export function setupHints(env: Env): string[] {
  const { hookUrl, organisation } = readChoices(env, new URLSearchParams());
  const needsAddress = !isEnterpriseServer(readApiUrl(env)) && !isPublicAddress(hookUrl ?? '');
  return [
    ...(needsAddress
      ? [
          'GitHub needs a public webhook address and refuses localhost: set WEBHOOK_PROXY_URL, or enter it on the page.',
        ]
      : []),
    organisation === undefined
      ? 'GH_ORG is not set: the App will belong to your own account and can be installed only there.'
      : `The App will belong to the organisation ${organisation} and can be installed only there.`,
  ];
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
