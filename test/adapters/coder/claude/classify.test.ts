/** What comes of a session, by lines as Claude Code 2.1.330 writes them. */
import { expect, test } from 'vitest';
import { array, assert, integer, property, string } from 'fast-check';
import { classify, type Ended } from '../../../../src/adapters/coder/claude/classify.ts';
import { createEventReader } from '../../../../src/adapters/coder/claude/events.ts';
import { verifies } from '../../../verifies.ts';

const ID = '0b5d0f1e-4d0a-4e0e-9a52-3f8c8d1c7a10';

function init(status = 'connected'): object {
  return {
    type: 'system',
    subtype: 'init',
    session_id: ID,
    model: 'claude-sonnet-5-5',
    tools: ['Bash', 'mcp__quorum__ask_pm'],
    mcp_servers: [{ name: 'quorum', status }],
  };
}

/** A result with what all of them have. */
function result(more: object): object {
  return {
    type: 'result',
    subtype: 'success',
    is_error: false,
    api_error_status: null,
    terminal_reason: 'completed',
    stop_reason: 'end_turn',
    result: '',
    session_id: ID,
    num_turns: 2,
    duration_ms: 900,
    total_cost_usd: 0.05,
    usage: { input_tokens: 1, output_tokens: 2 },
    modelUsage: { 'claude-sonnet-5-5': { costUSD: 0.05, costBasis: 'list' } },
    permission_denials: [],
    uuid: 'u',
    ...more,
  };
}

const OUTPUT = { result: 'done', summary: 'Did it.', decisions: ['one'] };

function endOf(events: readonly object[], more: Partial<Omit<Ended, 'seen'>> = {}) {
  const reader = createEventReader();
  reader.push(Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join('')));
  return classify({ seen: reader.seen(), end: 'exited', exitCode: 0, said: '', ...more });
}

const failed = (reason: RegExp) => ({ outcome: 'failed', reason: expect.stringMatching(reason) });

verifies('CB-6', 'only a result with the output that was asked for is done', () => {
  expect(endOf([init(), result({ structured_output: OUTPUT })])).toEqual({
    outcome: 'done',
    summary: 'Did it.',
    decisions: ['one'],
  });
  // The schema was never filled: exit code 0, `success`.
  expect(endOf([init(), result({ result: 'All done.' })])).toEqual(
    failed(/without the result.*All done/),
  );
  expect(endOf([init(), result({ structured_output: { summary: 1 } })])).toEqual(
    failed(/without the result/),
  );
  const couldNot = { ...OUTPUT, result: 'could-not', summary: 'The schema is missing.' };
  expect(endOf([init(), result({ structured_output: couldNot })])).toEqual(
    failed(/could not do the task: The schema is missing/),
  );
});

const DEFERRED = {
  stop_reason: 'tool_deferred',
  terminal_reason: 'tool_deferred',
  deferred_tool_use: {
    id: 'toolu_1',
    name: 'mcp__quorum__ask_pm',
    input: { question: 'Which?', options: ['a'], tried: 'both' },
  },
};

verifies('CB-7', 'a call that is put off is a question, and no text ever is', () => {
  expect(endOf([init(), result(DEFERRED)])).toEqual({
    outcome: 'asked',
    question: 'Which?',
    options: ['a'],
    tried: 'both',
  });
  expect(endOf([init(), result({ ...DEFERRED, deferred_tool_use: null })])).toEqual(
    failed(/waits for a call of nothing/),
  );
  const other = { id: 't', name: 'Bash', input: { command: 'ls' } };
  expect(endOf([init(), result({ ...DEFERRED, deferred_tool_use: other })])).toEqual(
    failed(/waits for a call of Bash/),
  );
  expect(endOf([init(), result({ result: 'Which database do you want?' })]).outcome).toBe('failed');
});

test.each([
  ['turns', { subtype: 'error_max_turns', is_error: true, errors: ['Reached 10'] }, /turns.*10/],
  ['budget', { subtype: 'error_max_budget_usd', is_error: true, errors: ['$2'] }, /budget.*\$2/],
  [
    'five results that did not fit',
    { subtype: 'error_max_structured_output_retries', is_error: true, errors: ['5 tries'] },
    /failed: 5 tries/,
  ],
  ['a bad resume', { subtype: 'error_during_execution', errors: ['No conversation'] }, /No conv/],
  ...[400, 401, 403, 404, 413, 429, 500, 529].map(
    (status) =>
      [
        `an answer ${status} of the model`,
        {
          is_error: true,
          terminal_reason: 'api_error',
          api_error_status: status,
          result: 'API Error',
        },
        new RegExp(`the model answered ${status}\\): API Error`),
      ] as const,
  ),
  [
    'a connection that was reset',
    { is_error: true, terminal_reason: 'api_error', result: 'Connection error.' },
    /failed: Connection error/,
  ],
  ['a refusal', { is_error: true, stop_reason: 'refusal', result: 'declined' }, /declined/],
  ['max_tokens', { is_error: true, stop_reason: 'max_tokens', result: 'too long' }, /too long/],
  ['a hook that stopped it', { terminal_reason: 'hook_stopped', result: '' }, /without the result/],
] as const)('%s is a failure that says so', (_, fields, reason) => {
  expect(endOf([init(), result({ ...fields, structured_output: undefined })])).toEqual(
    failed(reason),
  );
});

test('an error stays one with an output beside it', () => {
  const both = { is_error: true, api_error_status: 500, structured_output: OUTPUT };
  expect(endOf([init(), result(both)]).outcome).toBe('failed');
});

test('without a result it is a failure, whatever the exit code', () => {
  const reasonOf = (exitCode: number | undefined, said = '', events = [init()]) =>
    endOf(events, { exitCode, said });
  expect(reasonOf(0, '', [])).toEqual(failed(/without a result \(exit code 0\)$/));
  expect(reasonOf(1, 'Invalid settings', [])).toEqual(failed(/\(exit code 1\): Invalid settings/));
  expect(reasonOf(143)).toEqual(failed(/\(exit code 143\)/));
  expect(reasonOf(undefined)).toEqual(failed(/\(killed\)/));
});

test('what ended it from outside wins over what it says', () => {
  const done = [init(), result({ structured_output: OUTPUT })];
  expect(endOf(done, { end: 'timed-out' }).outcome).toBe('timed-out');
  expect(endOf(done, { end: 'cancelled' }).outcome).toBe('cancelled');
  expect(endOf(done, { end: 'too-many-processes' }).outcome).toBe('failed');
});

test('without the tools of the team nothing that it did counts', () => {
  expect(endOf([init('failed'), result({ structured_output: OUTPUT })])).toEqual(
    failed(/tools of the team did not start: quorum/),
  );
});

test('lines in pieces of any size, with others in between, say the same', () => {
  const lines = [
    init(),
    { type: 'assistant', message: 'ü✓' },
    result({ structured_output: OUTPUT }),
  ];
  const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\nno json {\n\n'));
  const property1 = property(array(integer({ min: 1, max: 80 }), { minLength: 1 }), (sizes) => {
    const reader = createEventReader();
    for (let at = 0, i = 0; at < bytes.length; i += 1) {
      const size = sizes[i % sizes.length] ?? 1;
      reader.push(bytes.subarray(at, at + size));
      at += size;
    }
    expect(reader.seen()).toMatchObject({ sessionId: ID, result: { structured_output: OUTPUT } });
  });
  assert(property1);
});

test('no text makes the reader throw', () => {
  assert(
    property(string(), (text) => {
      const reader = createEventReader();
      reader.push(Buffer.from(text));
      expect(reader.seen().result).toBeUndefined();
    }),
  );
});
