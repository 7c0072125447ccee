/** The address that GitHub is to deliver webhooks to, and the account that is to own the App: known, or asked for. */
import { BlockList, isIP } from 'node:net';
import { isEnterpriseServer } from '../../adapters/github/client/web-host.ts';
import type { Env } from '../environment/env-file.ts';
import { WEBHOOK_PATH } from './app-manifest.ts';
import { readApiUrl, readSmeeUrl } from '../environment/host-settings.ts';

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
    hookUrl: readSmeeUrl(env) ?? said(env['WEBHOOK_PROXY_URL'] ?? given.get('hook')),
    organisation: said(env['GH_ORG'] ?? given.get('organisation')),
  };
}

function said(value: string | null): string | undefined {
  const text = value?.trim() ?? '';
  return text === '' ? undefined : text;
}

/**
 * Whether GitHub can accept the address. The form on github.com and `ghe.com` refuses one that is not on the public
 * Internet. An Enterprise Server may be on the same network as this host.
 */
export function isAccepted(env: Env, hookUrl: string): boolean {
  return isEnterpriseServer(readApiUrl(env)) ? URL.canParse(hookUrl) : isPublicAddress(hookUrl);
}

/** How webhooks will arrive and who will own the App, for the terminal, before the page is opened. */
export function setupHints(env: Env, url?: string): string[] {
  const { hookUrl, organisation } = readChoices(env, new URLSearchParams());
  return [
    ...reachHints(env, { hookUrl, url }),
    organisation === undefined
      ? 'GH_ORG is not set: the App will belong to your own account and can be installed only there.'
      : `The App will belong to the organisation ${organisation} and can be installed only there.`,
  ];
}

/** How GitHub reaches this process. `url` is where it listens. */
function reachHints(
  env: Env,
  { hookUrl, url = 'this process' }: { hookUrl: string | undefined; url: string | undefined },
): string[] {
  if (readSmeeUrl(env) !== undefined)
    return [
      `GitHub delivers through ${hookUrl ?? ''}: anybody who knows this address reads the webhooks. It is for trying Quorum, not for a server.`,
    ];
  const isKnown = isAccepted(env, hookUrl ?? '');
  if (isKnown && hookUrl !== undefined)
    return [`GitHub delivers to ${hookUrl}; a proxy there has to pass it on to ${url}.`];
  if (isEnterpriseServer(readApiUrl(env))) return [];
  return [
    `GitHub needs a public webhook address and refuses localhost. Set WEBHOOK_PROXY_URL=https://your.host${WEBHOOK_PATH}, whose proxy passes it on to ${url}, or enter it on the page.`,
    'From a laptop: open https://smee.io/new and set QUORUM_SMEE_URL to the address that it shows.',
  ];
}
