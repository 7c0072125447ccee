/** A standup, step by step, as the reducer decides it: who is asked, who is left out, what is shown, and how it ends. */
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import { aPersona } from '../../../helpers/a-persona.ts';
import { THREAD } from '../../../helpers/play.ts';
import { CALL } from '../../talk/commands/run-here.ts';
import {
  answering,
  asked,
  COMMENT,
  HEAD,
  INSIGHT,
  LOOK,
  QUIET,
  saying,
  SETTLED,
  settling,
  shown,
  TEAM,
} from './play-standup.ts';

describe('asking', () => {
  test('everybody is asked once, at the same time, and what all share is written to the cache by the first', () => {
    const play = answering();
    expect(play.run.phase).toEqual({
      kind: 'answering',
      waitingFor: play.effects.map(({ id, data }) => ({
        handle: data.kind === 'ask' ? data.persona : '',
        purpose: 'standup',
        effectId: id,
      })),
    });
    expect(play.wants('ask').map(({ persona, cache }) => [persona, cache])).toEqual([
      ['maya', 'write'],
      ['carlos', 'read'],
    ]);
    expect(play.run).toMatchObject({
      names: { maya: 'Name maya', carlos: 'Name carlos' },
      nonce: LOOK.nonce,
    });
  });

  test('one participant alone shares nothing that a cache would have to keep', () => {
    const [ask] = answering({ personas: TEAM.slice(0, 1) }).wants('ask');
    expect(ask).not.toHaveProperty('cache');
  });

  test('its own budget bounds the thread and the day, and the repository keeps its own', () => {
    const config = defaultConfig();
    config.budget.standup = { perThreadUsd: 0.125, perDayUsd: 0.75 };
    const [ask] = answering({ config }).wants('ask');
    expect(ask?.caps).toMatchObject({
      threadUsd: 0.125,
      dayUsd: 0.75,
      repositoryDayUsd: config.budget.perDayUsd,
    });
  });

  test.each([
    { wished: 'cheap', aliases: { cheap: 'haiku' }, model: 'haiku', tier: 'cheap' },
    { wished: 'strong', aliases: { cheap: 'haiku' }, model: 'strong', tier: 'strong' },
    { wished: 'my-model', aliases: { cheap: 'haiku' }, model: 'my-model', tier: 'cheap' },
  ])('the model $wished is $model of the tier $tier', ({ wished, aliases, model, tier }) => {
    const config = defaultConfig();
    config.standup.model = wished;
    config.models = { ...config.models, aliases };
    const [ask] = answering({ config }).wants('ask');
    expect({ model: ask?.model, tier: ask?.tier }).toEqual({ model, tier });
  });

  test.each([
    { most: 3, words: 200, expected: 'at most 3 insights' },
    { most: 1, words: 20, expected: 'at most 1 insights' },
    { most: 99, words: 999, expected: 'at most 3 insights' },
  ])('configuration may lower the bounds and never raise them: $most', (row) => {
    const config = defaultConfig();
    config.standup.maxInsightsPerAgent = row.most;
    config.standup.maxWordsPerInsight = row.words;
    const [ask] = answering({ config }).wants('ask');
    expect(String(ask?.prompt.task)).toContain(row.expected);
    const words = `${Math.min(row.words, 200)} words`;
    expect(ask?.prompt.shared.join('\n')).toContain(words);
  });

  test('memories, rule findings and relationships differ by persona', () => {
    const own = { insights: [{ message: 'Look at the cart.' }] } as never;
    const play = answering({
      memories: { maya: ['Prices come from the server.'] },
      offline: { carlos: own },
    });
    const [maya, carlos] = play.wants('ask');
    expect(maya?.prompt.own.join('\n')).toContain('Prices come from the server.');
    expect(carlos?.prompt.own.join('\n')).not.toContain('Prices come from the server.');
    expect(carlos?.brief.standup).toEqual(own);
    expect(maya?.brief).not.toHaveProperty('standup');
  });

  test('without a reason to hold it nobody is asked, and the person who asked sees that', () => {
    const play = asked().answer('look-standup', { ...LOOK, off: 'a person stopped the work' });
    expect(play.run).toMatchObject({ status: 'closed', endReason: 'a person stopped the work' });
    expect(play.wants('react')).toMatchObject([{ add: 'confused', remove: 'eyes' }]);
    expect(play.wants('ask')).toEqual([]);
  });

  test('a look that comes twice asks nobody again', () => {
    const play = answering();
    play.expect({ id: 'again', run: play.run.id, kind: 'look-standup' });
    play.answer('look-standup', LOOK);
    expect([play.effects, play.ignored]).toEqual([[], 'it was read before']);
  });
});

describe('answers', () => {
  test('wait for each other, and go in the order of taking part, not of answering', () => {
    const play = answering();
    const [maya = '', carlos = ''] = play.effects.map(({ id }) => id);
    const { id: run } = play.run;
    const told = (effectId: string, value: unknown) =>
      play.tell({ kind: 'done', effectKind: 'ask', effectId, run, result: saying(value) });
    expect(told(carlos, 'C').effects).toEqual([]);
    const [settle] = told(maya, 'M').wants('settle-standup');
    expect(settle).toMatchObject({
      thread: THREAD,
      source: { isAsked: true, outcome: 'completed' },
      answers: [
        { handle: 'maya', value: 'M', calls: [CALL] },
        { handle: 'carlos', value: 'C', calls: [CALL] },
      ],
      skipped: [],
    });
    expect(told(maya, 'M again').ignored).toBe('the run has moved on');
    expect(play.run.calls).toHaveLength(3);
  });

  test('one that nothing waits for is counted as spent and goes nowhere', () => {
    const play = answering();
    play.tell({
      kind: 'done',
      effectKind: 'ask',
      effectId: 'other',
      run: play.run.id,
      result: saying('?'),
    });
    expect([play.ignored, play.run.calls.length]).toEqual(['nothing waits for it', 1]);
    expect(play.run.answers).toBeUndefined();
  });

  test('a participant without an answer is left out, with why', () => {
    const play = answering().fail('ask', 'model-overloaded');
    expect(play.effects).toEqual([]);
    const [settle] = play.answer('ask', saying('C')).wants('settle-standup');
    expect(settle?.skipped).toEqual([{ handle: 'maya', why: 'model-overloaded' }]);
    expect(settle?.answers.map(({ handle }) => handle)).toEqual(['carlos']);
  });

  test('where nobody answered it is settled all the same', () => {
    const play = answering().fail('ask', 'model-overloaded').fail('ask', 'budget-thread');
    expect(play.wants('settle-standup')).toMatchObject([
      {
        answers: [],
        skipped: [
          { handle: 'maya', why: 'model-overloaded' },
          { handle: 'carlos', why: 'budget-thread' },
        ],
      },
    ]);
  });

  test('a failure that nothing waits for leaves nobody out', () => {
    const play = answering();
    play.expect({ id: 'other', run: play.run.id, kind: 'comment' });
    play.fail('comment', 'github-unavailable');
    expect([play.ignored, play.run.skipped]).toEqual(['nothing waits for it', undefined]);
  });

  test.each(['look-standup', 'settle-standup'] as const)(
    'what fails in %s ends the standup, and nothing else',
    (kind) => {
      const play = (kind === 'look-standup' ? asked() : settling()).fail(
        kind,
        'github-unavailable',
      );
      expect(play.run).toMatchObject({
        status: 'closed',
        endReason: 'github-unavailable',
        phase: { kind: 'ended' },
      });
      expect(play.kinds).toEqual(['react']);
    },
  );
});

describe('what is shown', () => {
  test('one comment: tensions with a box each, what it cost, and how long the slowest took', () => {
    const play = settling().answer('settle-standup', SETTLED);
    const [comment] = play.wants('comment');
    expect(comment).toMatchObject({
      thread: THREAD,
      isNew: true,
      marker: { kind: 'standup', run: play.run.id, key: 'standup' },
    });
    const body = comment?.body ?? '';
    expect(body).toContain(`**Name maya**: ${INSIGHT.message}`);
    expect(body).toContain(`- [ ] Make this a follow-up issue (\`${INSIGHT.id}\`)`);
    expect(body).toContain('No tension: Name carlos');
    expect(body).toContain('$0.5000');
    expect(body).toContain(`run \`${play.run.about?.run}\``);
    expect(play.run).toMatchObject({
      status: 'consensus',
      body,
      shown: { ms: CALL.latencyMs, isOffline: false, ticked: [], headSha: HEAD },
    });
    expect(play.run.answers).toBeUndefined();
  });

  test('the person who asked sees that it is done, and the repository learns how it went', () => {
    const play = settling().answer('settle-standup', SETTLED);
    expect(play.wants('react')).toMatchObject([{ add: '+1', remove: 'eyes' }]);
    expect(play.events.find(({ data }) => data.kind === 'run-ended')).toMatchObject({
      key: `repository:${THREAD.repositoryId}`,
      data: { summary: { trigger: 'standup', status: 'consensus' } },
    });
  });

  test('where no model was asked, it says so', () => {
    const play = answering();
    for (const _ of TEAM)
      play.answer('ask', { value: {}, calls: [{ ...CALL, provider: 'offline' }] });
    play.answer('settle-standup', SETTLED);
    expect(play.run.shown?.isOffline).toBe(true);
    expect(play.wants('comment')[0]?.body).toContain('offline rules, no model');
  });

  test('without any tension the person who asked gets one line, and there are no boxes to read', () => {
    const play = settling().answer('settle-standup', { ...SETTLED, insights: [QUIET] });
    expect(play.wants('comment')).toMatchObject([
      {
        body: 'Standup: no tension (1 participant).',
        isNew: true,
        marker: { kind: 'notice', key: 'standup' },
      },
    ]);
    expect(play.run.body).toBeUndefined();
    expect(play.events.some(({ data }) => data.kind === 'timer')).toBe(false);
  });

  test('its comment is known by the id that GitHub gave it first', () => {
    const play = shown();
    expect(play.run.commentId).toBe(COMMENT);
    play.expect({ id: 'again', run: play.run.id, kind: 'comment' });
    play.answer('comment', { id: 1, url: '', outcome: 'edited' });
    expect(play.run.commentId).toBe(COMMENT);
  });

  test('a result of another step is not taken for what was settled', () => {
    const play = settling();
    play.tell({
      kind: 'done',
      effectKind: 'settle-standup',
      effectId: 'other',
      run: play.run.id,
      result: SETTLED,
    });
    expect([play.ignored, play.run.shown]).toEqual(['the run has moved on', undefined]);
  });

  test('after its end nobody is asked or heard', () => {
    const play = shown();
    play.expect({ id: 'late', run: play.run.id, kind: 'ask' });
    play.answer('ask', saying('late'));
    expect([play.ignored, play.run.calls.length]).toEqual(['the run is over', 2]);
  });
});

test('a standup of a team with no voice of their own asks without their souls', () => {
  const config = defaultConfig();
  const soul = aPersona({ handle: 'maya', name: 'Maya' });
  const textOf = (isPersonal: boolean) => {
    config.standup.personality = isPersonal;
    const [ask] = answering({ config: structuredClone(config), personas: [soul] }).wants('ask');
    return ask?.prompt.own.join('\n') ?? '';
  };
  expect(textOf(false)).toBe('');
  expect(textOf(true)).not.toBe('');
});
