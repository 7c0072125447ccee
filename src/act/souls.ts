/** Notices when an agent rewrote a persona (TG-1): compares with what was seen before, and asks who did it. */
import {
  changedByAgent,
  teamDigests,
  type PersonaDigests,
  type SoulsSeen,
} from '../domain/digest.ts';
import type { ThreadRef } from '../domain/thread.ts';
import type { CommitFacts, GitHubSession } from '../ports/github.ts';
import type { Settings } from './settings.ts';

export interface SoulsRequest {
  thread: ThreadRef;
  session: GitHubSession;
  view: { repository: { headSha: string } };
  settings: Settings;
  recorded: SoulsSeen | undefined;
}

/** New digests to remember, or why the team must keep still. Without any recorded, the package's team is what was before. */
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
    const commit = await findAgentsVersion(request, path);
    if (commit === undefined) continue;
    const change = { commitSha: commit.sha, path, isByAgent: true };
    const check = changedByAgent(before, digests, change);
    if (check.kind === 'stop') return { stopped: check.reason };
  }
  return { souls: seen };
}

/**
 * The commit of an agent whose version of a file still stands. A person's later commit settles it only when it changed
 * what the file says of personas, so that one about something else confirms nothing.
 */
async function findAgentsVersion(
  { session, thread, view, settings, recorded }: SoulsRequest,
  path: string,
): Promise<CommitFacts | undefined> {
  const { headSha } = view.repository;
  const now = await session.history.commits(thread, { path, sha: headSha });
  // Not the list up to one known commit: dates, by which it is sorted, are the author's to choose.
  const before =
    recorded?.sha === undefined || recorded.sha === ''
      ? { commits: [], isCut: false }
      : await session.history.commits(thread, { path, sha: recorded.sha });
  const old = new Set(before.commits.map((commit) => commit.sha));
  const fresh = now.commits.filter((commit) => !old.has(commit.sha));
  // More than can be listed: whoever came before counts as an agent.
  const beyond = now.isCut && fresh.length === now.commits.length ? fresh.at(-1) : undefined;
  const last = fresh.find((commit) => commit.isByAgent) ?? beyond;
  if (last === undefined || last === fresh[0]) return last;
  const theirs = await settings.personaSourceAt(path, last.sha);
  return theirs === settings.personaSources[path] ? last : undefined;
}

function changedPaths(a: Readonly<Record<string, string>>, b: typeof a): string[] {
  const paths = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...paths].filter((path) => a[path] !== b[path]);
}

function sameDigests(a: PersonaDigests, b: PersonaDigests): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
