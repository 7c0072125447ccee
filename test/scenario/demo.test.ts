/**
 * The demonstration in this process: issues, pull requests, their verdicts, and what GitHub shows
 * afterwards.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { renderEnd } from '../../src/hosts/cli/demo/render-act.ts';
import { replayRun } from '../../src/hosts/cli/commands/replay.ts';
import { feedExamples } from '../../src/demo/payloads.ts';
import type { DemoIssue } from '../../src/demo/open-issues.ts';
import { runDemo, type Demo } from '../../src/demo/run-demo.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { withOpenApiCheck, type OpenApiWatch } from '../emulator/github/openapi.ts';
import { describePlan } from './demo-plan.ts';
import { verifies } from '../verifies.ts';

const REPOSITORY = 'tablewright/csvpeek';
let demo: Demo;
let watch: OpenApiWatch | undefined;
const acts: string[] = [];
const stages = new Set<string>();

beforeAll(async () => {
  demo = await runDemo({
    env: {},
    claudeBin: process.env['CLAUDE_BIN'],
    clock: systemClock,
    random: systemRandom,
    log: createLog({ level: 'silent' }),
    onAct: (says) => void acts.push(says),
    onLook: (issues) => {
      for (const { name, run } of issues) stages.add(`${name} ${run?.status ?? 'none'}`);
    },
    onEmulator: (emulator) => {
      watch = withOpenApiCheck(emulator);
    },
  });
});

afterAll(() => demo.world.close());

function issueOf(kind: string): DemoIssue {
  const issue = demo.issues.find((each) => each.kind === kind);
  if (issue === undefined) throw new Error(`no issue is ${kind}`);
  return issue;
}

describe('the demonstration', () => {
  test('everything ended as it should, and no work was given up', () => {
    const all = [...demo.issues, ...demo.pulls];
    expect(all.map(({ problems }) => problems)).toEqual([[], [], [], [], [], [], []]);
    expect(demo.memory.problems).toEqual([]);
    expect(demo.deadLetters).toBe(0);
    expect(acts[5]).toContain('plan');
  });

  verifies('NW-9', 'a clear issue is READY: labelled, open, one comment', () => {
    const issue = issueOf('clear and small');
    expect(issue).toMatchObject({ verdicts: ['READY'], state: 'open', ownReactions: ['rocket'] });
    expect(issue.labels.toSorted()).toEqual(['enhancement', 'ready']);
    expect(issue.ownComments).toHaveLength(1);
    expect(issue.ownComments[0]).toMatch(/^### Ready: /);
    expect(issue.ownComments[0]).toContain('src/parse.ts');
  });

  verifies('NW-9', 'a duplicate is closed as one, with the issue that it repeats', () => {
    const issue = issueOf('reported before');
    expect(issue).toMatchObject({ verdicts: ['CLOSE'], state: 'closed', stateReason: 'duplicate' });
    expect(issue.labels).toEqual(['bug']);
    expect(issue.ownComments).toHaveLength(1);
    expect(issue.ownComments[0]).toContain('The same as #6');
  });

  verifies(['NW-5', 'NW-10'], 'a decision waits for a person, whose answer resumes the run', () => {
    const issue = issueOf('a decision for people');
    expect(issue.verdicts[0]).toBe('HUMAN');
    expect(issue.verdicts).toHaveLength(2);
    expect(['READY', 'DRAFT']).toContain(issue.verdicts[1]);
    expect(issue.asked?.question).toMatch(/\?$/);
    expect(issue.labels).not.toContain('needs-human');
    // The verdict, the question, and that it is settled.
    expect(issue.ownComments).toHaveLength(3);
    expect(stages).toContain(`#${issue.number} blocked`);
    expect(stages).toContain(`#${issue.number} consensus`);
  });

  test('the pages of Slack and Bluesky show what it announced', async () => {
    const { urls, slack, bluesky } = demo.chats;
    const read = async (url: string): Promise<string> => (await fetch(url)).text();
    const [inSlack, onBluesky] = [await read(urls.slack), await read(urls.bluesky)];
    for (const sign of ['⚖️', 'Carlos (Tech Lead', 'Sasha (Product Manager', '1. Sort rows'])
      expect(inSlack).toContain(sign);
    for (const sign of ['✅', '🏁', '📅', '[PLAN] Sorted rows']) expect(onBluesky).toContain(sign);
    expect(inSlack).toContain(`${REPOSITORY}#`);
    expect(inSlack.match(/<article/g)).toHaveLength(slack);
    expect(onBluesky.match(/<article/g)).toHaveLength(bluesky);
  });

  test('a pull request is reviewed, repaired, and reviewed again without a superfluous comment', () => {
    const [pull] = demo.pulls;
    expect(pull).toMatchObject({
      verdicts: ['CHANGES', 'APPROVE'],
      checks: ['action_required', 'success'],
      labels: [],
      merged: false,
    });
    expect(pull?.findings.map(({ ruleId, status }) => `${status} ${ruleId}`).toSorted()).toEqual([
      'dismissed empty-catch',
      'fixed code-without-tests',
      'fixed debug-print-left',
      'fixed js-shell-command',
      'fixed unused-import',
    ]);
    expect(pull?.reviews).toHaveLength(1);
    const [body = ''] = pull?.reviews.map((review) => review.body) ?? [];
    expect(body).toMatch(/^### Changes needed: 1 high, 2 medium, 2 low\n/);
    expect(body).toContain('1. **medium · `source.ts` has new code and no test.**');
    // What a comment says on a line, the review does not say again.
    expect(body).not.toContain('js-shell-command');
    expect(pull?.comments.map((comment) => comment.body.split('\n')[0])).toEqual([
      '**high · A shell command is put together from values.**',
      '**medium · An error is caught and silently dropped.**',
      '**low · `gunzipSync` is imported and not used.**',
      '**low · A line prints for debugging.**',
    ]);
    expect(pull?.comments.at(-1)?.body).toContain('\n```suggestion\n```\n');
  });

  test('the suggestion was applied unchanged, and each commit is its author’s', async () => {
    const ana = demo.world.emulator.as('ana-lund');
    const at = `/repos/${REPOSITORY}/pulls/${demo.pulls[0]?.number ?? 0}`;
    const commits = (await ana.request('GET', `${at}/commits`)) as {
      sha: string;
      author: { login: string };
      commit: { message: string };
    }[];
    expect(commits.map(({ author }) => author.login)).toEqual(Array(4).fill('ben-okafor'));
    const applied = commits.find(({ commit }) => commit.message.includes('Co-authored-by: Quorum'));
    const { files } = (await ana.request(
      'GET',
      `/repos/${REPOSITORY}/commits/${applied?.sha ?? ''}`,
    )) as { files: { filename: string; patch: string; changes: number }[] };
    expect(files).toMatchObject([{ filename: 'src/source.ts', changes: 1 }]);
    expect(files[0]?.patch).toContain("-  console.log('fetched', address, answer.status);");
  });

  test('a clean pull request gets the check and no comment', () => {
    expect(demo.pulls[1]).toMatchObject({
      verdicts: ['APPROVE'],
      check: { conclusion: 'success', title: 'Looks good: no open findings' },
      findings: [],
      reviews: [],
      comments: [],
      labels: [],
    });
  });

  verifies(
    ['NW-14'],
    'a lesson from an outsider’s change is proposed, approved by a maintainer, and cited by the next review',
    () => {
      const { lessons } = demo.memory;
      expect(lessons.length).toBeGreaterThan(0);
      for (const { learnedIn, approvedBy } of lessons)
        expect({ learnedIn, approvedBy }).toEqual({ learnedIn: 19, approvedBy: 'ana-lund' });
      const [used] = lessons.filter(({ citedIn }) => citedIn === 20);
      const id = used?.id ?? 'no lesson is cited';
      const proposed = acts.findIndex((says) => says.includes(`proposes to remember m:${id}`));
      expect(acts[proposed + 1]).toBe('@ana-lund says `/pm memory approve` on #19');
      expect(acts[proposed + 2]).toContain('@ben-okafor makes the same mistake');
      const text = renderEnd(demo, { isTty: false, env: {}, columns: 200 });
      expect(text).toContain(`learned in #19, approved by @ana-lund, cited in #20 as m:${id}`);
    },
  );

  describePlan(() => demo, acts);

  test('the end fits a terminal of 80 columns and names every finding', () => {
    const text = renderEnd(demo, { isTty: false, env: {}, columns: 80 });
    const tooWide = text.split('\n').filter((line) => line.length > 80);
    expect(tooWide).toEqual([]);
    expect(text).toContain('verdict CHANGES → APPROVE · check action_required → success\n');
    expect(text).toContain('fixed     high    src/source.ts:19');
    expect(text).toMatch(/declined {2}@ben-okafor: By design/);
    expect(text).toContain('no comment · labels: none');
    expect(text).toContain('(a plan)');
  });

  test('the past sent no webhooks, and is unchanged', () => {
    const { threads } = demo.world.emulator.repository(REPOSITORY);
    const past = [...threads.values()].filter(({ number }) => number < 8);
    expect(past.map(({ stateReason }) => stateReason)).toEqual([
      'completed',
      'completed',
      'not_planned',
      'completed',
      'not_planned',
      null,
      null,
    ]);
    const touched = demo.world.emulator.deliveries.map(({ payload }) => payload);
    expect(touched.length).toBeGreaterThan(0);
    for (const payload of touched) expect(payload).not.toContain('"number":6,');
  });

  test('every request and answer is as GitHub describes it', () => {
    expect(watch?.violations).toEqual([]);
    expect(watch?.checked()).toBeGreaterThan(50);
  });

  test('each run, reduced again from its events, gives the same effects and state', async () => {
    const runs = [...demo.issues.map(({ run }) => run), ...demo.pulls.flatMap((pull) => pull.runs)];
    expect(runs).toHaveLength(8);
    for (const run of runs) {
      const again = await replayRun(demo.world.store, run);
      expect(again.steps.flatMap(({ differences }) => differences)).toEqual([]);
      expect(again).toMatchObject({ isSame: true, sameState: true });
      expect(again.steps.length).toBeGreaterThan(5);
    }
  });
});

test('all example webhooks of GitHub end done or ignored with a reason, and the App is fine afterwards', async () => {
  const fed = await feedExamples(demo.world, systemClock);
  expect(fed.payloads).toBeGreaterThanOrEqual(329);
  expect(fed.answers).toEqual({ 202: fed.payloads });
  expect(fed.lost).toEqual([]);
  expect(fed.outcomes.reduce((sum, { count }) => sum + count, 0)).toBe(fed.payloads);
  expect(fed.outcomes.some(({ name }) => name.startsWith('done'))).toBe(true);
  const health = await fetch(`${demo.world.app.url}/readyz`);
  expect(health.status).toBe(200);
  const { events, effects } = await demo.world.store.records.counts();
  expect([events.dead, events.parked, effects.dead]).toEqual([0, 0, 0]);
});
