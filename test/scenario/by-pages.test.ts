/** The playground by browser: people use the emulator's pages alone, and the team answers there. */
import { describe, expect, test } from 'vitest';
import { aBrowser } from '../helpers/a-browser.ts';
import { aPlanOf, aPlanWorld, sayTask } from '../helpers/a-plan-story.ts';
import { aWorld, READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';

test('an issue that is opened and labelled on the pages gets its verdict there', async () => {
  const world = await aWorld();
  const browser = aBrowser(world.emulator);
  await browser.actAs('tom');
  const opened = await browser.send(`/${REPO}/issues/new`, `/${REPO}/issues`, READY_ISSUE);
  const page = opened.at;
  // `tom` has no role: what he labels by a forged form is refused, and nobody deliberates.
  const token = /name="form_token" value="([^"]+)"/.exec(opened.html)?.[1] ?? '';
  const forged = { form_token: token, label: 'deliberate' };
  const refused = await browser.post(`${page}/labels`, forged);
  expect(refused.status).toBe(403);
  expect(refused.html).toContain('Must have push access to repository');
  await world.idle();
  expect((await browser.open(page)).html).not.toContain('<h3>Ready: ');

  await browser.actAs('ana');
  await browser.send(page, `${page}/labels`, { label: 'deliberate' });
  await world.idle();
  const { html } = await browser.open(page);
  expect(html).toContain('<h3>Ready: ');
  const { all } = await world.tell(Number(page.split('/').at(-1)));
  expect(all.map(({ login }) => login)).toEqual(['quorum[bot]']);

  // A command in the comment box works like any other comment.
  await browser.send(page, `${page}/comments`, { body: '/pm help', do: 'comment' });
  await world.idle();
  const said = await world.tell(Number(page.split('/').at(-1)));
  expect(said.comments).toHaveLength(2);
  expect(said.comments[1]).toContain('/pm status');
});

describe.skipIf(noBwrap !== undefined)('where code can be written', { timeout: 120_000 }, () => {
  test('a plan that is opened on the pages ends in a merged pull request that was approved there', async () => {
    const world = await aPlanWorld();
    const browser = aBrowser(world.emulator);
    await browser.actAs('ana');
    const plan = { title: '[PLAN] More', body: aPlanOf([sayTask(1, 'goodbye')]) };
    const { at: page } = await browser.send(`/${REPO}/issues/new`, `/${REPO}/issues`, plan);
    await browser.send(page, `${page}/labels`, { label: 'plan' });
    await world.idle();
    const pull = `/${REPO}/pull/2`;
    const opened = await browser.open(pull);
    expect(opened.html).toContain('class="state open"');
    expect(opened.html).toContain('quorum / gates');

    // `eve` has no role: her approval is shown, and merges nothing.
    await browser.actAs('eve');
    await browser.send(pull, `${pull}/reviews`, { event: 'APPROVE', body: 'Mine too' });
    await world.idle();
    expect((await browser.open(pull)).html).toContain('class="state open"');

    await browser.actAs('tom');
    await browser.send(pull, `${pull}/reviews`, { event: 'APPROVE', body: 'Good' });
    await world.idle();
    expect((await browser.open(pull)).html).toContain('class="state merged"');
    const { html } = await browser.open(page);
    expect(html).toContain('class="state closed"');
    expect(html).toContain('Plan complete');
  });
});
