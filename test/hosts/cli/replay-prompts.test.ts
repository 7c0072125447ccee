/** Prompts of a run out of the store: without secrets, and a private repository's only on demand. */
import { describe, expect, test } from 'vitest';
import { replayPrompts } from '../../../src/hosts/cli/commands/replay-prompts.ts';
import type { EffectData } from '../../../src/domain/event/effect.ts';
import type { EventData } from '../../../src/domain/event/event.ts';
import type { StoreReader } from '../../../src/ports/store.ts';
import { RUN, TASK_KEY, THREAD, THREAD_KEY } from '../../record/a-record.ts';

const OWN_KEY = ['own', 'host', 'key', '0123'].join('-');
const LESSON = { category: 'PATTERN', text: `The key is ${OWN_KEY}`, refs: [], words: [] };
const ASK = {
  kind: 'ask',
  thread: THREAD,
  persona: 'dev',
  trigger: 'reflection',
  purpose: 'reflection',
  round: 1,
  model: 'cheap',
  prompt: { shared: ['## Safety'], own: [`I know ${OWN_KEY}`], task: 'Learn.' },
  brief: {},
  caps: {},
} as unknown as EffectData;

function storeWith(repository: object | undefined, value: unknown = { lessons: [LESSON] }) {
  const looked = {
    kind: 'done',
    effectKind: 'look',
    effectId: `${RUN}/1-look`,
    run: RUN,
    result: { view: { repository } },
  } as unknown as EventData;
  const answered = {
    kind: 'done',
    effectKind: 'ask',
    effectId: `${RUN}/2-ask`,
    run: RUN,
    result: { value, calls: [{ costUsd: 0.25 }] },
  } as unknown as EventData;
  const events = [...(repository === undefined ? [] : [looked]), answered].map((data) => ({
    data,
  }));
  const records = {
    events: async () => events,
    effects: async () => [{ id: `${RUN}/2-ask`, run: RUN, key: THREAD_KEY, data: ASK }],
  };
  return { records } as unknown as StoreReader;
}

const of = { run: RUN, key: THREAD_KEY };
const plain = { secrets: [], withPrivate: false };

describe('prompts of a run', () => {
  test('are shown with their answers, and today’s code reads the answer as it was read then', async () => {
    const [ask, ...others] = await replayPrompts(storeWith({ isPrivate: false }), of, plain);
    expect(others).toEqual([]);
    expect(ask).toMatchObject({
      persona: 'dev',
      purpose: 'reflection',
      costUsd: 0.25,
      isSame: true,
    });
    expect(ask?.prompt).toEqual(['## Safety', `I know ${OWN_KEY}`, 'Learn.']);
    expect(ask?.answer).toEqual({ lessons: [LESSON] });
  });

  test('hold none of the host’s own secrets, in the question or the answer', async () => {
    const options = { ...plain, secrets: [OWN_KEY] };
    const asks = await replayPrompts(storeWith({ isPrivate: false }), of, options);
    expect(JSON.stringify(asks)).not.toContain(OWN_KEY);
    expect(asks[0]?.prompt[1]).toBe('I know (secret removed)');
  });

  test.each([
    ['a private repository', { isPrivate: true }],
    ['one that was never read', undefined],
  ])('of %s are refused without `--private`', async (_, repository) => {
    const store = storeWith(repository);
    await expect(replayPrompts(store, of, plain)).rejects.toMatchObject({
      code: 'prompts-private',
    });
    expect(await replayPrompts(store, of, { ...plain, withPrivate: true })).toHaveLength(1);
  });

  test('reports an answer that today’s code reads otherwise', async () => {
    const value = { lessons: [LESSON], gone: 'field' };
    const [ask] = await replayPrompts(storeWith({ isPrivate: false }, value), of, plain);
    expect(ask?.isSame).toBe(false);
  });

  test('reports an answer that today’s code cannot read at all, and shows it without secrets', async () => {
    const store = storeWith({ isPrivate: false }, { lesson: OWN_KEY });
    const [ask] = await replayPrompts(store, of, { ...plain, secrets: [OWN_KEY] });
    expect(ask?.isSame).toBe(false);
    expect(ask?.answer).toEqual({ lesson: '(secret removed)' });
  });

  test('shows an answer as text that is no JSON without its secrets', async () => {
    const store = storeWith({ isPrivate: false }, { lesson: OWN_KEY });
    const secrets = [`"lesson":"${OWN_KEY}`];
    const [ask] = await replayPrompts(store, of, { ...plain, secrets });
    expect(ask?.answer).toBe('{(secret removed)"}');
  });
});

const PROPOSE = {
  kind: 'propose',
  thread: THREAD,
  sha: '',
  model: 'opus',
  prompt: { shared: ['## Safety'], own: [], task: `Plan with ${OWN_KEY}.` },
  brief: {},
  caps: {},
};
const WORD = {
  kind: 'questions',
  questions: ['Which format?'],
  risks: [],
  answer: '',
};
const CODE = {
  kind: 'code',
  thread: THREAD,
  task: 1,
  persona: 'dev',
  attempt: 2,
  prompt: `Write it with ${OWN_KEY}.`,
  resume: { sessionId: 's', transcript: 'private', answer: 'As JSON.' },
};
const CODED = {
  coder: 'claude',
  report: {
    outcome: 'done',
    summary: `Used ${OWN_KEY}`,
    decisions: [],
    calls: [{ costUsd: 0.5 }],
    transcript: 'private',
  },
  patch: '',
  files: [{ path: 'src/a.ts' }],
};

/** A run with one effect in a stream, and the events of each stream. */
function storeOf(
  effect: object,
  { key, events }: { key: string; events: Readonly<Record<string, object[]>> },
) {
  const records = {
    events: async (wanted: { key: string }) =>
      (events[wanted.key] ?? []).map((each) => ({ data: { kind: 'done', run: RUN, ...each } })),
    effects: async () => [{ id: `${RUN}/3-x`, run: RUN, key, data: effect }],
  };
  return { records } as unknown as StoreReader;
}

const planned = (isPrivate: boolean) => ({
  effectKind: 'look-plan',
  effectId: `${RUN}/1-look`,
  result: { repository: { isPrivate } },
});
const result = (effectKind: string, value: object) => ({
  effectKind,
  effectId: `${RUN}/3-x`,
  result: value,
});

describe('prompts beside those of voices', () => {
  test('are the PM’s, whose plan today’s code reads as it was read then', async () => {
    const done = result('propose', { word: WORD, looked: [], calls: [{ costUsd: 0.1 }] });
    const events = { [THREAD_KEY]: [planned(false), done] };
    const store = storeOf(PROPOSE, { key: THREAD_KEY, events });
    const [ask] = await replayPrompts(store, of, { ...plain, secrets: [OWN_KEY] });
    expect(ask).toMatchObject({ persona: 'pm', purpose: 'plan', costUsd: 0.1, isSame: true });
    expect(ask?.prompt).toEqual(['## Safety', 'Plan with (secret removed).']);
    expect(ask?.answer).toEqual(WORD);
  });

  test('are the coder’s order and report, without its transcript and without secrets', async () => {
    const events = { [TASK_KEY]: [result('code', CODED)], [THREAD_KEY]: [planned(false)] };
    const store = storeOf(CODE, { key: TASK_KEY, events });
    const task = { run: RUN, key: TASK_KEY };
    const [ask] = await replayPrompts(store, task, { ...plain, secrets: [OWN_KEY] });
    expect(ask).toMatchObject({ persona: 'dev', purpose: 'code', round: 2, model: 'claude' });
    expect(ask?.prompt).toEqual(['Write it with (secret removed).', 'As JSON.']);
    expect(ask?.answer).toMatchObject({ report: { outcome: 'done' }, files: ['src/a.ts'] });
    expect(JSON.stringify(ask)).not.toMatch(/private|own-host-key/);
  });

  test.each([
    ['a private repository', [planned(true)]],
    ['one that was never read', []],
  ])('of a task of %s are refused without `--private`', async (_, about) => {
    const events = { [TASK_KEY]: [result('code', CODED)], [THREAD_KEY]: about };
    const store = storeOf(CODE, { key: TASK_KEY, events });
    await expect(replayPrompts(store, { run: RUN, key: TASK_KEY }, plain)).rejects.toMatchObject({
      code: 'prompts-private',
    });
  });
});
