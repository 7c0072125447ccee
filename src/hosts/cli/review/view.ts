/** What a review at a terminal changes about what was read: the terminal outranks the repository, and texts are at hand. */
import { parseDiff } from '../../../domain/diff/parse-diff.ts';
import { nearest } from '../../../domain/nearest.ts';
import type { Persona } from '../../../domain/persona.ts';
import type { PullView } from '../../../domain/review.ts';
import { textsWanted } from '../../../domain/review-texts.ts';
import { activeTeam, findLead, resolvePersona } from '../../../domain/roster.ts';
import type { ThreadRef } from '../../../domain/thread.ts';
import type { SourceFile } from '../../../domain/view.ts';
import type { GitHubPulls } from '../../../ports/pulls.ts';
import { usageError } from '../failure.ts';

/** Whoever asks pays, and nothing is written: no role is needed, and drafts or closed pull requests are read too. */
export function allowAll(view: PullView): void {
  view.actorPermission = 'admin';
  view.config.enabled = true;
  view.config.review.settleSeconds = 0;
  Object.assign(view.pull, { state: 'open', isDraft: false, isLocked: false, labels: [] });
  view.repository.isArchived = false;
}

/** The handles that were asked for. ConfigError `persona-unknown`. */
export function chosenHandles(
  names: readonly string[] | undefined,
  personas: readonly Persona[],
): string[] | undefined {
  if (names === undefined) return undefined;
  const team = activeTeam(personas, { board: false });
  return names.map((name) => {
    const persona = resolvePersona(team, name);
    if (persona !== undefined) return persona.handle;
    const handles = team.map(({ handle }) => handle);
    const close = nearest(name, handles);
    const hint = close === undefined ? '' : ` Did you mean ${close}?`;
    throw usageError(
      'persona-unknown',
      `Nobody in the team is called ${JSON.stringify(name)}.${hint} There are ${handles.join(', ')}.`,
    );
  });
}

/** Leaves the chosen ones and the lead, who closes the review. */
export function limitTeam(view: PullView, handles: readonly string[] | undefined): void {
  if (handles === undefined) return;
  const lead = findLead(activeTeam(view.personas, { board: false }), 'pr_review');
  view.personas = view.personas.filter(
    ({ handle }) => handle === lead?.handle || handles.includes(handle),
  );
}

export interface TextLimits {
  /** Files of one side. */
  files: number;
  /** Bytes of one file. */
  bytes: number;
}

/** Reads what rules look things up in. */
export async function readTexts(
  view: PullView,
  { github, thread }: { github: GitHubPulls; thread: ThreadRef },
  limits: TextLimits,
): Promise<void> {
  const { read } = github.at(thread);
  const diff = parseDiff(view.diff);
  const known = [...(view.basePaths ?? []), ...diff.files.map(({ path }) => path)];
  const wanted = textsWanted(diff, [...new Set(known)]);
  const { headSha, baseSha } = view.pull;
  const from = async (sha: string, paths: string[]): Promise<SourceFile[]> => {
    const want = { paths: paths.slice(0, limits.files), maxBytes: limits.bytes };
    const files = sha === '' ? [] : await read.files(thread, sha, want);
    return files.filter(({ isCut }) => !isCut);
  };
  view.head = await from(headSha, wanted.head);
  view.base = await from(baseSha, wanted.base);
}
