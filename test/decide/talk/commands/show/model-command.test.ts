/** Which models answer in a thread, and what people's judgements say of the team. */
import { describe, expect, test } from 'vitest';
import type { ModelSwitch, TalkView } from '../../../../../src/domain/run/talk.ts';
import { aPersona } from '../../../../helpers/a-persona.ts';
import { verifies } from '../../../../verifies.ts';
import { BEFORE, NOW_ISO, refusal, say, sumUp } from '../say-on-thread.ts';

const MODEL = {
  name: 'opus',
  provider: 'anthropic',
  model: 'claude-o',
  state: 'ready',
  aliases: ['strong'],
};
const OWN = [
  aPersona({ handle: 'maya', model: 'opus' as never }),
  aPersona({ handle: 'dev', model: 'standard' as never }),
  aPersona({ handle: 'zoe', model: 'opus' as never, active: false }),
];

function choice(over: Partial<ModelSwitch> = {}): ModelSwitch {
  return { model: 'opus', by: 'tom', at: BEFORE, commentId: 7, ...over };
}

function ask(words: string, view: Partial<TalkView> = {}, switches?: ModelSwitch[]) {
  return say(words, { view: { models: [MODEL], ...view }, state: switches ? { switches } : {} });
}

describe('/pm model', () => {
  verifies(
    'CB-14',
    'switches, keeps what was before, and says who keeps a model of their own',
    () => {
      const came = ask('/pm model OPUS', { personas: OWN });
      expect(came).toMatchObject({
        said: 'From now on `opus` answers and discusses in this thread. `/pm model default` goes back. Not asked to change: `maya` with `opus`.',
        reaction: '+1',
        effects: [],
      });
      expect(came.state.switches).toEqual([
        { model: 'opus', by: 'ana', at: NOW_ISO, commentId: 900 },
      ]);
      expect(came.state.undos).toEqual([
        { kind: 'model', command: '/pm model OPUS', by: 'ana', comment: 900 },
      ]);
      const other = ask('/pm model cheap', {}, [choice()]);
      expect(other.state.undos).toMatchObject([{ kind: 'model', model: 'opus' }]);
      const many = Array.from({ length: 20 }, () => choice());
      expect(ask('/pm model cheap', {}, many).state.switches).toHaveLength(20);
    },
  );

  test.each([
    ['/pm model opus', [choice()], '`opus` already answers in this thread.'],
    ['/pm model default', undefined, 'No other model was chosen for this thread.'],
  ])('%s changes nothing that is so already', (words, switches, said) => {
    const came = ask(words, {}, switches);
    expect(sumUp(came)).toEqual({ ...refusal(said), reaction: '+1' });
    expect(came.state.switches).toEqual(switches);
    expect(came.state.undos).toBeUndefined();
  });

  test('goes back to what holds without a choice', () => {
    const came = ask('/pm model Default', {}, [choice()]);
    expect(came.said).toBe('Back to the models that the repository and this host choose.');
    expect(came.state.switches).toEqual([{ by: 'ana', at: NOW_ISO, commentId: 900 }, choice()]);
    expect(came.state.undos).toMatchObject([{ kind: 'model', model: 'opus' }]);
  });

  test.each([
    [
      'missing',
      ['strong'],
      '`opus` cannot be asked on this host (missing); `/pm model` shows which can.',
    ],
    [
      'unusable',
      ['strong'],
      '`opus` cannot be asked on this host (unusable); `/pm model` shows which can.',
    ],
    ['ready', ['image'], '`opus` does not write text.'],
  ])('is refused for one that is %s and stands for %j', (state, aliases, said) => {
    const came = ask('/pm model opus', { models: [{ ...MODEL, state, aliases }] });
    expect(sumUp(came)).toEqual(refusal(said));
    expect(came.state.switches).toBeUndefined();
  });

  test.each([[[]], [['memoryExtraction']], [['image', 'cheap']]])('takes one for %j', (aliases) => {
    const came = ask('/pm model opus', { models: [{ ...MODEL, state: 'half-open', aliases }] });
    expect(came.state.switches).toMatchObject([{ model: 'opus' }]);
  });

  test('tells what holds, by whose choice, and what was chosen before', () => {
    const earlier = Array.from({ length: 7 }, (_, n) => choice({ model: `m${n}`, commentId: n }));
    const { said } = ask('/pm model', { personas: OWN }, [
      choice(),
      choice({ model: undefined as never }),
      ...earlier,
    ]);
    const words = 'chosen by `tom` on 2026-03-02T08:59Z in comment';
    expect(said).toBe(
      [
        `\`opus\` answers here, ${words} 7. \`/pm model default\` goes back. Answered last here: \`claude-o\`.`,
        'With a model of their own: `maya` with `opus`.',
        `Before that: \`default\` ${words} 7; ${[0, 1, 2, 3].map((n) => `\`m${n}\` ${words} ${n}`).join('; ')}.`,
        '| name | provider | model | state |\n|---|---|---|---|\n| `opus` | `anthropic` | `claude-o` | ready |',
      ].join('\n\n'),
    );
  });
});

describe('what people’s judgements say', () => {
  const costOf = (view: Partial<TalkView>): string[] =>
    say('/pm cost', { view }).said.split('\n\n').slice(1);
  const HEAD = 'Findings of the last six months, as people judged them:';
  const TABLE =
    '| voice | accepted | declined | no reaction | people accepted |\n|---|---|---|---|---|';

  test('the voices in the order of their names, and rules that went quiet', () => {
    const tally = {
      'persona:maya': { accepted: 9, declined: 1, ignored: 2 },
      'persona:dev': { accepted: 0, declined: 12, ignored: 0 },
      'persona:zoe': { accepted: 0, declined: 0, ignored: 0 },
      'rule:z': { accepted: 0, declined: 12, ignored: 0 },
      'rule:a': { accepted: 1, declined: 20, ignored: 0 },
      'rule:fine': { accepted: 9, declined: 1, ignored: 0 },
    };
    expect(costOf({ tally })).toEqual([
      HEAD,
      `${TABLE}\n| \`dev\` | 0 | 12 | 0 | 0 of 12 (0 %), muted below high |\n| \`maya\` | 9 | 1 | 2 | 9 of 12 (75 %) |`,
      'Rules muted below high: `a` (1 of 21 accepted), `z` (0 of 12 accepted).',
    ]);
  });

  test.each([
    [{ runs: 0, changedRuns: 0, costUsd: 1 }, []],
    [
      { runs: 1, changedRuns: 0, costUsd: 1 },
      ['Value: the council changed 0 of 1 verdicts for $1.00.'],
    ],
    [
      { runs: 4, changedRuns: 2, costUsd: 1 },
      [
        'Value: the council changed 2 of 4 verdicts for $1.00, $0.50 for each verdict that it changed.',
      ],
    ],
  ])('what the council changed: %j', (meter, words) => {
    expect(costOf({ meter })).toEqual(words);
  });
});
