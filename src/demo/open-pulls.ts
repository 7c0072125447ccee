/** The pull requests of the demonstration: opened, reviewed, and one of them brought in order by its author. */
import type { ReviewComment, Thread } from '../emulator/github/world/world-model.ts';
import type { Run } from '../domain/run/state/run-record.ts';
import type { VerdictWord } from '../domain/run/council.ts';
import type { LedgerFinding } from '../domain/review/review.ts';
import { pushBranch, pushTo, readText } from './push-commits.ts';
import { judgePull, type SeenPull } from './judge-pull.ts';
import { NEW_PULLS, type NewPull, type PullAnswer } from './project/new-pulls.ts';
import { REPOSITORY } from './project/people.ts';
import { labelsOn, toStory, type Story } from './story.ts';
import type { World } from './open-world.ts';

export interface PullStory extends Story {
  pull: NewPull;
}

/** One pull request at the end of its story. */
export interface DemoPull extends SeenPull {
  number: number;
  title: string;
  kind: string;
  url: string;
  merged: boolean;
  /** All verdicts, the last one last. */
  verdicts: VerdictWord[];
  /** Conclusions of the check, one for each head that was judged here. */
  checks: string[];
  findings: PullFinding[];
  runs: string[];
  problems: string[];
}

/** What was found, and what became of it. */
export type PullFinding = Pick<
  LedgerFinding['finding'],
  'ruleId' | 'severity' | 'path' | 'line' | 'scope' | 'title'
> &
  Pick<LedgerFinding, 'status' | 'settledBy' | 'why'>;

export async function openPulls(world: World): Promise<PullStory[]> {
  const stories: PullStory[] = [];
  for (const pull of NEW_PULLS) stories.push(await openPull(world, pull));
  return stories;
}

export async function openPull(world: Pick<World, 'emulator'>, pull: NewPull): Promise<PullStory> {
  const { author, branch, title, body, commits, isFromFork = false } = pull;
  const person = world.emulator.as(author);
  const fork = isFromFork ? await world.emulator.createFork(REPOSITORY, author) : undefined;
  const repository = fork === undefined ? REPOSITORY : `${author}/${fork.name}`;
  await pushBranch({ person, repository }, branch, commits);
  const head = fork === undefined ? branch : `${author}:${branch}`;
  const opened = await person.openPull(REPOSITORY, { title, body, head });
  return { ...toStory(world, opened), pull };
}

/** What the author does about the review: a suggestion is applied, one finding declined, the others repaired. */
export async function answerReview(
  world: World,
  { pull, number }: PullStory,
  { decline, apply, commits }: PullAnswer,
): Promise<void> {
  const person = world.emulator.as(pull.author);
  const comments = ownComments(world, number);
  const about = (rule: string): ReviewComment => {
    const found = comments.find(({ body }) => body.includes(`\`${rule}\``));
    if (found === undefined) throw new Error(`no comment of #${number} is about ${rule}`);
    return found;
  };
  const declined = `/repos/${REPOSITORY}/pulls/${number}/comments/${about(decline.rule).id}/replies`;
  await person.request('POST', declined, { body: decline.body });
  const { path, from, to } = await readSuggestion(world, pull, about(apply));
  const { name, botId } = world.emulator.app(world.appId);
  const thanks = `Co-authored-by: ${name} <${botId}+quorum[bot]@users.noreply.github.com>`;
  const message = `Apply a suggestion from the review\n\n${thanks}`;
  await pushTo({ person }, pull.branch, [{ message, edit: [[path, from, to]] }, ...commits]);
}

const SUGGESTION = /^(`{3,})suggestion\n([\s\S]*?)^\1$/m;

/** Does what GitHub's button does: replaces the lines of the comment with those in its block. */
async function readSuggestion(
  { emulator }: World,
  { author, branch }: NewPull,
  { path, line = 0, startLine = line, body }: ReviewComment,
): Promise<{ path: string; from: string; to: string }> {
  const [, , to] = SUGGESTION.exec(body) ?? [];
  const text = await readText({ person: emulator.as(author) }, branch, path);
  if (to === undefined || text === undefined || line < 1)
    throw new Error(`the suggestion for ${path} does not apply`);
  const from = text.split(/(?<=\n)/).slice(startLine - 1, line);
  return { path, from: from.join(''), to };
}

export function concludePull(
  world: World,
  { pull, number, title, url }: PullStory,
  run: Run<'pr_review'> | undefined,
): DemoPull {
  const seen = seePull(world, number);
  const verdict = run?.verdict?.verdict;
  const ledger = run?.review?.ledger.findings ?? [];
  return {
    number,
    title,
    kind: pull.kind,
    url,
    ...seen,
    verdicts: verdict === undefined ? [] : [verdict],
    checks: seen.check === undefined ? [] : [seen.check.conclusion],
    findings: ledger.map(toPullFinding),
    runs: run === undefined ? [] : [run.id],
    problems: run === undefined ? ['nothing was reviewed'] : judgePull(run, seen, pull.expected),
  };
}

/** Reviewed, repaired and reviewed again: both halves as one. */
export function joinReviews(
  world: World,
  story: PullStory,
  { before, run }: { before: DemoPull; run: Run<'pr_review'> | undefined },
): DemoPull {
  const { answer } = story.pull;
  if (answer === undefined) return before;
  const last = concludePull(
    world,
    { ...story, pull: { ...story.pull, expected: answer.expected } },
    run,
  );
  return {
    ...last,
    verdicts: [...before.verdicts, ...last.verdicts],
    checks: [...before.checks, ...last.checks],
    runs: [...before.runs, ...last.runs],
    problems: [...before.problems, ...last.problems],
  };
}

function toPullFinding({ finding, status, settledBy, why }: LedgerFinding): PullFinding {
  const { ruleId, severity, path, line, scope, title } = finding;
  return {
    ruleId,
    severity,
    path,
    line,
    scope,
    title,
    status,
    ...(settledBy === undefined ? {} : { settledBy }),
    ...(why === undefined ? {} : { why }),
  };
}

/** What is asked of a world to tell what the team wrote there. */
export type Seeing = Pick<World, 'emulator' | 'appId'>;

function threadOf({ emulator }: Pick<World, 'emulator'>, number: number): Thread {
  const thread = emulator.repository(REPOSITORY).threads.get(number);
  if (thread === undefined) throw new Error(`there is no #${number}`);
  return thread;
}

/** Comments that the App has put on lines, oldest first. */
function ownComments(world: Seeing, number: number): ReviewComment[] {
  const { botId } = world.emulator.app(world.appId);
  return threadOf(world, number).pull?.reviewComments.filter((one) => one.userId === botId) ?? [];
}

/** Head of a pull request as the embedded GitHub has it now. */
export function headOfPull(world: Pick<World, 'emulator'>, number: number): string {
  return threadOf(world, number).pull?.headSha ?? '';
}

/** The pull request as the embedded GitHub has it now. */
export function seePull(world: Seeing, number: number): SeenPull & { merged: boolean } {
  const thread = threadOf(world, number);
  const headSha = headOfPull(world, number);
  const { botId } = world.emulator.app(world.appId);
  const check = world.emulator
    .repository(REPOSITORY)
    .checkRuns.findLast((one) => one.headSha === headSha && one.name === 'quorum / review');
  return {
    headSha,
    merged: thread.pull?.merged ?? false,
    labels: labelsOn(world, number),
    ...(check === undefined
      ? {}
      : {
          check: {
            conclusion: check.conclusion ?? check.status,
            title: check.output.title ?? '',
            summary: check.output.summary ?? '',
          },
        }),
    reviews: (thread.pull?.reviews ?? [])
      .filter((one) => one.userId === botId)
      .map(({ body, state }) => ({ body, state })),
    comments: ownComments(world, number).map(
      ({ path, line, body, isResolved, minimizedReason }) => ({
        path,
        ...(line === undefined ? {} : { line }),
        body,
        isFolded: isResolved || minimizedReason !== undefined,
      }),
    ),
    ownWords: thread.comments.filter((one) => one.userId === botId).length,
  };
}
