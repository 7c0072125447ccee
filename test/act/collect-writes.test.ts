/** Writes of a job that only reads: collected in order, older states of the same thing left out, foreign kinds refused. */
import { expect, test } from 'vitest';
import { collectWrites } from '../../src/act/collect-writes.ts';
import { EFFECTS } from '../../src/act/effects.ts';
import type { Perform } from '../../src/act/perform.ts';
import type { Effect, EffectData, EffectKind } from '../../src/domain/event/effect.ts';
import { THREAD } from '../helpers/play.ts';

const OTHER = { ...THREAD, number: THREAD.number + 1 };
const MARKER = { kind: 'run', run: 'run-1', key: 'live' } as const;
const DONE = { effectKind: 'labels', result: null, githubCalls: { x: 1 } } as const;
const isKind = (kind: string): kind is EffectKind => kind in EFFECTS;
const KINDS = Object.keys(EFFECTS).filter(isKind);

const ANSWERS: Partial<Record<EffectKind, unknown>> = {
  comment: { id: 0, url: '', outcome: 'created' },
  reply: { id: 0, url: '', outcome: 'created' },
  labels: null,
  react: null,
  issue: { outcome: 'created', number: 0, url: '' },
  close: 'closed',
  check: null,
  review: { id: 0, url: '', outcome: 'created', unplaced: [] },
  'review-check': null,
  fold: null,
};

const none = async (): Promise<never[]> => [];
const STORE = {
  load: async () => undefined,
  records: { events: none, effects: none, calls: none },
};

async function collect(...wanted: object[]) {
  const carriedOut: EffectKind[] = [];
  const perform: Perform = async ({ data: { kind } }) => {
    carriedOut.push(kind);
    return DONE;
  };
  const collected = collectWrites(perform, STORE);
  const answers = [];
  for (const [n, data] of wanted.entries())
    answers.push(
      await collected
        .perform({ ...at(n), data: data as EffectData }, { isFirst: true })
        .catch((error: unknown) => error),
    );
  return { answers, carriedOut, ids: collected.wanted().map(({ id }) => id), collected };
}

const at = (n: number): Omit<Effect, 'data'> => ({ id: `e${n}`, key: 'k', run: 'r', at: '' });

test.each(KINDS)('%s', async (kind) => {
  const { answers, carriedOut, ids } = await collect({
    kind,
    thread: THREAD,
    marker: MARKER,
    check: {},
  });
  const [answer] = answers;
  expect(carriedOut).toEqual(EFFECTS[kind].writes ? [] : [kind]);
  if (!EFFECTS[kind].writes) expect(answer).toBe(DONE);
  else if (kind in ANSWERS)
    expect(answer).toEqual({ effectKind: kind, result: ANSWERS[kind], githubCalls: {} });
  else if (kind === 'remember')
    expect(answer).toMatchObject({ result: { entries: [], removed: [], refused: [] } });
  else if (kind === 'write-journal') expect(answer).toMatchObject({ result: { outcome: 'off' } });
  else expect(answer).toMatchObject({ code: 'action-write-refused', retryable: false });
  expect(ids).toEqual(kind in ANSWERS ? ['e0'] : []);
});

const comment = (body: string, marker: object = MARKER, thread = THREAD): object => ({
  kind: 'comment',
  thread,
  marker,
  body,
});
const check = (name: string, headSha: string): object => ({
  kind: 'review-check',
  thread: THREAD,
  check: { name, headSha },
});
const react = (commentId?: number, thread = THREAD): object => ({
  kind: 'react',
  thread,
  commentId,
});

test('of several states of one comment the last is wanted, in its place', async () => {
  const { ids } = await collect(comment('begun'), react(5), comment('done'), {
    kind: 'labels',
    thread: THREAD,
  });
  expect(ids).toEqual(['e1', 'e2', 'e3']);
});

test('comments that differ in thread, kind, run or key are all wanted', async () => {
  const { ids } = await collect(
    comment('a'),
    comment('a', { ...MARKER, kind: 'plan' }),
    comment('a', { ...MARKER, run: 'run-2' }),
    comment('a', { ...MARKER, key: 'verdict' }),
    comment('a', MARKER, OTHER),
  );
  expect(ids).toEqual(['e0', 'e1', 'e2', 'e3', 'e4']);
});

test('check runs are one by their name and their head, reactions by their comment and their thread', async () => {
  const checks = await collect(
    check('a', 'h1'),
    check('a', 'h2'),
    check('b', 'h1'),
    check('a', 'h1'),
  );
  expect(checks.ids).toEqual(['e1', 'e2', 'e3']);
  const reactions = await collect(
    react(5),
    react(6),
    react(),
    react(undefined, OTHER),
    react(5),
    react(),
  );
  expect(reactions.ids).toEqual(['e1', 'e3', 'e4', 'e5']);
});

test('effects that nothing writes over are all wanted', async () => {
  const labels = { kind: 'labels', thread: THREAD };
  expect((await collect(labels, labels, labels)).ids).toEqual(['e0', 'e1', 'e2']);
});

test('a comment with a report carries its text, which no other job could make', async () => {
  const report = { fullName: 'acme/tidy' };
  const { collected } = await collect(
    { ...comment('Done.'), report },
    comment('x', { ...MARKER, key: 'k' }),
  );
  const [first, second] = collected.wanted().map(({ data }) => data);
  expect(first).not.toHaveProperty('report');
  expect(first).toMatchObject({ body: expect.stringMatching(/^Done\.\n\n<details>[\s\S]*Report/) });
  expect(second).toMatchObject({ body: 'x' });
});
