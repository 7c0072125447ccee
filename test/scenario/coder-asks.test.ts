/** The real Claude Code asks: a person answers in the plan's thread, and the same session goes on. */
import { describe, expect } from 'vitest';
import { aCoderWorld, ask, sayIt, wordTask } from '../helpers/a-coder-story.ts';
import { noClaude } from '../adapters/coder/claude/a-session.ts';
import { REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

describe.skipIf(noClaude !== undefined)('a coder that asks', { timeout: 240_000 }, () => {
  verifies(
    ['CB-7', 'CB-8'],
    'waits without a lease, and goes on with what somebody who may write says, in another process too',
    async () => {
      const world = await aCoderWorld();
      const [code, spec] = sayIt('goodbye');
      if (code === undefined || spec === undefined) throw new Error('no moves');
      world.plays([code, ask('How loud?', ['low', 'high']), spec]);
      const number = await world.plan([wordTask(1, 'goodbye')]);
      await world.idle();
      const asked = await world.tell(number);
      expect(asked.comments.at(-1)).toMatch(/^Coder asks: How loud\?\n\n- low\n- high\n/);
      expect(asked.comments.at(-1)).toContain('@ana, task 1 waits for this.');
      expect(await world.body(number)).toContain('**Status:** blocked (waits for an answer');
      await world.sandbox.as('eve').comment(REPO, number, 'Very loud.');
      await world.idle();
      expect(await world.pulls()).toEqual([]);
      await world.stopApp();
      await world.startApp();
      await world.sandbox.as('tom').comment(REPO, number, 'High, please.');
      await world.idle();
      const [pull] = await world.pulls();
      expect(world.heard.join('\n')).toContain('High, please.\n\n(tom answered.)');
      expect(pull?.body).toContain('Asked: How loud? - High, please. (tom answered)');
    },
  );
});
