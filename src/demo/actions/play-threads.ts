/** The issues and pull requests of the demonstration, discussed and reviewed by workflows. */
import { z } from 'zod';
import { seeIssue } from '../open-issues.ts';
import { openPull, seePull } from '../open-pulls.ts';
import { NEW_ISSUES, type NewIssue } from '../project/new-issues.ts';
import { NEW_PULLS, type NewPull } from '../project/new-pulls.ts';
import { REPOSITORY, TRIAGER } from '../project/people.ts';
import type { WorkedOn } from '../../hosts/cli/demo/actions-result.ts';
import { failuresIn, outputOf, type ActionsWorld, type PlayedEvent } from './open-actions-world.ts';

const Labelled = z.looseObject({ labels: z.array(z.looseObject({ name: z.string() })) });
const OUTCOMES = ['ready', 'draft', 'needs-human'];

export interface PlayedIssue extends WorkedOn {
  /** What started the discussion. */
  event: PlayedEvent;
}

export async function playIssues(world: ActionsWorld): Promise<PlayedIssue[]> {
  const played: PlayedIssue[] = [];
  for (const issue of NEW_ISSUES) played.push(await playIssue(world, issue));
  return played;
}

async function playIssue(world: ActionsWorld, issue: NewIssue): Promise<PlayedIssue> {
  const { author, title, body, kind, expected } = issue;
  const { emulator } = world;
  const { number } = await emulator.as(author).openIssue(REPOSITORY, { title, body });
  const triager = emulator.as(TRIAGER);
  await triager.label(REPOSITORY, number, ['deliberate', ...issue.labels]);
  const opened = await triager.request('GET', `/repos/${REPOSITORY}/issues/${number}`);
  const label = Labelled.parse(opened).labels.find(({ name }) => name === 'deliberate');
  const payload = { action: 'labeled', issue: opened, label };
  const event: PlayedEvent = { workflow: 'quorum.yml', name: 'issues', payload, by: TRIAGER };
  const jobs = await world.play(event);
  const verdict = outputOf(jobs, 'agent', 'verdict');
  const seen = seeIssue(world, number);
  const outcomes = seen.labels.filter((name) => OUTCOMES.includes(name));
  const [wanted] = expected.label === undefined ? [] : [expected.label];
  const checks: [boolean, string][] = [
    [expected.verdicts.some((word) => word === verdict), `the verdict is ${verdict || 'none'}`],
    [seen.state === expected.state, `the issue is ${seen.state}`],
    [
      expected.verdicts.length > 1 || outcomes.join() === (wanted ?? ''),
      `the outcome labels are ${outcomes.join(', ') || 'none'}`,
    ],
    [seen.ownComments.length > 0, 'the team wrote no comment'],
  ];
  const state = seen.stateReason === null ? seen.state : `${seen.state} as ${seen.stateReason}`;
  return {
    number,
    title,
    kind,
    verdict,
    event,
    shown: [state, `labels: ${seen.labels.join(', ') || 'none'}`],
    text: seen.ownComments.at(-1) ?? '',
    problems: [...failuresIn(jobs), ...wrongIn(checks)],
  };
}

export async function playPulls(world: ActionsWorld): Promise<WorkedOn[]> {
  const played: WorkedOn[] = [];
  for (const pull of NEW_PULLS) played.push(await playPull(world, pull));
  return played;
}

async function playPull(world: ActionsWorld, pull: NewPull): Promise<WorkedOn> {
  const { author: by, kind, expected } = pull;
  const { number, title } = await openPull(world, pull);
  const person = world.emulator.as(by);
  const opened = await person.request('GET', `/repos/${REPOSITORY}/pulls/${number}`);
  const payload = { action: 'opened', number, pull_request: opened };
  const jobs = await world.play({ workflow: 'quorum.yml', name: 'pull_request', payload, by });
  const verdict = outputOf(jobs, 'agent', 'verdict');
  const { check, reviews, comments, labels } = seePull(world, number);
  const conclusion = check?.conclusion ?? 'missing';
  const checks: [boolean, string][] = [
    [verdict === expected.verdict, `the verdict is ${verdict || 'none'}`],
    [conclusion === expected.check, `the check is ${conclusion}`],
    [
      comments.length === expected.comments,
      `${comments.length} comments on lines (expected ${expected.comments})`,
    ],
  ];
  return {
    number,
    title,
    kind,
    verdict,
    shown: [
      `check ${conclusion}`,
      `${reviews.length} reviews, ${comments.length} comments on lines`,
      `labels: ${labels.join(', ') || 'none'}`,
    ],
    text: reviews.at(-1)?.body ?? '',
    problems: [...failuresIn(jobs), ...wrongIn(checks)],
  };
}

function wrongIn(checks: readonly [boolean, string][]): string[] {
  return checks.filter(([isFine]) => !isFine).map(([, says]) => says);
}
