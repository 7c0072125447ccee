/** Notices when an agent rewrote a persona (TG-1): compares with what was seen before, and asks who did it. */
import {
  changedByAgent,
  teamDigests,
  type PersonaChange,
  type PersonaDigests,
  type SoulsSeen,
} from '../../domain/persona/digest.ts';
import { hasPermission, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { MergedPull } from '../../ports/github/github-history.ts';
import type { Settings } from './read-settings.ts';

export interface SoulsRequest {
  thread: ThreadRef;
  session: GitHubSession;
  view: { repository: { headSha: string } };
  settings: Settings;
  recorded: SoulsSeen | undefined;
}

/**
 * New digests to remember, or why the team must stay silent. Without recorded digests, the package's team counts as the
 * earlier one.
 */
export async function checkSouls(
  request: SoulsRequest,
): Promise<{ souls?: SoulsSeen; stopped?: string }> {
  const { settings, recorded, view } = request;
  const sha = view.repository.headSha;
  if (sha === '') return {};
  const digests = teamDigests(settings.personas);
  const seen = { digests, sha, sources: settings.personaSources };
  const before = recorded?.digests ?? settings.packageDigests;
  if (sameDigests(before, digests)) return recorded?.sources === undefined ? { souls: seen } : {};
  for (const path of changedPaths(recorded?.sources ?? {}, seen.sources)) {
    for (const version of await findAgentsVersions(request, path)) {
      const change = await describeChange(request, version, path);
      const check = changedByAgent(before, digests, change);
      if (check.kind === 'stop') return { stopped: check.reason };
    }
  }
  return { souls: seen };
}

async function describeChange(
  request: SoulsRequest,
  { sha: commitSha, isUnknown }: AgentsVersion,
  path: string,
): Promise<PersonaChange> {
  const change = { commitSha, path, isByAgent: true };
  const { session, thread } = request;
  const pull = isUnknown ? undefined : await session.history.broughtIn(thread, commitSha);
  if (pull === undefined) return change;
  const { number, mergedBy } = pull;
  const approvedBy = await findConsent(request, { path, commitSha, pull });
  return {
    ...change,
    pull: { number, mergedBy: mergedBy.login },
    ...(approvedBy === undefined ? {} : { approvedBy }),
  };
}

interface Brought {
  path: string;
  commitSha: string;
  pull: MergedPull;
}

/**
 * The person who consented to an agent's commit. This is who merged the pull request that has it, at the merged commit,
 * or whose review approves exactly the merged head. Roles are the present ones, by account id.
 */
async function findConsent(
  { session, thread }: SoulsRequest,
  { path, commitSha, pull }: Brought,
): Promise<string | undefined> {
  const { mergeSha: sha, headSha, mergedBy, isAutomatic, approvals } = pull;
  const { commits } = await session.history.commits(thread, { path, sha });
  if (!commits.some((each) => each.sha === commitSha)) return undefined;
  // What GitHub merges by itself may have got further commits since somebody asked for that.
  const people = [
    ...(isAutomatic ? [] : [mergedBy]),
    ...approvals.flatMap(({ by, sha: approved }) => (approved === headSha ? [by] : [])),
  ];
  for (const { id, login, isBot } of people)
    if (!isBot && hasPermission(await session.read.permission(thread, { id, login }), 'write'))
      return login;
  return undefined;
}

interface AgentsVersion {
  sha: string;
  /** The list is cut there: nobody knows who made it or what came before, so nobody can have consented. */
  isUnknown: boolean;
}

/**
 * The commits of agents that a file's present text may rest on, newest first. A person's later commit settles them only
 * when it changed what the file says of personas, so that one about something else confirms nothing.
 */
async function findAgentsVersions(
  { session, thread, view, settings, recorded }: SoulsRequest,
  path: string,
): Promise<AgentsVersion[]> {
  const { headSha } = view.repository;
  const now = await session.history.commits(thread, { path, sha: headSha });
  // Not the list up to one known commit: dates, by which it is sorted, are the author's to choose.
  const before =
    recorded?.sha === undefined || recorded.sha === ''
      ? { commits: [], isCut: false }
      : await session.history.commits(thread, { path, sha: recorded.sha });
  const old = new Set(before.commits.map((commit) => commit.sha));
  const fresh = now.commits.filter((commit) => !old.has(commit.sha));
  // The list is cut: its oldest commit counts as an agent's, because nobody knows what came before.
  const beyond = now.isCut && fresh.length === now.commits.length ? fresh.at(-1) : undefined;
  const agents = fresh.filter((commit) => commit.isByAgent || commit === beyond);
  const [last] = agents;
  if (last === undefined) return [];
  if (last !== fresh[0]) {
    const theirs = await settings.personaSourceAt(path, last.sha);
    if (theirs !== settings.personaSources[path]) return [];
  }
  return agents.map((commit) => ({ sha: commit.sha, isUnknown: commit === beyond }));
}

function changedPaths(a: Readonly<Record<string, string>>, b: typeof a): string[] {
  const paths = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...paths].filter((path) => a[path] !== b[path]);
}

function sameDigests(a: PersonaDigests, b: PersonaDigests): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
