/** Deliberations, commands, plans that are proposed, code watches and builds, at each of their steps. */
import { READY_ISSUE } from '../tidy-project.ts';
import { asks, comment, labels, opens, UNDECIDED } from './deeds.ts';
import { aPlanOf, sayTask } from '../say-task.ts';
import type { Hold, RetryContext, Place } from './moment.ts';

const discusses = (name: string, hold: Hold): RetryContext => ({
  name: `issue-${name}`,
  act: asks('deliberate'),
  hold,
});

const says = (name: string, body: string, hold: Hold): RetryContext => ({
  name: `command-${name}`,
  before: [opens(READY_ISSUE)],
  act: comment(1, body),
  hold,
});

/** The same text twice: the second one is closed as a duplicate. */
async function opensTwice(place: Place): Promise<void> {
  await place.emulator.as('ana').openIssue(place.repo, READY_ISSUE);
  await opens(READY_ISSUE)(place);
}

const ROBIN = '---\nhandle: robin\nname: Robin\nrole: Reviewer\n---\n';
const KEEP = 'Keep it for one release, then drop it.';
const QUICK = { '.github/quorum.yml': 'council:\n  debounceSeconds: 1\n' };

const ISSUES: readonly RetryContext[] = [
  discusses('read', { effect: 'look', point: 'before' }),
  discusses('ask', { effect: 'ask', point: 'before' }),
  discusses('answered', { effect: 'ask', point: 'result', nth: 2 }),
  discusses('comment', { effect: 'comment', point: 'before' }),
  discusses('commented', { effect: 'comment', point: 'after' }),
  discusses('labels', { effect: 'labels', point: 'before' }),
  discusses('reacted', { effect: 'react', point: 'after' }),
  discusses('souls-seen', { event: 'souls-seen' }),
  discusses('run-ended', { event: 'run-ended' }),
  {
    name: 'issue-blocked',
    files: QUICK,
    act: asks('deliberate', UNDECIDED),
    after: comment(1, KEEP),
  },
  {
    name: 'issue-debounce',
    files: QUICK,
    before: [asks('deliberate', UNDECIDED)],
    act: comment(1, KEEP),
    hold: { effect: 'look', point: 'before' },
  },
  {
    name: 'issue-closed',
    before: [opensTwice],
    act: labels('deliberate', 2),
    hold: { effect: 'close', point: 'after' },
  },
  {
    name: 'issue-check',
    files: { '.github/quorum/personas/robin.md': ROBIN },
    act: asks('deliberate'),
    hold: { effect: 'check', point: 'before' },
  },
  {
    name: 'issue-renamed-label',
    files: { '.github/quorum.yml': 'labels:\n  deliberate: discuss\n' },
    before: [opens(READY_ISSUE)],
    act: labels('discuss'),
    hold: { effect: 'name-label', point: 'before' },
  },
  { name: 'issue-kickoff', act: asks('prd'), hold: { effect: 'ask', point: 'before' } },
];

const COMMANDS: readonly RetryContext[] = [
  says('read', '/pm status', { effect: 'look-comment', point: 'before' }),
  says('ask', '/pm ask where is `main`?', { effect: 'ask', point: 'before' }),
  says('talk', '@quorum where is `main`?', { effect: 'look', point: 'before' }),
  says('paused', '/pm pause', { event: 'paused' }),
  says('plan', '/pm plan', { effect: 'propose', point: 'before' }),
  says('plan-proposed', '/pm plan', { effect: 'propose', point: 'result' }),
  says('plan-opened', '/pm plan', { effect: 'issue', point: 'after' }),
  says('plan-told', '/pm plan', { event: 'proposed' }),
];

const WATCHED = {
  'src/evaluate.ts': 'export function run(text: string): unknown {\n  return eval(text);\n}\n',
  'src/late.ts': '// FIXME: crashes on an empty list\nexport const late = [];\n',
};

const watches = (name: string, hold: Hold): RetryContext => ({
  ...says('', '/pm watch', hold),
  name: `watch-${name}`,
  files: WATCHED,
});

const LOG = [
  '##[group]Run npm test',
  '##[endgroup]',
  ' FAIL  test/cli.test.ts > main > tells what was tidied',
  "AssertionError: expected '' to be 'tidied a'",
  ' ❯ test/cli.test.ts:1:22',
  '##[error]Process completed with exit code 1.',
];

const builds = (name: string, hold: Hold): RetryContext => ({
  name: `build-${name}`,
  act: ({ emulator, repo }) => {
    const log = LOG.map((line) => `2026-03-02T09:00:00.1234567Z ${line}`).join('\n');
    const steps = { Install: 'success', Test: 'failure' };
    const jobs = [{ name: 'test', log, steps }];
    return emulator.endRun(repo, { conclusion: 'failure', actor: 'ana', jobs });
  },
  hold,
});

/** Its one task is done already. */
async function planOfNothing({ emulator, repo }: Place): Promise<void> {
  const body = aPlanOf([sayTask(1, 'goodbye')]).replaceAll('** pending', '** completed');
  const { number } = await emulator.as('ana').openIssue(repo, { title: '[PLAN] More', body });
  await emulator.as('ana').label(repo, number, ['plan']);
}

const FINISHED = { '.github/quorum.yml': 'plans:\n  workspace: true\n' };

const rests = (name: string, hold: Hold): RetryContext => ({
  name: `rest-${name}`,
  files: FINISHED,
  act: planOfNothing,
  hold,
});

export const DELIBERATIONS: readonly RetryContext[] = [
  ...ISSUES,
  ...COMMANDS,
  watches('search', { effect: 'look-code', point: 'before' }),
  watches('open', { effect: 'issue', point: 'before' }),
  watches('told', { event: 'watched' }),
  builds('read', { effect: 'look-build', point: 'before' }),
  builds('open', { effect: 'issue', point: 'after' }),
  rests('hint', { event: 'rest-hint' }),
  rests('read', { effect: 'look-rest', point: 'before' }),
];
