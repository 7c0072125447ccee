/** The issues of the demonstration: opened, labelled, discussed, and one of them answered by a person. */
import { verdictOf, type Run } from '../domain/run/state/run-record.ts';
import type { VerdictWord } from '../domain/run/council.ts';
import { judge, type Seen } from './judge-issue.ts';
import { NEW_ISSUES, type NewIssue } from './project/new-issues.ts';
import { MAINTAINER, REPOSITORY, TRIAGER } from './project/people.ts';
import { labelsOn, toStory, type Story } from './story.ts';
import type { World } from './open-world.ts';

export interface IssueStory extends Story {
  issue: NewIssue;
}

/** One issue at the end of its story. */
export interface DemoIssue extends Seen {
  number: number;
  title: string;
  kind: string;
  url: string;
  /** All verdicts, the last one last: the one that needed a person has two. */
  verdicts: VerdictWord[];
  run: string;
  /** The question that was asked, and what a person answered. */
  asked?: { question: string; answer: string };
  /** What is not as it should be. */
  problems: string[];
}

export async function openIssues(world: World): Promise<IssueStory[]> {
  const { emulator } = world;
  const stories: IssueStory[] = [];
  for (const issue of NEW_ISSUES) {
    const { author, title, body } = issue;
    const opened = await emulator.as(author).openIssue(REPOSITORY, { title, body });
    stories.push({ ...toStory(world, opened), issue });
  }
  for (const { issue, number } of stories)
    await emulator.as(TRIAGER).label(REPOSITORY, number, ['deliberate', ...issue.labels]);
  return stories;
}

export function concludeIssue(
  world: World,
  { issue, number, title, url }: IssueStory,
  run: Run | undefined,
): DemoIssue {
  const seen = seeIssue(world, number);
  const verdict = run && verdictOf(run)?.verdict;
  return {
    number,
    title,
    kind: issue.kind,
    url,
    ...seen,
    verdicts: verdict === undefined ? [] : [verdict],
    run: run?.id ?? '',
    problems: run === undefined ? ['nothing was discussed'] : judge(run, seen, issue.expected),
  };
}

/** Whether the maintainer has an answer to what the team asked. */
export function wantsAnswer({ issue }: IssueStory, run: Run | undefined): boolean {
  return issue.answer !== undefined && run !== undefined && verdictOf(run)?.verdict === 'HUMAN';
}

export async function answerIssue({ emulator }: World, { issue, number }: IssueStory) {
  await emulator.as(MAINTAINER).comment(REPOSITORY, number, issue.answer?.body ?? '');
}

/** Blocked, answered by a person, resumed, closed: both halves as one. */
export function concludeAnswered(
  world: World,
  story: IssueStory,
  { before, run, question }: { before: DemoIssue; run: Run | undefined; question: string },
): DemoIssue {
  const { answer } = story.issue;
  if (answer === undefined) return before;
  const issue = { ...story.issue, expected: answer.expected };
  const last = concludeIssue(world, { ...story, issue }, run);
  return {
    ...last,
    verdicts: [...before.verdicts, ...last.verdicts],
    asked: { question, answer: answer.body },
    problems: [...before.problems, ...last.problems],
  };
}

/** The issue as the embedded GitHub has it now. */
export function seeIssue(world: Pick<World, 'emulator' | 'appId'>, number: number): Seen {
  const thread = world.emulator.repository(REPOSITORY).threads.get(number);
  const { botId } = world.emulator.app(world.appId);
  const own = (each: { userId: number }): boolean => each.userId === botId;
  return {
    state: thread?.state ?? 'closed',
    stateReason: thread?.stateReason ?? null,
    labels: labelsOn(world, number),
    ownComments: thread?.comments.filter(own).map(({ body }) => body) ?? [],
    ownReactions: thread?.reactions.filter(own).map(({ content }) => content) ?? [],
  };
}
