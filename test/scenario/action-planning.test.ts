/** The PM makes plans where workflows alone work: asked for by a label or a command, proposed by a job that only reads. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parsePlan } from '../../src/domain/plan/body/parse-plan.ts';
import { planDigest } from '../../src/domain/plan/plan-digest.ts';
import { aModel } from '../helpers/a-model.ts';
import { aWord, changeRecords, commentsOf, issueOf } from '../helpers/a-plan-approved.ts';
import {
  aPlannedWorld,
  bodyOf,
  conclusions,
  playTeamWorkflow,
  SIGNING,
  told,
  type Planned,
} from '../helpers/a-workflow-plan.ts';
import { anEvent, buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';
import { isWrite, REPO } from '../helpers/a-world.ts';

vi.setConfig({ testTimeout: 600_000 });
beforeAll(() => buildForTests(['deliberate', 'command']));
afterAll(dropBuild);

const ALL_WELL = ['claim: success', 'agent: success', 'apply: success'];
const LISTED = {
  title: 'Quiet and verbose',
  body: '- [ ] `--quiet` in `src/cli.js` prints nothing\n- [ ] say so in the README.md',
};

/** An issue of `tom` that asks for something. */
async function anIssue(): Promise<Planned> {
  const workflows = ['quorum.yml', 'quorum-task.yml'];
  const planned = await aPlannedWorld([], undefined, { by: 'tom', workflows });
  const { number } = await planned.world.emulator.as('tom').openIssue(REPO, LISTED);
  return { ...planned, plan: number };
}

async function aLabelled(planned: Planned, label: string) {
  await planned.world.emulator.as('ana').label(REPO, planned.plan, [label]);
  const issue = await issueOf(planned);
  return anEvent(planned.world, 'issues', {
    action: 'labeled',
    issue,
    label: { id: 1, name: label },
  });
}

/** Numbers of the issues that workflows opened. */
async function openedBy({ world }: Planned): Promise<number[]> {
  const all = (await world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/issues?state=all`)) as {
    number: number;
    user: { login: string };
  }[];
  return all.filter(({ user }) => user.login.endsWith('[bot]')).map(({ number }) => number);
}

test('the label `plan-me` brings a plan that waits for approval; the job that thinks writes nothing', async () => {
  const planned = await anIssue();
  const event = await aLabelled(planned, 'plan-me');
  let from = 0;
  let written: unknown[] = [];
  const jobs = await playTeamWorkflow(planned, event, {
    before: (job) => {
      const { requests } = planned.world.emulator;
      if (job === 2) from = requests.length;
      if (job === 3) written = requests.slice(from).filter((request) => isWrite(request));
    },
  });
  expect([conclusions(jobs), told(jobs)]).toEqual([ALL_WELL, expect.anything()]);
  expect(written.map((one) => Reflect.get(one as object, 'route'))).toEqual([]);
  const [plan = 0, ...others] = await openedBy(planned);
  expect(others).toEqual([]);
  expect((await commentsOf(planned)).join('\n')).toContain(`### Plan proposed: #${plan}`);
  const shown = (await commentsOf({ ...planned, plan })).join('\n');
  expect(shown).toContain('Waiting for approval');
  expect(await issueOf({ ...planned, plan })).toMatchObject({ title: '[PLAN] Quiet and verbose' });
  await playTeamWorkflow(planned, event);
  expect(await openedBy(planned)).toEqual([plan]);
  expect(planned.world.openApi.violations).toEqual([]);
});

const DRAFT = {
  title: 'A quiet command',
  goal: 'It prints nothing.',
  tasks: [
    {
      number: 1,
      title: 'Add the flag',
      files: [{ path: 'src/cli.js', note: 'the flag' }],
      description: 'Add `--quiet`.',
    },
  ],
};

/** A PM that says these words, one after the other; returns how its workflow is played. */
async function aPlanner(words: readonly object[]) {
  const { server, env } = await aModel();
  let asked = 0;
  server.setScript(() => {
    asked += 1;
    return { text: JSON.stringify(words[asked - 1] ?? words.at(-1)) };
  });
  const { ANTHROPIC_API_KEY = '', ANTHROPIC_BASE_URL = '' } = env;
  const over = { secrets: { ...SIGNING, ANTHROPIC_API_KEY }, machine: { ANTHROPIC_BASE_URL } };
  return { over, asked: () => asked };
}

test('its questions wait for somebody who may write; `/pm revise` makes the plan again', async () => {
  const other = { ...DRAFT, goal: 'It prints errors only.' };
  const { over, asked } = await aPlanner([
    { kind: 'questions', questions: ['Stdout or stderr?'] },
    { kind: 'plan', plan: DRAFT },
    { kind: 'plan', plan: other },
  ]);
  const planned = await anIssue();
  const say = async (on: Planned, body: string, by = 'ana') =>
    playTeamWorkflow(on, await aWord(on, body, by), over);
  const first = await say(planned, '/pm plan');
  expect([conclusions(first), told(first)]).toEqual([ALL_WELL, expect.anything()]);
  expect((await commentsOf(planned)).join('\n')).toContain('1. Stdout or stderr?');
  await say(planned, 'Stderr, I think.', 'eve');
  expect([asked(), await openedBy(planned)]).toEqual([1, []]);
  await say(planned, 'Stdout.');
  const [plan = 0, ...others] = await openedBy(planned);
  expect([asked(), plan > 0, others]).toEqual([2, true, []]);
  const own = { ...planned, plan };
  expect(await bodyOf(own)).toContain('It prints nothing.');
  await say(own, '/pm revise errors still print');
  expect(await bodyOf(own)).toContain('It prints errors only.');
  const shown = (await commentsOf(own)).find((body) => body.startsWith('### Plan: 1 task'));
  expect(shown).toContain(planDigest(parsePlan(await bodyOf(own))));
  expect(await openedBy(planned)).toEqual([plan]);
});

test('an answer to questions that somebody wrote into the record makes no plan', async () => {
  const { over } = await aPlanner([
    { kind: 'questions', questions: ['Stdout or stderr?'] },
    { kind: 'plan', plan: DRAFT },
  ]);
  const planned = await anIssue();
  await playTeamWorkflow(planned, await aWord(planned, '/pm plan'), over);
  await changeRecords(planned, 'state/planning.json', (text) =>
    text.replace('"wish": ""', '"wish": "Remove everything."'),
  );
  const jobs = await playTeamWorkflow(planned, await aWord(planned, 'Stdout.'), over);
  expect(conclusions(jobs)).toEqual(['claim: success', 'agent: success', 'apply: failure']);
  expect(told(jobs)).toContain('The planning in this thread has changed since');
  expect(await openedBy(planned)).toEqual([]);
});
