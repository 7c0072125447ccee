/** Buttons of a plan or a head in a channel, without a world: which presses count, and when the buttons go. */
import { describe, expect, test } from 'vitest';
import { planAnswerOf, planShownOf } from '../../../../src/decide/channel/chat/approval-buttons.ts';
import { clickProblem, noteClick } from '../../../../src/decide/channel/chat/approval-clicks.ts';
import { decideChannels } from '../../../../src/decide/channel/decide-channels.ts';
import { EMPTY_CHAT, type ChatState } from '../../../../src/decide/channel/chat/chat-state.ts';
import type { ChatMessage } from '../../../../src/domain/channel/chat-thread.ts';
import type { ApprovalVerb } from '../../../../src/domain/channel/approval-click.ts';
import type { Effect, EffectData } from '../../../../src/domain/event/effect.ts';
import { EVENT_VERSION, type EventData } from '../../../../src/domain/event/event.ts';
import type { AnnouncedDelivery, ChatLook } from '../../../../src/domain/event/result.ts';
import type { PlanState } from '../../../../src/domain/plan/plan-view.ts';

const NOW = Date.parse('2026-06-01T09:00:00Z');
const AT = new Date(NOW).toISOString();
const repository = { installationId: 1, repositoryId: 7, owner: 'octo', repo: 'shop' };
const DIGEST = 'ab12'.repeat(10);
const ANA = { id: 11, login: 'ana', permission: 'write' } as const;
const LOOK: ChatLook = { repository, person: ANA, needed: 'write', planDigest: DIGEST };
const STATE: ChatState = { ...EMPTY_CHAT, repository, number: 4 };

function press(verb: ApprovalVerb = 'approve', over: Partial<ChatMessage> = {}): ChatMessage {
  return {
    channel: 'slack',
    place: 'C1',
    thread: '1.0',
    message: '2.0',
    id: 'id',
    author: { id: 'T1/U1', name: 'Ana', isBot: false },
    text: '',
    why: 'reply',
    links: [],
    files: [],
    click: { verb, repositoryId: 7, number: 4, digest: DIGEST },
    at: AT,
    ...over,
  };
}

describe('a press', () => {
  test('of the plan that the thread is about counts', () => {
    expect(clickProblem(STATE, press(), LOOK)).toBeUndefined();
    expect(clickProblem(STATE, press('reject'), LOOK)).toBeUndefined();
  });

  const OTHER = { ...repository, repositoryId: 8 };
  const { repository: _, ...nowhere } = STATE;
  const { number: __, ...noIssue } = STATE;
  test.each<[string, ChatState, ChatLook]>([
    ['a thread of another repository', { ...STATE, repository: OTHER }, LOOK],
    ['a thread of no repository', nowhere, LOOK],
    ['a channel of another repository', STATE, { ...LOOK, repository: OTHER }],
    ['a thread about another issue', { ...STATE, number: 5 }, LOOK],
    ['a thread about none', noIssue, LOOK],
  ])('in %s does nothing', (___, state, look) => {
    expect(clickProblem(state, press(), look)).toEqual({
      reason: 'the button is about another plan',
    });
  });

  test('counts once for each person, button, text and message', () => {
    const state = structuredClone(STATE);
    noteClick(state, press());
    expect(clickProblem(state, press(), LOOK)?.reason).toBe('the button was pressed before');
    const ben = { id: 'T1/U2', name: 'Ben', isBot: false };
    const renewed = { verb: 'approve', repositoryId: 7, number: 4, digest: 'other' } as const;
    for (const other of [
      press('approve', { click: renewed }),
      press('reject'),
      press('approve', { author: ben }),
      press('approve', { message: '3.0' }),
    ])
      expect(clickProblem(state, other, LOOK)).toBeUndefined();
    for (let each = 0; each < 60; each += 1)
      noteClick(state, press('approve', { message: `${each}` }));
    expect(state.clicked).toHaveLength(50);
  });

  test('rejects no text that was not shown, and says so', () => {
    const look = { ...LOOK, planDigest: 'other' };
    expect(clickProblem(STATE, press('reject'), look)).toMatchObject({
      say: expect.stringContaining('The plan changed'),
    });
    // Its command names the digest.
    expect(clickProblem(STATE, press('approve'), look)).toBeUndefined();
  });

  test('of a head counts in the conversation about its plan, for exactly the head that is there now', () => {
    const click = {
      verb: 'approve',
      repositoryId: 7,
      number: 9,
      digest: DIGEST,
      of: 'head',
    } as const;
    const at = (headSha?: string): ChatLook => ({ ...LOOK, ...(headSha && { headSha }) });
    expect(clickProblem(STATE, press('approve', { click }), at(DIGEST))).toBeUndefined();
    expect(clickProblem(STATE, press('approve', { click }), at('cd34'.repeat(10)))).toMatchObject({
      say: expect.stringContaining('a newer head, `cd34cd34cd34`'),
    });
    expect(clickProblem(STATE, press('approve', { click }), at())).toMatchObject({
      say: expect.stringContaining('not open any more'),
    });
    const { person: nobody, ...unknown } = at('cd34'.repeat(10));
    expect(nobody).toBeDefined();
    expect(clickProblem(STATE, press('approve', { click }), unknown)).toBeUndefined();
    expect(
      clickProblem({ ...STATE, repository: OTHER }, press('approve', { click }), at(DIGEST)),
    ).toEqual({ reason: 'the button is about another plan' });
  });

  test('is nothing that words need', () => {
    const { click, ...words } = press();
    expect(click).toBeDefined();
    const state = structuredClone(STATE);
    noteClick(state, words);
    expect([clickProblem(state, words, LOOK), state.clicked]).toEqual([undefined, undefined]);
  });
});

function planWith(over: object): PlanState {
  return { id: 'p', step: 0, thread: { ...repository, number: 4 }, ...over };
}

describe('a plan', () => {
  const approval = { by: { id: 11, login: 'ana' }, digest: DIGEST, how: 'command', at: AT };
  const rejected = { by: 'ben', digest: DIGEST };

  test('that was approved or rejected in this step has an answer', () => {
    const approved = { verb: 'approve', by: 'ana', digest: DIGEST };
    expect(planAnswerOf(undefined, planWith({ approval }))).toEqual(approved);
    expect(planAnswerOf(planWith({}), planWith({ rejected }))).toEqual({
      verb: 'reject',
      ...rejected,
    });
    expect(planAnswerOf(planWith({ rejected }), planWith({ approval }))).toEqual(approved);
  });

  test('asks about another text where its comment shows one while it waits', () => {
    const shown = (digest: string, over = {}) =>
      planWith({ isWaiting: true, shown: { digest, at: AT }, ...over });
    expect(planShownOf(shown('a'), shown('b'))).toBe('b');
    expect(planShownOf(undefined, shown('b'))).toBe('b');
    expect(planShownOf(shown('b'), shown('b'))).toBeUndefined();
    expect(planShownOf(shown('a'), shown('b', { isWaiting: undefined }))).toBeUndefined();
    expect(planShownOf(shown('a'), planWith({ isWaiting: true }))).toBeUndefined();
    expect(planShownOf(shown('a'), undefined)).toBeUndefined();
  });

  test('that was answered before has none', () => {
    expect(planAnswerOf(planWith({ approval }), planWith({ approval }))).toBeUndefined();
    expect(planAnswerOf(planWith({ rejected }), planWith({ rejected }))).toBeUndefined();
    expect(planAnswerOf(planWith({ approval }), planWith({}))).toBeUndefined();
    expect(planAnswerOf(planWith({ approval }), undefined)).toBeUndefined();
  });
});

/** The channels of a repository, event by event. */
function aStream() {
  let state: unknown;
  let count = 0;
  const wanted: Effect[] = [];
  let told: { key: string; data: EventData }[] = [];
  const take = (data: EventData): EffectData[] => {
    count += 1;
    const event = { id: `e${count}`, key: 'channels:7', version: EVENT_VERSION, at: AT, data };
    const decision = decideChannels(state, event, { now: NOW });
    ({ state } = decision);
    wanted.push(...decision.effects);
    told = decision.events.map(({ key, data: each }) => ({ key, data: each }));
    return decision.effects.map((each) => each.data);
  };
  const chat = { channel: 'slack', place: 'C1', thread: '1.0', message: '2.0' } as const;
  return {
    propose: () =>
      take({
        kind: 'announced',
        run: 'r',
        repository,
        number: 4,
        announced: { event: 'plan-proposed', details: '' },
        channels: ['slack'],
      }),
    sent: (digest = DIGEST) => {
      const effectId = wanted.findLast(({ data }) => data.kind === 'announce')?.id ?? '';
      const asked = { 'thread/7/4': { chat, digest } };
      const result: AnnouncedDelivery = { settled: ['e1'], dropped: 0, heads: {}, asked };
      return take({ kind: 'done', effectId, run: 'r', effectKind: 'announce', result });
    },
    answer: (over: Partial<{ digest: string; number: number; verb: ApprovalVerb }> = {}) => {
      const { number = 4, digest = DIGEST, verb = 'approve' } = over;
      const answer = { verb, by: 'ana', digest } as const;
      return take({ kind: 'plan-answered', run: 'r', repository, number, answer });
    },
    edit: (digest: string) => take({ kind: 'plan-shown', run: 'r', repository, number: 4, digest }),
    told: () => told,
    /** The announcement is the first message of a thread. */
    began: (thread: string, subject = 'thread/7/4') => {
      const effectId = wanted.findLast(({ data }) => data.kind === 'announce')?.id ?? '';
      const heads = {
        [subject]: { channel: 'slack', place: 'C1', thread, message: thread } as const,
      };
      const result: AnnouncedDelivery = { settled: [`e${count}`], dropped: 0, heads };
      return take({ kind: 'done', effectId, run: 'r', effectKind: 'announce', result });
    },
    /** Its pull request waits for the approval of this head; `meanwhile`, and then the button was sent. */
    askHead: (headSha: string, meanwhile: () => void = () => undefined) => {
      take({
        kind: 'announced',
        run: 'r',
        repository,
        number: 9,
        announced: { event: 'needs-human', question: 'it waits', headSha },
        channels: ['slack'],
      });
      const settled = [`e${count}`];
      meanwhile();
      const effectId = wanted.findLast(({ data }) => data.kind === 'announce')?.id ?? '';
      const asked = { 'thread/7/9': { chat, digest: headSha, of: 'head' } } as const;
      const result: AnnouncedDelivery = { settled, dropped: 0, heads: {}, asked };
      return take({ kind: 'done', effectId, run: 'r', effectKind: 'announce', result });
    },
    answerHead: (headSha: string, by?: string) => {
      const answer = { headSha, ...(by !== undefined && { by }) };
      return take({ kind: 'head-answered', run: 'r', repository, number: 9, answer });
    },
    gone: {
      kind: 'chat-reply',
      repository,
      chat,
      markdown: '`ana` approved plan `ab12ab12ab12`.',
      isInstead: true,
    },
  };
}

test('the thread that an announcement begins learns its issue, once', () => {
  const stream = aStream();
  const thread = { channel: 'slack', place: 'C1', thread: '5.0' };
  const about = { kind: 'chat-announced', repository, number: 4, thread };
  stream.propose();
  stream.began('5.0');
  expect(stream.told()).toMatchObject([{ key: 'chat:slack/C1/5.0', data: about }]);
  stream.propose();
  stream.began('5.0');
  expect(stream.told()).toEqual([]);
  stream.propose();
  stream.began('6.0', 'thread/7/99');
  expect(stream.told()).toEqual([]);
  stream.propose();
  stream.began('7.0');
  expect(stream.told()).toMatchObject([{ key: 'chat:slack/C1/7.0' }]);
});

describe('buttons', () => {
  test('go once the plan is answered, and once', () => {
    const stream = aStream();
    stream.propose();
    expect(stream.sent()).toEqual([]);
    expect(stream.answer()).toEqual([stream.gone]);
    expect(stream.answer()).toEqual([]);
  });

  test('go at once where the plan was answered while they were sent', () => {
    const stream = aStream();
    stream.propose();
    expect(stream.answer()).toEqual([]);
    expect(stream.sent()).toEqual([stream.gone]);
  });

  test('stay for the newer text where an earlier one was shown before', () => {
    const stream = aStream();
    stream.edit('ef56'.repeat(10));
    stream.propose();
    expect(stream.sent()).not.toContainEqual(expect.objectContaining({ kind: 'chat-reply' }));
    expect(stream.answer()).toContainEqual(stream.gone);
  });

  test('stay where another text or another plan was answered', () => {
    const stream = aStream();
    stream.propose();
    stream.sent();
    expect(stream.answer({ digest: 'other' })).toEqual([]);
    expect(stream.answer({ number: 5 })).toEqual([]);
    expect(stream.answer()).toEqual([stream.gone]);
  });

  const CHANGED = 'cd34'.repeat(10);
  const renewed = {
    kind: 'chat-reply',
    repository,
    chat: { channel: 'slack', place: 'C1', thread: '1.0', message: '2.0' },
    markdown: expect.stringContaining('Plan `cd34cd34cd34` waits') as string,
    isInstead: true,
    asks: { repositoryId: 7, number: 4, digest: CHANGED },
  };

  test('follow the plan when its text changes, and go with the answer to that', () => {
    const stream = aStream();
    stream.propose();
    stream.sent();
    expect(stream.edit(DIGEST)).toEqual([]);
    expect(stream.edit(CHANGED)).toEqual([renewed]);
    expect(stream.edit(CHANGED)).toEqual([]);
    expect(stream.answer()).toEqual([]);
    expect(stream.answer({ digest: CHANGED })).toMatchObject([
      { markdown: '`ana` approved plan `cd34cd34cd34`.' },
    ]);
  });

  test('follow a change that came while they were sent', () => {
    const stream = aStream();
    stream.propose();
    expect(stream.edit(CHANGED)).toEqual([]);
    expect(stream.sent()).toEqual([renewed]);
  });

  test('return for the next text after a rejection, and go with the answer to that', () => {
    const stream = aStream();
    stream.propose();
    stream.sent();
    const reject = { verb: 'reject' } as const;
    expect(stream.answer(reject)).toMatchObject([
      { markdown: '`ana` rejected plan `ab12ab12ab12`.' },
    ]);
    expect(stream.answer(reject)).toEqual([]);
    expect(stream.edit(CHANGED)).toEqual([renewed]);
    expect(stream.answer({ ...reject, digest: CHANGED })).toHaveLength(1);
    expect(stream.edit(DIGEST)).toMatchObject([{ asks: { digest: DIGEST } }]);
    expect(stream.answer()).toEqual([stream.gone]);
    expect(stream.edit(CHANGED)).toEqual([]);
  });

  test('give way to an approval of the text that was rejected', () => {
    const stream = aStream();
    stream.propose();
    stream.sent();
    stream.answer({ verb: 'reject' });
    expect(stream.answer()).toEqual([stream.gone]);
  });

  test('that are gone do not reappear when the text changes', () => {
    const stream = aStream();
    stream.propose();
    stream.sent();
    stream.answer();
    expect(stream.edit(CHANGED)).toEqual([]);
  });

  test('of a plan that waits again stay, whatever was answered before', () => {
    const stream = aStream();
    stream.propose();
    stream.answer();
    stream.propose();
    expect(stream.sent()).not.toContainEqual(stream.gone);
  });
});

describe('the button of a head', () => {
  const HEAD = 'ef56'.repeat(10);
  const gives = (text: string) => [
    expect.objectContaining({ kind: 'chat-reply', markdown: text, isInstead: true }) as unknown,
  ];

  test('gives way once to who approved it', () => {
    const stream = aStream();
    expect(stream.askHead(HEAD)).toEqual([]);
    expect(stream.answerHead(HEAD, 'ben')).toEqual(gives('`ben` approved head `ef56ef56ef56`.'));
    expect(stream.answerHead(HEAD, 'ben')).toEqual([]);
  });

  test('gives way where the head was replaced, merged or closed', () => {
    const stream = aStream();
    stream.askHead(HEAD);
    expect(stream.answerHead(HEAD)).toEqual(
      gives('Head `ef56ef56ef56` no longer waits for approval.'),
    );
  });

  test('gives way at once where that came while it was sent', () => {
    const stream = aStream();
    const sent = stream.askHead(HEAD, () => void stream.answerHead(HEAD, 'ben'));
    // Then the message that asked changes.
    expect(sent.slice(0, -1)).toEqual(gives('`ben` approved head `ef56ef56ef56`.'));
    expect(sent.at(-1)).toMatchObject({ waiting: [{ announcement: { event: 'head-settled' } }] });
  });

  test('stays where that was about another head', () => {
    const stream = aStream();
    expect(stream.askHead(HEAD, () => void stream.answerHead(DIGEST, 'ben'))).toEqual([]);
    expect(stream.answerHead(DIGEST, 'ben')).toEqual([]);
    expect(stream.answerHead(HEAD, 'ben')).toHaveLength(1);
  });

  test('stays where an approval of the same head was taken back before it was asked for again', () => {
    const stream = aStream();
    stream.askHead(HEAD);
    stream.answerHead(HEAD, 'ben');
    expect(stream.askHead(HEAD)).toEqual([]);
    expect(stream.answerHead(HEAD, 'tom')).toEqual(gives('`tom` approved head `ef56ef56ef56`.'));
  });
});
