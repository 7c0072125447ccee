/** Recording a run and replaying it without a network. */
import { describe, expect, test } from 'vitest';
import { createRecorder, createReplay } from '../../../../src/adapters/model/recorded/recording.ts';
import { TransientError } from '../../../../src/domain/event/errors.ts';
import { NO_USAGE } from '../../../../src/domain/run/ledger.ts';
import { callsOf, withCalls, type Model } from '../../../../src/ports/model.ts';
import { ask, failureOf, modelContract } from '../../../contract/model.ts';

const CALL = {
  provider: 'p',
  pool: 'n',
  model: 'm',
  usage: NO_USAGE,
  costUsd: 0.5,
  latencyMs: 7,
  outcome: 'ok' as const,
  retries: 0,
};

/** Answers with what it was asked and how often. */
function counting(): Model {
  let n = 0;
  return {
    name: 'counting',
    generate(request) {
      n += 1;
      const [first] = request.messages;
      const text = first?.role === 'user' ? (first.content[0]?.text ?? '') : '';
      if (text === 'fail') {
        const init = { code: 'model-overloaded', message: 'down', retryAfterMs: 900 } as const;
        return Promise.reject(withCalls(new TransientError(init), [CALL]));
      }
      const answer = { text: `${text} ${n}`, toolCalls: [], finishReason: 'stop' as const };
      return Promise.resolve({ ...answer, calls: [CALL] });
    },
  };
}

async function record(asks: readonly Parameters<Model['generate']>[0][], secrets: string[] = []) {
  const lines: string[] = [];
  const append = (line: string): void => void lines.push(line);
  const model = createRecorder({ model: counting(), append, secrets });
  for (const request of asks) await model.generate(request).catch(() => undefined);
  return lines;
}

modelContract('replay', async () => {
  const asks = ['Say hello.', 'Question 1', 'Question 2', 'Question 3', 'x'].map((q) => ask(q));
  return createReplay({ lines: await record(asks) });
});

describe('recording and replay', () => {
  test('gives the same answers in the same order, and then the last one again', async () => {
    const lines = await record([ask('a'), ask('b'), ask('a')]);
    const replay = createReplay({ lines: [...lines, ''] });
    const texts: string[] = [];
    for (const q of ['a', 'a', 'a', 'b']) texts.push((await replay.generate(ask(q))).text);
    expect(texts).toEqual(['a 1', 'a 3', 'a 3', 'b 2']);
    expect((await replay.generate(ask('b'))).calls).toEqual([CALL]);
  });

  test('gives the same errors, with their calls', async () => {
    const replay = createReplay({ lines: await record([ask('fail')]) });
    const error = await failureOf(replay.generate(ask('fail')));
    expect(error).toBeInstanceOf(TransientError);
    expect(error).toMatchObject({ code: 'model-overloaded', retryAfterMs: 900 });
    expect(callsOf(error)).toEqual([CALL]);
  });

  test('knows no answer to another question, whatever differs', async () => {
    const replay = createReplay({ lines: await record([ask('a')]) });
    const others = [
      ask('b'),
      ask('a', { model: 'other' }),
      ask('a', { system: [] }),
      ask('a', { maxOutputTokens: 1 }),
      ask('a', { tools: [{ name: 't', description: '', parameters: {} }] }),
      ask('a', { output: { name: 'o', schema: {} } }),
    ];
    for (const other of others)
      expect(await failureOf(replay.generate(other))).toMatchObject({ code: 'model-not-recorded' });
    const again = ask('a', { timeoutMs: 1, maxWaitMs: 1, earlierTries: 1, installation: 7 });
    expect((await replay.generate(again)).text).toBe('a 1');
  });

  test('writes no secret in any encoding, and still finds the question again', async () => {
    const secret = ['p@ss', 'word', 'of/a test'].join('-');
    const shaped = ['gh', 'p_', 'a1B2'.repeat(9)].join('');
    const forms = [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
      Buffer.from(secret).toString('hex'),
      shaped,
    ];
    const question = ask(`Use ${forms.join(' and ')}.`, { evidence: { [secret]: secret } });
    const lines = await record([question], [secret]);
    for (const form of forms) expect(lines.join('\n')).not.toContain(form);
    const replay = createReplay({ lines, secrets: [secret] });
    expect((await replay.generate(question)).text).toContain('(secret removed)');
  });

  test('refuses lines that it cannot read', () => {
    expect(() => createReplay({ lines: ['{"v":2}'] })).toThrow('cannot be read');
    expect(() => createReplay({ lines: ['nonsense'] })).toThrow('cannot be read');
  });
});
