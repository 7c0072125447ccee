/** What a dry run answers for each kind of write, and which it cannot carry out. */
import { expect, test } from 'vitest';
import { createDryRun } from '../../src/act/dry-run.ts';
import { EFFECTS } from '../../src/act/effects.ts';
import type { Perform } from '../../src/act/perform.ts';
import type { EffectData, EffectKind } from '../../src/domain/event/effect.ts';
import { THREAD } from '../helpers/play.ts';

const isKind = (kind: string): kind is EffectKind => kind in EFFECTS;
const KINDS = Object.keys(EFFECTS).filter(isKind);
const ANSWERS: Partial<Record<EffectKind, unknown>> = {
  comment: { id: 0, url: '', outcome: 'unchanged' },
  labels: null,
  react: null,
  check: null,
  issue: { outcome: 'created', number: 0, url: '' },
  close: 'closed',
};
const DONE = { effectKind: 'labels', result: null, githubCalls: { x: 1 } } as const;

test.each(KINDS)('%s', async (kind) => {
  const carriedOut: unknown[] = [];
  const perform: Perform = async (...asked) => {
    carriedOut.push(asked);
    return DONE;
  };
  const data = { kind, thread: THREAD } as EffectData;
  const effect = { id: `r/1-${kind}`, key: 'k', run: 'r', at: '', data };
  const attempt = { isFirst: true };
  const outcome = await createDryRun(perform)(effect, attempt).catch((error: unknown) => error);
  if (!EFFECTS[kind].writes) {
    expect(outcome).toBe(DONE);
    expect(carriedOut).toEqual([[effect, attempt]]);
    return;
  }
  expect(carriedOut).toEqual([]);
  if (kind in ANSWERS)
    expect(outcome).toEqual({ effectKind: kind, result: ANSWERS[kind], githubCalls: {} });
  else
    expect(outcome).toMatchObject({
      code: 'dry-run',
      message: `A dry run cannot carry out ${kind}: it changes something outside.`,
      retryable: false,
    });
});
