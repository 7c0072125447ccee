/** Two organisations on one App: what one of them sends to the models changes nothing for the other. */
import { describe, expect } from 'vitest';
import type { ScriptedCall } from '../../src/emulator/model-server/script.ts';
import { build, green, issues, red } from '../helpers/a-build.ts';
import { aModel, isVerdictCall } from '../helpers/a-model.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { reviewsOf } from '../helpers/a-pull.ts';
import { aWorld, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { aPull, anIssue, say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const OTHER = 'globex/tidy';
/** What the provider's filter does not let through. */
const FORBIDDEN_WORDS = 'how to make the forbidden thing';

const BAD = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

const isForbidden = (call: ScriptedCall): boolean =>
  `${call.system} ${call.lastText}`.includes(FORBIDDEN_WORDS);

/** A second organisation with the App and a repository of its own. */
async function addOther({ emulator, appId }: TestWorld): Promise<number> {
  emulator.createOrg('globex');
  emulator.createUser('gus');
  await emulator.createRepository({
    owner: 'globex',
    name: 'tidy',
    history: [{ message: 'feat: first', author: 'gus', files: { 'src/cli.ts': 'export {};\n' } }],
  });
  emulator.addCollaborator(OTHER, 'gus', 'admin');
  return emulator.installApp(appId, 'globex');
}

/** The App's comment on an issue of the other organisation. */
async function tellOther({ emulator }: TestWorld, number: number): Promise<string> {
  const path = `/repos/${OTHER}/issues/${number}/comments`;
  const comments = (await emulator.as('gus').request('GET', path)) as { body: string }[];
  return comments[0]?.body ?? '';
}

describe('two organisations', () => {
  verifies(
    ['CB-15'],
    'a provider that refuses what one of them writes still judges what the other one writes',
    async () => {
      const { server, env } = await aModel({
        filtered: isForbidden,
      });
      const world = await aWorld({ env });
      await addOther(world);
      const refused: number[] = [];
      for (let n = 1; n <= 3; n += 1)
        refused.push(
          await world.ask({
            title: `Wish ${n}`,
            body: `${READY_ISSUE.body}\n\n${FORBIDDEN_WORDS}`,
          }),
        );
      await world.idle();
      const before = server.calls.length;
      expect(server.calls.filter(isForbidden).length).toBeGreaterThanOrEqual(3);

      const gus = world.emulator.as('gus');
      const { number: other } = await gus.openIssue(OTHER, READY_ISSUE);
      await gus.label(OTHER, other, ['deliberate']);
      await world.idle();
      const comment = await tellOther(world, other);
      expect(server.calls.length - before).toBeGreaterThan(2);
      expect(comment).toMatch(/^### Ready: worth doing, small/);
      expect(comment).not.toContain('offline rules');

      for (const number of refused) {
        const [body = ''] = (await world.tell(number)).comments;
        const [first = ''] = body.split('\n');
        expect(first).toContain('No model');
        expect(first).toContain('content filter');
        expect(first).toContain('/pm deliberate');
        expect(body).toContain('offline rules, no model');
      }
    },
  );
});

describe('an outcome that had to do without its model', () => {
  const filtered = (): boolean => true;
  const without = (more: string): RegExp =>
    new RegExp(
      `^\\*\\*No model: only offline rules judged this\\.\\*\\* \`\\w+\` did not answer: a content filter of its provider refused the text\\. Change the text, then ${more}\\.\n`,
    );

  verifies('CB-15', 'says so first, on reviews and their checks, plans and builds', async () => {
    const { env } = await aModel({ filtered });
    const files = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
    const world = await aWorld({ env, files });
    const pull = await aPull(world, { 'src/run.ts': BAD });
    await world.idle();
    const { reviews, checks } = await reviewsOf(world, pull);
    const review = without('comment `/pm review`');
    expect(reviews[0]).toMatch(review);
    expect(reviews[0]).toMatch(/^### No model, rules only: /m);
    expect(checks[0]?.output.title).toMatch(/^No model, rules only: /);
    expect(checks[0]?.output.summary).toMatch(review);

    const number = await anIssue(world);
    const planned = await say(world, number, '/pm plan');
    expect(planned.answers[0]).toMatch(without('comment `/pm plan`'));
    const opened = /Plan proposed: #(\d+)/.exec(planned.answers[0] ?? '')?.[1];
    const plan = world.emulator.repository(REPO).threads.get(Number(opened))?.body ?? '';
    expect(plan.split('## Context\n\n')[1]).toMatch(without('comment `/pm plan`'));

    await build(world, green());
    await build(world, red());
    const told = (await issues(world)).find(({ title }) => title === 'ci fails on main');
    expect(told?.comments[0]).toMatch(without('let the build run again'));
  });
});

describe('a change whose text makes the model refuse', () => {
  const settled = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
  const planted = `/** ${FORBIDDEN_WORDS} */\nexport const one = 1;\n`;
  const approving = {
    position: () => ({ json: aPosition({ vote: 'APPROVE' }) }),
    verdict: () => ({ json: aVerdict({ verdict: 'APPROVE' }) }),
  };
  const STAYS = 'Until a model has read the whole change, the check is neutral.';

  verifies('CB-15', 'is not passed by rules alone, and passes once a model reads it', async () => {
    let isStrict = true;
    const filtered = (call: ScriptedCall): boolean => isStrict && isForbidden(call);
    const { env } = await aModel({ ...approving, filtered });
    const world = await aWorld({ env, files: settled });
    const pull = await aPull(world, { 'src/one.ts': planted });
    await world.idle();
    const [check] = (await reviewsOf(world, pull)).checks;
    expect(check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
    expect(check?.output.title).toMatch(/^No model, rules only: /);
    expect(check?.output.summary).toContain('a content filter of its provider refused the text');
    expect(check?.output.summary).toContain(STAYS);

    isStrict = false;
    await say(world, pull, '/pm review');
    const [later] = (await reviewsOf(world, pull)).checks;
    expect(later).toMatchObject({ status: 'completed', conclusion: 'success' });
    expect(`${later?.output.title} ${later?.output.summary}`).not.toMatch(/without|No model/);
  });

  verifies('CB-15', 'is not passed by a lead whose team was left to rules', async () => {
    const { env } = await aModel({ ...approving, filtered: (call) => !isVerdictCall(call) });
    const world = await aWorld({ env, files: settled });
    const pull = await aPull(world, { 'src/one.ts': planted });
    await world.idle();
    const [check] = (await reviewsOf(world, pull)).checks;
    expect(check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
    expect(check?.output.title).toMatch(/^Partly without a model: /);
    expect(check?.output.summary).toContain(STAYS);
  });
});
