/** Approved plans are worked through by the App itself: claimed, written, proved, published, reviewed and merged. */
import { describe, expect } from 'vitest';
import { endsWithMarker } from '../../src/domain/github/marker.ts';
import { aPlanWorld, sayTask } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { verifies } from '../verifies.ts';

describe.skipIf(noBwrap !== undefined)('a plan', () => {
  verifies(
    ['TG-4', 'TG-5', 'TG-6', 'TG-9', 'CB-4', 'CB-8'],
    'that its author labels is worked through to merged pull requests, dependents after what they wait for',
    async () => {
      const world = await aPlanWorld();
      const number = await world.plan([
        sayTask(1, 'goodbye'),
        sayTask(2, 'welcome'),
        sayTask(3, 'thanks', { dependencies: [1] }),
      ]);
      await world.idle();
      const first = await world.pulls();
      expect(first.map(({ title }) => title).toSorted()).toEqual([
        `A function that says goodbye (#${number}, task 1)`,
        `A function that says welcome (#${number}, task 2)`,
      ]);
      expect(await world.body(number)).toContain('**Status:** in_progress (#');
      // One after the other: of two at once, the second waits for a moment before it is looked at again.
      for (const pull of first) {
        await world.emulator.as('tom').comment(REPO, pull.number, '/pm approve');
        await world.idle();
      }
      const all = await world.pulls();
      const last = all.find(({ title }) => title.includes('task 3'));
      await world.emulator.as('tom').comment(REPO, last?.number ?? 0, '/pm approve');
      await world.idle();
      const told = await world.tell(number);
      expect(told).toMatchObject({ state: 'closed', labels: ['plan', 'plan:complete'] });
      expect(told.comments.at(-1)).toMatch(/^### Plan complete\n\nAll 3 tasks are merged\./);
      const body = await world.body(number);
      expect(body.match(/\*\*Status:\*\* completed \(#\d+\)/g)).toHaveLength(3);
      expect(body).toContain('- [x] All tasks completed');
      expect(body).toContain('- [x] Tests pass');
      const merged = await world.pulls();
      expect(merged.every(({ merged_at: at }) => at !== null)).toBe(true);
      for (const pull of merged) {
        const sha = (pull as unknown as { merge_commit_sha: string }).merge_commit_sha;
        expect(pull.body).toMatch(
          /^### Summary\n\n[^]+\n\n### Changes by file\n\n[^]+\n\n### Participants\n\n[^]+\n\n### How it ended\n/,
        );
        expect(pull.body).toContain('- `tom` approved the change\n');
        expect(pull.body).toContain('- the team reviewed the change and says APPROVE');
        expect(pull.body).toContain(`### How it ended\n\n- Merged as \`${sha.slice(0, 12)}\`\n`);
        // Links both ways: the plan names the pull request, and this names the plan.
        expect(pull.body).toContain(`- Plan: #${number}, task `);
        expect(body).toContain(`completed (#${pull.number})`);
        const file = `journal/${number}.md`;
        const link = `[\`${file}\`](/${REPO}/blob/quorum/memory/${file})`;
        expect(pull.body).toContain(
          `- Journal of the plan: ${link} on the branch \`quorum/memory\``,
        );
        expect(endsWithMarker(pull.body)).toBe(true);
      }
    },
  );

  verifies(['TG-5'], 'whose task skips a test that ran before is flagged for people', async () => {
    const world = await aPlanWorld();
    const task = sayTask(1, 'goodbye');
    const skip = [
      'diff --git a/test/greet.test.js b/test/greet.test.js',
      '--- a/test/greet.test.js',
      '+++ b/test/greet.test.js',
      '@@ -4 +4 @@',
      "-test('greet', () => assert.equal(greet('you'), 'Hello, you'));",
      "+test.skip('greet', () => assert.equal(greet('you'), 'Hello, you'));",
      'diff --git a/src/goodbye.js',
    ].join('\n');
    const description = task.description.replace('diff --git a/src/goodbye.js', skip);
    await world.plan([{ ...task, description }]);
    await world.idle();
    const [pull] = await world.pulls();
    const { check_runs: checks } = (await world.emulator
      .as('ana')
      .request('GET', `/repos/${REPO}/commits/${pull?.head.sha ?? ''}/check-runs`)) as {
      check_runs: { name: string; output: { summary: string } }[];
    };
    const tests = checks.find(({ name }) => name === 'quorum / gates');
    expect(tests?.output.summary).toContain('1 newly skipped');
  });

  verifies(
    ['TG-5', 'LOOP-04'],
    'whose tests fail is tried three times, then put before a person',
    async () => {
      const world = await aPlanWorld();
      const number = await world.plan([sayTask(1, 'goodbye', { says: 'Bye' })]);
      await world.idle();
      expect(await world.pulls()).toEqual([]);
      const body = await world.body(number);
      expect(body).toMatch(/\*\*Status:\*\* blocked \(failed 3 times, last: .*npm test.* 1 failed/);
      const [comment = ''] = (await world.tell(number)).comments;
      expect(comment).toContain('| 1 | blocked |');
      expect(comment).toMatch(/output of task 1, attempt 3<\/summary>\n\n```text\n[^]*Bye, you/);
      expect((await world.tell(number)).labels).toEqual(['plan', 'plan:blocked']);
    },
  );
});

describe.skipIf(noBwrap !== undefined)('a plan that somebody closes', () => {
  verifies(['CB-17'], 'gives back what was not finished, and begins nothing', async () => {
    const world = await aPlanWorld();
    const ana = world.emulator.as('ana');
    const number = await world.plan([
      sayTask(1, 'goodbye'),
      sayTask(2, 'thanks', { dependencies: [1] }),
    ]);
    await world.idle();
    expect(await world.pulls()).toHaveLength(1);
    await ana.request('PATCH', `/repos/${REPO}/issues/${number}`, { state: 'closed' });
    await world.idle();
    const body = await world.body(number);
    expect(body.match(/\*\*Status:\*\* pending/g)).toHaveLength(2);
    expect(body).toContain('(given back by the plan: the plan is closed)');
    await ana.request('PATCH', `/repos/${REPO}/pulls/2`, { state: 'closed' });
    await world.idle();
    expect(await world.pulls()).toHaveLength(1);
  });
});

describe.skipIf(noBwrap !== undefined)('a yes', () => {
  verifies(
    ['CB-4', 'CFG-08'],
    'is needed from somebody who may write, is bound to the text, and may be one word',
    async () => {
      const world = await aPlanWorld();
      const eve = world.emulator.as('eve');
      const number = await world.plan([sayTask(1, 'goodbye')], 'eve');
      const comment = async (): Promise<string> => (await world.tell(number)).comments[0] ?? '';
      const rewrite = async (from: string, to: string): Promise<void> => {
        const body = (await world.body(number)).replace(from, to);
        await eve.request('PATCH', `/repos/${REPO}/issues/${number}`, { body });
        await world.idle();
      };
      await world.idle();
      expect(await comment()).toContain('**Waiting for approval**');
      await eve.comment(REPO, number, '/pm approve');
      await eve.comment(REPO, number, 'yes');
      await world.idle();
      await rewrite('Visitors hear more.', 'Visitors hear a lot more.');
      expect(await comment()).toContain('**Waiting for approval**');
      expect(await world.pulls()).toEqual([]);
      await world.emulator.as('tom').comment(REPO, number, 'LGTM!');
      await world.idle();
      expect(await comment()).toContain('Approved by `tom`');
      expect(await world.pulls()).toHaveLength(1);
      await rewrite('a lot more', 'less');
      expect(await comment()).toContain('The plan changed after its approval.');
    },
  );
});
