/** `quorum doctor --live OWNER/REPO`: the steps of docs/smoke-test.md that only read, on the real GitHub. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { createGit } from '../../../../adapters/git/create-git.ts';
import { toFailure } from '../../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../../domain/run/thread-ref.ts';
import type { GitHubWork } from '../../../../ports/github/work.ts';
import { needCredentials } from '../../../environment/app-credentials.ts';
import { openGitHub, type Basics } from '../../../host-parts.ts';
import { readHostSettings } from '../../../environment/host-settings.ts';
import type { Finding } from '../doctor-finding.ts';
import { compareInstallations, InstallationGrant } from '../grants.ts';
import {
  askAsApp,
  askWithToken,
  describeAnswer,
  readLive,
  type AskLive,
  type LiveAnswer,
  type LiveApi,
} from './ask-live.ts';
import { checkRules } from './check-rules.ts';

/** What the checks share. */
export interface Live {
  app: AskLive;
  ask: AskLive;
  github: GitHubWork;
  ref: RepositoryRef;
  basics: Basics;
  defaultBranch: string;
  headSha: string;
  grant: z.infer<typeof InstallationGrant>;
}

const REPOSITORY = /^[\w.-]{1,100}\/[\w.-]{1,100}$/;

export async function checkLive(basics: Basics, name: string): Promise<Finding[]> {
  if (!REPOSITORY.test(name))
    return [fail('--live', `${name} is no repository`, 'Name it as OWNER/REPO.')];
  try {
    return await checkAll(basics, name);
  } catch (error) {
    const { message, code } = toFailure(error);
    const fix = 'Run quorum doctor without --live first; see docs/smoke-test.md.';
    return [fail(name, `${message} [${code}]`, fix)];
  }
}

async function checkAll(basics: Basics, name: string): Promise<Finding[]> {
  const credentials = needCredentials(basics.env, '--live reads as the App.');
  const { apiUrl } = readHostSettings(basics.env);
  const api = { apiUrl, clock: basics.clock };
  const app = askAsApp(api, credentials);
  const installed = await app(`/repos/${name}/installation`);
  if (installed.status === 404)
    return [fail('installation', `the App is not installed on ${name}`, 'Install it there.')];
  if (installed.status !== 200) return [noInstallation(installed)];
  const grant = InstallationGrant.parse(installed.data);
  const minted = await mint(app, { name, installed, installationId: grant.id });
  if (minted.status !== 201) return [noInstallation(minted)];
  const found = openRepository(api, minted, grant.id);
  const { github } = openGitHub(basics, credentials, { apiUrl, workers: 1 });
  const session = github.at(found.ref);
  const { headSha } = await session.read.repository(found.ref);
  const live: Live = { ...found, app, github, basics, grant, headSha };
  const findings: Finding[] = [
    { level: 'ok', about: 'installation', says: describeCover(grant.id, found.ref, name) },
    ...compareInstallations([grant]),
    checkClock(installed, basics),
  ];
  for (const check of CHECKS) findings.push(...(await attempt(check, live)));
  return findings;
}

function describeCover(id: number, { owner, repo }: RepositoryRef, asked: string): string {
  const name = `${owner}/${repo}`;
  const isSame = name.toLowerCase() === asked.toLowerCase();
  return `installation ${id} covers ${name}${isSame ? '' : `, which was ${asked} before`}`;
}

function noInstallation(answer: LiveAnswer): Finding {
  const fix = 'Run quorum doctor without --live first; see docs/troubleshooting.md.';
  return fail('installation', describeAnswer(answer), fix);
}

const Minted = z.object({
  token: z.string(),
  repositories: z.array(
    z.object({ id: z.number(), full_name: z.string(), default_branch: z.string() }),
  ),
});

/** A token for this repository and no other. GitHub redirects a former name by the repository's number. */
function mint(
  app: AskLive,
  of: { name: string; installed: LiveAnswer; installationId: number },
): Promise<LiveAnswer> {
  const id = /\/repositories\/(\d+)\/installation$/.exec(new URL(of.installed.url).pathname)?.[1];
  const body =
    id === undefined ? { repositories: [of.name.split('/')[1]] } : { repository_ids: [Number(id)] };
  const at = `/app/installations/${of.installationId}/access_tokens`;
  return app(at, { method: 'POST', body });
}

/** The token's answer tells the repository's number, and its name now. */
function openRepository(api: LiveApi, minted: LiveAnswer, installationId: number) {
  const { token, repositories } = readLive(Minted, minted);
  const [repository] = repositories;
  if (repository === undefined) throw new Error('GitHub gives no token for this repository');
  const [owner = '', repo = ''] = repository.full_name.split('/');
  const ref = { installationId, repositoryId: repository.id, owner, repo };
  return { ref, ask: askWithToken(api, token), defaultBranch: repository.default_branch };
}

type Check = [about: string, run: (live: Live) => Promise<Finding[]>];

const CHECKS: readonly Check[] = [
  ['conditional requests', checkConditional],
  ['GraphQL', checkGraphql],
  ['long lists', checkLongLists],
  ['rules of the default branch', checkRules],
  ['git remote', checkGit],
  ['leases', checkLeases],
  ['memory', checkPushes],
  ['webhook deliveries', checkDeliveries],
];

/** What one check cannot find out does not end the others. */
async function attempt([about, run]: Check, live: Live): Promise<Finding[]> {
  try {
    return await run(live);
  } catch (error) {
    const { message, code } = toFailure(error);
    return [fail(about, `${message} [${code}]`, 'See docs/troubleshooting.md for this code.')];
  }
}

export function fail(about: string, says: string, fix: string): Finding {
  return { level: 'fail', about, says, fix };
}

const MAX_SKEW_MS = 30_000;

function checkClock({ headers }: LiveAnswer, { clock }: Basics): Finding {
  const skewMs = Math.abs(Date.parse(headers.get('date') ?? '') - clock.now());
  const about = 'clock';
  if (Number.isNaN(skewMs)) return { level: 'warn', about, says: 'GitHub told no time' };
  const says = `${Math.round(skewMs / 1000)} s off GitHub's`;
  if (skewMs <= MAX_SKEW_MS) return { level: 'ok', about, says };
  return { level: 'warn', about, says, fix: "Synchronise this machine's clock (NTP)." };
}

/** A list that has not changed must cost nothing. */
async function checkConditional({ ask, ref }: Live): Promise<Finding[]> {
  const at = `/repos/${ref.owner}/${ref.repo}/issues?state=all&per_page=1`;
  const first = await ask(at);
  const etag = first.headers.get('etag');
  const about = 'conditional requests';
  if (etag === null) return [{ level: 'warn', about, says: 'GitHub sends no ETag' }];
  const again = await ask(at, { headers: { 'if-none-match': etag } });
  const left = again.headers.get('x-ratelimit-remaining') ?? 'unknown';
  if (again.status === 304)
    return [{ level: 'ok', about, says: `304, ${left} requests left in this hour` }];
  const fix = 'Somebody may have changed an issue at this moment. Run it again.';
  return [{ level: 'warn', about, says: `${again.status} instead of 304`, fix }];
}

async function checkGraphql({ ask }: Live): Promise<Finding[]> {
  const query = '{ rateLimit { remaining } }';
  const { status, data } = await ask('/graphql', { method: 'POST', body: { query } });
  const about = 'GraphQL';
  const isThere = z.object({ data: z.object({}) }).safeParse(data).success;
  if (isThere) return [{ level: 'ok', about, says: 'answers' }];
  const says = `answers ${status}: everything is read by REST, in more requests`;
  return [{ level: 'warn', about, says, fix: 'Let a proxy pass on POST /graphql.' }];
}

const Busy = z.array(z.object({ number: z.number(), comments: z.number() }));
const PAGE = 100;
const MOST_COMMENTS = 5_000;

/** The longest conversation is read twice: the second time GitHub answers 304 to its pages. */
async function checkLongLists({ ask, ref, github }: Live): Promise<Finding[]> {
  const at = `/repos/${ref.owner}/${ref.repo}/issues`;
  const answer = await ask(`${at}?state=all&sort=comments&direction=desc&per_page=1`);
  const about = 'long lists';
  // Issues are switched off.
  if (answer.status === 410) return [{ level: 'warn', about, says: describeAnswer(answer) }];
  const [busy] = readLive(Busy, answer);
  if (busy === undefined || busy.comments <= PAGE)
    return [{ level: 'ok', about, says: `no issue here has more than ${PAGE} comments` }];
  const { read } = github.at(ref);
  const thread = { ...ref, number: busy.number };
  const wanted = Math.min(busy.comments, MOST_COMMENTS);
  const counts = [await read.comments(thread, wanted), await read.comments(thread, wanted)];
  const told = counts.map((comments) => comments.length);
  const says = `#${busy.number} has ${busy.comments} comments; read ${told.join(' and ')}`;
  if (told.every((count) => count === wanted)) return [{ level: 'ok', about, says }];
  return [
    fail(about, says, 'Report this with the output of LOG_LEVEL=debug quorum doctor --live.'),
  ];
}

/** Through the same git, proxy and authority as a task's push. */
async function checkGit({ github, ref, basics, defaultBranch, headSha }: Live): Promise<Finding[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quorum-live-'));
  try {
    const git = createGit({
      folder,
      remoteOf: (of) => github.remote(of),
      clock: basics.clock,
    });
    const tip = await git.remoteHead(ref, defaultBranch);
    const says = `${defaultBranch} is at ${tip?.slice(0, 12) ?? 'nothing'}`;
    if ((tip ?? '') === headSha) return [{ level: 'ok', about: 'git remote', says }];
    const fix = 'Somebody may have pushed at this moment. Run it again.';
    return [{ level: 'warn', about: 'git remote', says: `${says}, by REST at ${headSha}`, fix }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Without it nobody can tell who pushed to the memory branch, and no entry of it is used. */
async function checkPushes({ ask, ref }: Live): Promise<Finding[]> {
  const answer = await ask(`/repos/${ref.owner}/${ref.repo}/activity?per_page=1`);
  const about = 'memory';
  if (answer.status === 200 && Array.isArray(answer.data))
    return [{ level: 'ok', about, says: 'GitHub says who pushed to the memory branch' }];
  const says = `GitHub does not say who pushed to the memory branch, so no entry of it is used: ${describeAnswer(answer)}`;
  const fix =
    answer.status === 403
      ? 'Let the App read contents, and accept that for the installation.'
      : 'It needs GET /repos/{owner}/{repo}/activity: upgrade GitHub Enterprise Server, or let a proxy pass it on. With memory.enabled: false, nothing asks for it.';
  return [{ level: 'warn', about, says, fix }];
}

async function checkLeases({ ask, ref }: Live): Promise<Finding[]> {
  const { status, data } = await ask(
    `/repos/${ref.owner}/${ref.repo}/git/matching-refs/quorum/leases`,
  );
  const refs = z.array(z.object({ ref: z.string() })).safeParse(data).data;
  const about = 'leases';
  if (refs === undefined)
    return [fail(about, `the refs could not be read (${status})`, 'Grant contents: write.')];
  return [{ level: 'ok', about, says: `${refs.length} refs below refs/quorum/leases` }];
}

const Deliveries = z.array(
  z.object({ event: z.string(), status_code: z.number(), delivered_at: z.string() }),
);

async function checkDeliveries({ app }: Live): Promise<Finding[]> {
  const deliveries = readLive(Deliveries, await app('/app/hook/deliveries?per_page=50'));
  const about = 'webhook deliveries';
  const [latest] = deliveries;
  if (latest === undefined)
    return [
      {
        level: 'warn',
        about,
        says: 'GitHub has sent none yet',
        fix: 'Label an issue, and run this again.',
      },
    ];
  const failed = deliveries.filter(({ status_code: code }) => code < 200 || code > 299);
  const says = `${failed.length} of the last ${deliveries.length} failed; last: ${latest.event} at ${latest.delivered_at}, ${latest.status_code}`;
  if (failed.length === 0) return [{ level: 'ok', about, says }];
  const fix = "Look at Recent deliveries under Advanced in the App's settings.";
  return [{ level: 'warn', about, says, fix }];
}
