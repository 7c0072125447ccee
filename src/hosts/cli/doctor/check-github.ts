/** Does GitHub know us, may the App do what it must, and do webhooks arrive. */
import { z } from 'zod';
import { readPrivateKey, renderAppJwt } from '../../../adapters/github/client/app-jwt.ts';
import { isEnterpriseServer, webUrl } from '../../../adapters/github/client/web-host.ts';
import { toFailure } from '../../../domain/event/errors.ts';
import { readCredentials, type AppCredentials } from '../../environment/app-credentials.ts';
import { WEBHOOK_PATH } from '../../setup/app-manifest.ts';
import type { Basics } from '../../host-parts.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import type { Finding } from './doctor-finding.ts';
import { AppGrant, compareGrant, compareInstallations, Installations } from './grants.ts';

const TIMEOUT_MS = 10_000;

const Hook = z.object({
  url: z.string().optional(),
  insecure_ssl: z.union([z.string(), z.number()]).optional(),
});

export async function checkGitHub(basics: Basics): Promise<Finding[]> {
  const { env } = basics;
  let credentials: AppCredentials | undefined;
  try {
    credentials = readCredentials(env);
  } catch (error) {
    const { code, message } = toFailure(error);
    return [{ level: 'fail', about: 'credentials', says: `[${code}]`, fix: message }];
  }
  if (credentials === undefined)
    return [
      {
        level: 'warn',
        about: 'credentials',
        says: 'none: the App is not set up',
        fix: 'Run quorum setup. The demo and quorum deliberate work without.',
      },
    ];
  const found: Finding = { level: 'ok', about: 'credentials', says: `App ${credentials.appId}` };
  return [found, ...(await askGitHub(basics, credentials))];
}

async function askGitHub(basics: Basics, credentials: AppCredentials): Promise<Finding[]> {
  const { apiUrl } = readHostSettings(basics.env);
  const jwt = await renderAppJwt(
    credentials.appId,
    readPrivateKey(credentials.privateKey),
    basics.clock.now(),
  );
  const ask = (path: string) =>
    fetch(`${apiUrl}${path}`, {
      headers: {
        authorization: `Bearer ${jwt}`,
        accept: 'application/vnd.github+json',
        'user-agent': 'quorum',
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  try {
    const answer = await ask('/app');
    if (answer.status === 401)
      return [
        {
          level: 'fail',
          about: 'GitHub',
          says: `${apiUrl} does not accept App ${credentials.appId} with this key`,
          fix: "Take APP_ID and a new private key from the App's settings, and check this machine's clock.",
        },
      ];
    if (!answer.ok) return [unreachable(apiUrl, `answered ${answer.status}`)];
    const grant = AppGrant.parse(await answer.json());
    const hook = await ask('/app/hook/config');
    const installations = await ask('/app/installations?per_page=100');
    return [
      { level: 'ok', about: 'GitHub', says: `${apiUrl} knows us as ${grant.slug}` },
      compareGrant(grant),
      installed(grant, apiUrl),
      ...(installations.ok
        ? compareInstallations(Installations.parse(await installations.json()))
        : []),
      hook.ok ? checkHook(Hook.parse(await hook.json())) : noHook(hook.status),
    ];
  } catch (error) {
    return [unreachable(apiUrl, toFailure(error).message)];
  }
}

function unreachable(apiUrl: string, why: string): Finding {
  return {
    level: 'fail',
    about: 'GitHub',
    says: `${apiUrl} could not be asked: ${why}`,
    fix: 'Check the network, a proxy, and GHE_HOST or GITHUB_API_URL for a GitHub of your own.',
  };
}

/** github.com has the pages of Apps at `/apps`, an Enterprise Server at `/github-apps`. */
export function appPage(apiUrl: string, slug: string): string {
  const url = webUrl(apiUrl);
  return `${url}/${isEnterpriseServer(apiUrl) ? 'github-apps' : 'apps'}/${slug}`;
}

function installed(
  { slug, installations_count: count }: z.infer<typeof AppGrant>,
  apiUrl: string,
): Finding {
  if (count === undefined || count > 0)
    return {
      level: 'ok',
      about: 'installations',
      says: count === undefined ? 'not told' : String(count),
    };
  const fix = `Install it: ${appPage(apiUrl, slug)}/installations/new`;
  return { level: 'warn', about: 'installations', says: 'the App is installed nowhere', fix };
}

function checkHook({ url, insecure_ssl: insecure }: z.infer<typeof Hook>): Finding {
  const problem =
    url === undefined || url === ''
      ? 'no address is set'
      : !url.endsWith(WEBHOOK_PATH)
        ? `${url} does not end in ${WEBHOOK_PATH}`
        : String(insecure ?? '0') === '1'
          ? `${url} is delivered to without checking its certificate`
          : undefined;
  if (problem === undefined) return { level: 'ok', about: 'webhook', says: url ?? '' };
  const fix = `Set the webhook's address in the App's settings to https://your.host${WEBHOOK_PATH}.`;
  return { level: 'warn', about: 'webhook', says: problem, fix };
}

function noHook(status: number): Finding {
  return {
    level: 'warn',
    about: 'webhook',
    says: `its address could not be read (${status})`,
    fix: "Look at it in the App's settings.",
  };
}
