/** Every way in which a review ends: the check of the head that it was about ends with it, and says why. */
import { describe, expect, test } from 'vitest';
import { isVerdictCall, speaker, aModel } from '../helpers/a-model.ts';
import { checksOf, headOf, push, reviewsOf } from '../helpers/a-pull.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { aPull, writesOf } from '../helpers/talking.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
const CLEAN = { 'docs/notes.md': '# Notes\n\nOne line.\n' };

interface Midway {
  world: TestWorld;
  number: number;
  sha: string;
  /** Lets the personas answer. */
  goOn: () => void;
}

/** A review whose personas have been asked and have not answered, and whose check runs. */
async function aReviewMidway(verdict: 'APPROVE' | 'HUMAN' = 'APPROVE'): Promise<Midway> {
  const gate = Promise.withResolvers<undefined>();
  const { server, env } = await aModel();
  server.setScript(async (call) => {
    if (isVerdictCall(call)) {
      const question = { question: 'Which of the two?' };
      const words = { verdict, headline: 'as agreed', ...(verdict === 'HUMAN' ? question : {}) };
      return { json: aVerdict(words) };
    }
    await gate.promise;
    return { json: aPosition({ vote: 'APPROVE', reasons: speaker(call) } as never) };
  });
  const world = await aWorld({ env, files: QUICK });
  const number = await aPull(world, CLEAN);
  const sha = await headOf(world, number);
  await waitUntil(async () => (await checksOf(world, sha)).length > 0 && server.calls.length > 0);
  return { world, number, sha, goOn: () => gate.resolve(undefined) };
}

async function saidOn(world: TestWorld, sha: string): Promise<[string | null, string][]> {
  return (await checksOf(world, sha)).map(({ conclusion, output }) => [conclusion, output.title]);
}

async function lastHeadChecks(world: TestWorld, number: number) {
  return (await checksOf(world, await headOf(world, number))).map((each) => each.conclusion);
}

describe('a review that is going on', () => {
  test('is left when something is pushed: the old head is superseded, the new one reviewed', async () => {
    const { world, number, sha, goOn } = await aReviewMidway();
    await push(world, { 'docs/more.md': '# More\n\nAnother line.\n' });
    goOn();
    await world.idle();
    expect(await saidOn(world, sha)).toEqual([['neutral', 'Superseded by a newer push']]);
    expect(await lastHeadChecks(world, number)).toEqual(['success']);
    expect(world.openApi.violations).toEqual([]);
  });

  test('ends when the pull request is closed', async () => {
    const { world, number, sha, goOn } = await aReviewMidway();
    await world.emulator
      .as('ana')
      .request('PATCH', `/repos/${REPO}/pulls/${number}`, { state: 'closed' });
    goOn();
    await world.idle();
    expect(await saidOn(world, sha)).toEqual([['neutral', 'Stopped: the pull request was closed']]);
    expect((await world.tell(number)).reactions).toEqual([]);
  });

  test('ends when the team is switched off meanwhile', async () => {
    const { world, sha, goOn } = await aReviewMidway();
    const at = `/repos/${REPO}/contents/.github/quorum.yml`;
    const ana = world.emulator.as('ana');
    const file = (await ana.request('GET', at)) as { sha: string };
    await ana.request('PUT', at, {
      message: 'chore: switch the team off',
      content: Buffer.from('enabled: false\n').toString('base64'),
      branch: 'main',
      sha: file.sha,
    });
    goOn();
    await world.idle();
    expect(await saidOn(world, sha)).toEqual([
      ['neutral', 'Stopped: Quorum is switched off here (enabled: false)'],
    ]);
  });

  test('writes nothing any more where the App was taken away', async () => {
    const { world, goOn } = await aReviewMidway();
    world.emulator.changeRepositories(world.installationId, { removed: [REPO] });
    await world.emulator.settled();
    const before = writesOf(world).length;
    goOn();
    await world.idle();
    expect(writesOf(world)).toHaveLength(before);
  });

  test('that waits for a person is not in the way of the next push', async () => {
    const { world, number, sha, goOn } = await aReviewMidway('HUMAN');
    goOn();
    await world.idle();
    expect(await saidOn(world, sha)).toEqual([['neutral', 'Needs you: as agreed']]);
    await push(world, { 'docs/more.md': '# More\n\nAnother line.\n' });
    await world.idle();
    expect(await saidOn(world, sha)).toEqual([['neutral', 'Needs you: as agreed']]);
    expect(await lastHeadChecks(world, number)).toEqual(['neutral']);
  });
});

describe('a second verdict on the same head', () => {
  const QUESTION = { verdict: 'HUMAN', headline: 'as agreed', question: 'Which of the two?' };

  /** A review that asked, and a person's answer to it. */
  async function anAnswered(second: object): Promise<{ world: TestWorld; number: number }> {
    let verdicts = 0;
    const { env } = await aModel({
      position: (_, handle) => ({
        json: aPosition({ vote: 'APPROVE', reasons: handle } as never),
      }),
      verdict: () => {
        verdicts += 1;
        return { json: aVerdict(verdicts === 1 ? QUESTION : second) };
      },
    });
    const world = await aWorld({ env, files: QUICK });
    const number = await aPull(world, CLEAN);
    await world.idle();
    expect((await reviewsOf(world, number)).reviews).toHaveLength(1);
    await world.emulator.as('ana').comment(REPO, number, 'The first one.');
    await world.idle();
    expect(verdicts).toBeGreaterThan(1);
    return { world, number };
  }

  test('is another review when it differs, and names its head', async () => {
    const words = { verdict: 'CHANGES', headline: 'the second has to go' };
    const { world, number } = await anAnswered(words);
    const { reviews, checks } = await reviewsOf(world, number);
    const head = (await headOf(world, number)).slice(0, 7);
    expect(reviews.map((body) => body.split('\n')[0])).toEqual([
      '### Needs you: as agreed',
      '### Changes needed: the second has to go',
    ]);
    for (const body of reviews) expect(body).toContain(`\`${head}\``);
    expect(checks.map(({ conclusion }) => conclusion)).toEqual(['action_required']);
  });

  test('posts no review when it says the same', async () => {
    const { world, number } = await anAnswered(QUESTION);
    const { reviews, checks } = await reviewsOf(world, number);
    expect(reviews).toHaveLength(1);
    expect(checks.map(({ conclusion }) => conclusion)).toEqual(['neutral']);
  });

  test('is a check alone when nothing is in the way any more', async () => {
    const { world, number } = await anAnswered({ verdict: 'APPROVE', headline: 'so be it' });
    const { reviews, checks } = await reviewsOf(world, number);
    expect(reviews).toHaveLength(1);
    expect(checks.map(({ conclusion, output }) => [conclusion, output.title])).toEqual([
      ['success', 'Looks good: so be it'],
    ]);
  });
});
