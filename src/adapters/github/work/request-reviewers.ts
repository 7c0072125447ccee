/** Asks people for their reviews, each once for a head. */
import { RefusedError } from '../../../domain/event/errors.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { TaskPulls } from '../../../ports/github/work.ts';
import type { SessionContext } from '../bound.ts';
import { eachPage, PER_PAGE } from '../client/pages.ts';
import type { Place } from '../repository-locator.ts';
import { LIST_REVIEWS, type WirePull } from '../pulls/pull-operations.ts';
import { readWirePull } from '../pulls/read-pull.ts';
import { unique } from './assign.ts';
import { REQUEST_REVIEWERS } from './work-operations.ts';

type Asked = Awaited<ReturnType<TaskPulls['requestReviewers']>>;

type Target = Place & { pull_number: number };

export async function requestReviewers(
  bound: SessionContext,
  ref: ThreadRef,
  { logins, teams = [], isNew = false }: Parameters<TaskPulls['requestReviewers']>[1],
): Promise<Asked> {
  return bound.places.at(ref, bound.calls, async (place) => {
    const target = { ...place, pull_number: ref.number };
    // Asking a team again changes nothing.
    if (isNew) return askAtOnce(bound, target, { logins: unique(logins), teams });
    const refusedTeams = await sendTeams(bound, target, teams);
    const pull = await readWirePull(bound, ref, place);
    const author = pull.user?.login.toLowerCase();
    const others = unique(logins).filter((login) => login.toLowerCase() !== author);
    const done = namesOf(pull.requested_reviewers);
    if (!isWithin(others, done))
      for (const login of await readReviewed(bound, target, pull)) done.add(login);
    const missing = others.filter((login) => !done.has(login.toLowerCase()));
    for (const login of await send(bound, target, missing)) done.add(login);
    return {
      asked: others.filter((login) => done.has(login.toLowerCase())),
      refused: unique(logins).filter(
        (login) => !done.has(login.toLowerCase()) || isSame(login, author),
      ),
      refusedTeams,
    };
  });
}

/** People and teams in one call; where GitHub does not take all of them, one after the other. */
async function askAtOnce(
  bound: SessionContext,
  target: Target,
  { logins, teams }: { logins: string[]; teams: readonly string[] },
): Promise<Asked> {
  const wanted = { reviewers: logins, ...(teams.length > 0 && { team_reviewers: teams }) };
  try {
    await bound.calls.send(REQUEST_REVIEWERS, { ...target, ...wanted });
    return { asked: logins, refused: [], refusedTeams: [] };
  } catch (error) {
    if (!isNobody(error)) throw error;
  }
  const refusedTeams = await sendTeams(bound, target, teams);
  const done = await send(bound, target, logins);
  const isAsked = (login: string): boolean => done.has(login.toLowerCase());
  const refused = logins.filter((login) => !isAsked(login));
  return { asked: logins.filter(isAsked), refused, refusedTeams };
}

/** Each alone, because GitHub refuses the whole request for one it does not accept. Returns the refused ones. */
async function sendTeams(
  bound: SessionContext,
  target: Target,
  teams: readonly string[],
): Promise<string[]> {
  const refused: string[] = [];
  for (const team of new Set(teams))
    await bound.calls
      .send(REQUEST_REVIEWERS, { ...target, reviewers: [], team_reviewers: [team] })
      .catch((error: unknown) => {
        if (!isNobody(error)) throw error;
        refused.push(team);
      });
  return refused;
}

function isSame(login: string, author: string | undefined): boolean {
  return login.toLowerCase() === author;
}

function isWithin(logins: readonly string[], names: ReadonlySet<string>): boolean {
  return logins.every((login) => names.has(login.toLowerCase()));
}

/** In lower case: GitHub compares logins so. */
function namesOf(users: readonly { login: string }[] | null | undefined): Set<string> {
  return new Set((users ?? []).map((user) => user.login.toLowerCase()));
}

/** Who has answered for this head is not on the list of those who are asked any more. */
async function readReviewed(
  bound: SessionContext,
  target: Target,
  pull: WirePull,
): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const page of eachPage(bound.calls, LIST_REVIEWS, { ...target, per_page: PER_PAGE }))
    for (const { user, commit_id: sha, state } of page)
      if (user && sha === pull.head.sha && state !== 'PENDING') found.add(user.login.toLowerCase());
  return found;
}

/** Who is on the list now. GitHub refuses all for one whom it does not take: then each is asked alone. */
async function send(bound: SessionContext, target: Target, logins: string[]): Promise<Set<string>> {
  if (logins.length === 0) return new Set();
  try {
    const { data } = await bound.calls.send(REQUEST_REVIEWERS, { ...target, reviewers: logins });
    return namesOf(data.requested_reviewers);
  } catch (error) {
    if (!isNobody(error)) throw error;
    if (logins.length === 1) return new Set();
  }
  const found = new Set<string>();
  for (const login of logins)
    for (const name of await send(bound, target, [login])) found.add(name);
  return found;
}

function isNobody(error: unknown): boolean {
  return error instanceof RefusedError && error.code === 'github-invalid';
}
