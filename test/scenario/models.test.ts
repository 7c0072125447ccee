/** Which model is asked in a thread: whom the repository names, and what people choose there. */
import { describe, expect, test } from 'vitest';
import { aModel, isQuestion, isVerdictCall } from '../helpers/a-model.ts';
import { aWorld } from '../helpers/a-world.ts';
import { anIssue, say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

describe('the model of a thread', () => {
  verifies(
    'CB-14',
    'is switched for all that is asked there from then on, and nowhere else',
    async () => {
      const { server, env } = await aModel();
      const world = await aWorld({ env });
      const number = await anIssue(world);
      const other = await anIssue(world);
      const modelsOf = (): string[] => server.calls.splice(0).map((call) => call.model);
      await say(world, number, '@maya is it safe?');
      expect(modelsOf()).toEqual(['claude-sonnet-5-5']);
      const switched = await say(world, number, '/pm opus\n/pm ask is it safe?');
      expect(switched.answers[0]).toContain('From now on `opus` answers and discusses');
      expect(modelsOf()).toEqual(['claude-opus-5-5']);
      await say(world, other, '@maya is it safe?');
      expect(modelsOf()).toEqual(['claude-sonnet-5-5']);
      await say(world, number, '/pm model haiku');
      await say(world, number, '/pm deliberate');
      const discussed = server.calls.splice(0);
      expect(discussed.some(isVerdictCall)).toBe(true);
      expect(new Set(discussed.map((call) => call.model))).toEqual(new Set(['claude-haiku-5-5']));
      await say(world, number, '/pm model default\n/pm consult carlos why?');
      expect(modelsOf()).toEqual(['claude-opus-5-5']);
      expect(world.openApi.violations).toEqual([]);
    },
  );

  test('that a repository names and the host does not have is its tier’s', async () => {
    const { server, env } = await aModel();
    const files = { '.github/quorum.yml': 'models:\n  strong: kimi\n  cheap: kimi\n' };
    const world = await aWorld({ env, files });
    const number = await anIssue(world);
    await say(world, number, '/pm consult carlos why?\n/pm consult sasha why?');
    const asked = server.calls.filter(isQuestion).map((call) => call.model);
    expect(asked).toEqual(['claude-opus-5-5', 'claude-haiku-5-5']);
  });
});
