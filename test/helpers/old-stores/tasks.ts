/** Plans with one task in each phase, before an effect, after it, and before its result is reported. */
import { sayTask } from '../say-task.ts';
import { approve, comment, plans, pushes, setState } from './deeds.ts';
import { WORK, type Hold, type RetryContext, type Place } from './moment.ts';

const onePlan = plans(sayTask(1, 'goodbye'));

const starts = (name: string, hold: Hold): RetryContext => ({
  name: `start-${name}`,
  files: WORK,
  act: onePlan,
  hold,
});

/** The first task is in review, and somebody says yes to its pull request. */
const merges = (name: string, hold: Hold, more: Partial<RetryContext> = {}): RetryContext => ({
  name: `merge-${name}`,
  files: WORK,
  before: [onePlan],
  act: approve(2),
  hold,
  ...more,
});

async function approvesOnNewBase(place: Place): Promise<void> {
  await pushes('docs/new.md', 'The base moved.\n')(place);
  await approve(2)(place);
}

const FROM_PLAN_TO_REVIEW: readonly RetryContext[] = [
  starts('label', { event: 'trigger' }),
  starts('read', { effect: 'look-plan', point: 'before' }),
  starts('slots-requested', { event: 'places-wanted' }),
  starts('slots-given', { event: 'places-given' }),
  starts('approved', { event: 'task-go' }),
  starts('claim', { effect: 'claim', point: 'before' }),
  starts('claimed', { effect: 'claim', point: 'result' }),
  starts('session-requested', { event: 'session-wanted' }),
  starts('session-given', { event: 'session-told' }),
  starts('code', { effect: 'code', point: 'before' }),
  starts('coded', { effect: 'code', point: 'after' }),
  starts('verify', { effect: 'verify', point: 'before' }),
  starts('verified', { effect: 'verify', point: 'result' }),
  starts('publish', { effect: 'publish', point: 'before' }),
  starts('published', { effect: 'publish', point: 'after' }),
  starts('published-result', { effect: 'publish', point: 'result' }),
  starts('pull-linked', { event: 'adopted' }),
  starts('task-updated', { event: 'task-told' }),
  starts('review-read', { effect: 'look-pull', point: 'before' }),
  starts('review-ask', { effect: 'ask', point: 'before' }),
  starts('pull-updated', { event: 'pull-told' }),
  starts('run-ended', { event: 'run-ended' }),
  { name: 'start-in-review', files: WORK, act: onePlan },
];

const FROM_APPROVAL_TO_END: readonly RetryContext[] = [
  merges('read', { effect: 'look-merge', point: 'before' }),
  merges('retest', { effect: 'retest', point: 'before' }, { act: approvesOnNewBase }),
  merges('retested', { effect: 'retest', point: 'result' }, { act: approvesOnNewBase }),
  merges('merge', { effect: 'merge', point: 'before' }),
  merges('merged', { effect: 'merge', point: 'after' }),
  merges('merged-result', { effect: 'merge', point: 'result' }),
  merges('plan-edit', { effect: 'plan-edit', point: 'before' }),
  merges('release', { effect: 'release', point: 'before' }),
  merges('released', { effect: 'release', point: 'after' }),
  merges(
    'next-task',
    { effect: 'claim', point: 'before' },
    {
      before: [plans(sayTask(1, 'goodbye'), sayTask(2, 'welcome', { dependencies: [1] }))],
    },
  ),
  { name: 'merge-over', files: WORK, before: [onePlan], act: approve(2) },
];

const SHUT: readonly RetryContext[] = [
  {
    name: 'shut-drop-branch',
    files: WORK,
    before: [onePlan, setState(2, 'closed')],
    act: comment(1, '/pm done'),
    hold: { effect: 'drop-branch', point: 'before' },
  },
  {
    name: 'shut-reopened',
    files: WORK,
    before: [onePlan, setState(2, 'closed')],
    act: setState(2, 'open'),
    hold: { effect: 'look-merge', point: 'before' },
  },
  {
    name: 'shut-pull',
    files: WORK,
    before: [onePlan],
    act: setState(2, 'closed'),
    after: setState(2, 'open'),
  },
];

const NO_TESTS = "echo '# tests 0'; echo '# pass 0'; echo '# fail 0'; echo '# skipped 0'\n";

const WAITING: readonly RetryContext[] = [
  {
    name: 'wait-no-tests',
    files: {
      ...WORK,
      'test.sh': NO_TESTS,
      '.github/quorum.yml': 'merge:\n  mode: auto\ngates:\n  testCommand: sh test.sh\n',
    },
    act: onePlan,
    after: comment(1, '/pm retry 1'),
  },
  {
    name: 'wait-second-attempt',
    files: WORK,
    act: plans(sayTask(1, 'goodbye', { says: 'Bye' })),
    hold: { effect: 'verify', point: 'before', nth: 2 },
  },
  {
    name: 'wait-paused',
    files: WORK,
    before: [onePlan],
    act: comment(1, '/pm pause'),
    after: comment(1, '/pm resume'),
  },
  {
    name: 'wait-task-command',
    files: WORK,
    before: [onePlan],
    act: comment(1, '/pm release 1'),
    hold: { event: 'task-word' },
  },
];

export const TASKS: readonly RetryContext[] = [
  ...FROM_PLAN_TO_REVIEW,
  ...FROM_APPROVAL_TO_END,
  ...SHUT,
  ...WAITING,
];
