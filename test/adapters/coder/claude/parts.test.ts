/** The parts of a session that need no CLI: flags, tools, costs, transcripts. */
import { mkdirSync, symlinkSync, linkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claudeArgs, claudeEnv } from '../../../../src/adapters/coder/claude/claude-args.ts';
import {
  runCost,
  shareOut,
  totalUsdOf,
} from '../../../../src/adapters/coder/claude/gateway/cost.ts';
import { ResultEvent } from '../../../../src/adapters/coder/claude/events.ts';
import {
  collectTranscript,
  createSessionFolder,
  placeTranscript,
  readTranscript,
  writeTranscript,
} from '../../../../src/adapters/coder/claude/session-folder.ts';
import { createCoderTools } from '../../../../src/adapters/coder/claude/tools.ts';
import { NO_USAGE, type ModelCall } from '../../../../src/domain/run/ledger.ts';
import { temporaryFolder } from '../../../hosts/cli/temporary-folder.ts';
import { verifies } from '../../../verifies.ts';
import { aTask } from '../a-task.ts';

function args(more: Parameters<typeof aTask>[0] = {}): string[] {
  return claudeArgs({
    task: aTask(more),
    model: 'claude-sonnet-5-5',
    session: { id: 'id' },
    tools: ['ask_pm', 'note'],
    bridge: ["/a'b/node", '/bridge.ts', '/run.sock', 'token'],
  });
}

verifies(['INJ-05', 'INJ-06'], 'no flag that keeps a repository’s settings out is missing', () => {
  const line = args().join(' ');
  for (const flag of [
    '--restricted',
    '--setting-sources  --strict-mcp-config',
    '--disable-slash-commands',
    '--permission-mode dontAsk',
    '--tools Bash,Read,Edit,Write,Glob,Grep',
    '--system-prompt-snapshot off',
    '--max-turns 10 --max-budget-usd 2',
  ])
    expect(line).toContain(flag);
  const model = { id: 'm', price: undefined };
  const env = claudeEnv({ home: '/h', socket: '/s', token: 't', model, usd: 2 });
  expect(env).toMatchObject({
    CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
    CLAUDE_CONFIG_DIR: '/h',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
  });
});

test('nothing of a task is an argument, but what the default branch says', () => {
  expect(args({ prompt: '--help' })).not.toContain('--help');
  expect(args({ guide: '--help' }).slice(-2)).toEqual(['--append-system-prompt', '--help']);
  expect(args()).not.toContain('--append-system-prompt');
  const long = args({ guide: '€'.repeat(200_000) }).at(-1) ?? '';
  // Linux takes no longer argument.
  expect(Buffer.byteLength(long)).toBeLessThan(128 * 1024);
  expect(long).toContain('170000 characters are left out');
});

test('a hook that cannot run stops the call, and its words are quoted', () => {
  const settings = args()[args().indexOf('--settings') + 1] ?? '';
  expect(JSON.parse(settings)).toMatchObject({
    hooks: {
      PreToolUse: [
        {
          matcher: 'mcp__quorum__ask_pm',
          hooks: [{ command: expect.stringMatching(/^'\/a'\\''b\/node' .* 'hook' \|\| exit 2$/) }],
        },
      ],
    },
  });
});

const someTools = (more: Partial<Parameters<typeof createCoderTools>[0]> = {}) =>
  createCoderTools({
    ask: async () => undefined,
    answer: undefined,
    memory: undefined,
    threads: undefined,
    ...more,
  });
const askCall = (id: string, question = 'Which?') => ({
  tool_use_id: id,
  tool_input: { question, tried: 'all' },
});
const decision = (permissionDecision: string) => ({
  hookSpecificOutput: expect.objectContaining({ permissionDecision }),
});
const rpc = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const callOf = (name: string, input: object, id = 't') =>
  rpc('tools/call', { name, arguments: input, _meta: { 'claudecode/toolUseId': id } });

verifies('CB-7', 'an answer belongs to its call, also when the call is decided twice', async () => {
  const questions: string[] = [];
  const tools = someTools({
    answer: 'from a person',
    ask: async (question) => {
      questions.push(question);
      return question === 'Known?' ? 'yes' : undefined;
    },
  });
  expect(await tools.decide(askCall('t1'))).toEqual(decision('allow'));
  expect(await tools.decide(askCall('t1'))).toEqual(decision('allow'));
  expect(await tools.decide(askCall('t2', 'Known?'))).toEqual(decision('allow'));
  expect(await tools.decide(askCall('t3'))).toEqual(decision('defer'));
  expect(await tools.decide({ tool_use_id: 't4', tool_input: {} })).toEqual(decision('deny'));
  expect(await tools.decide('nonsense')).toEqual(decision('deny'));
  expect(questions).toEqual(['Known?', 'Which?']);
  const said = async (id: string) =>
    JSON.stringify(await tools.answerRpc(callOf('ask_pm', { question: 'x' }, id)));
  expect(await said('t1')).toContain('from a person');
  expect(await said('t2')).toContain('yes');
  expect(await said('t3')).toContain('"isError":true');
});

test('a tool that cannot read now says so, and the session goes on', async () => {
  const tools = someTools({ threads: () => Promise.reject(new Error('down')) });
  expect(tools.names).toEqual(['ask_pm', 'note', 'list_threads']);
  const said = JSON.stringify(await tools.answerRpc(callOf('list_threads', {})));
  expect(said).toContain('This cannot be read now. Go on without it.');
  expect(said).toContain('"isError":true');
});

test('the PM is not asked without end', async () => {
  let count = 0;
  const tools = someTools({ ask: async () => `${(count += 1)}` });
  for (let i = 0; i < 30; i += 1) await tools.decide(askCall(`t${i}`));
  expect(count).toBe(20);
});

test('the protocol of the tools: what the CLI needs is answered, the rest is refused', async () => {
  const tools = someTools();
  expect(await tools.answerRpc(rpc('initialize', { protocolVersion: '2025-11-25' }))).toMatchObject(
    {
      result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
    },
  );
  const list = (await tools.answerRpc(rpc('tools/list'))) as { result: { tools: unknown[] } };
  expect(list.result.tools).toMatchObject([{ name: 'ask_pm' }, { name: 'note' }]);
  expect(await tools.answerRpc(rpc('ping'))).toMatchObject({ result: {} });
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
  expect(await tools.answerRpc(note)).toBeUndefined();
  expect(await tools.answerRpc(rpc('resources/list'))).toMatchObject({ error: { code: -32_601 } });
  expect(await tools.answerRpc(rpc('tools/call', {}))).toMatchObject({ error: { code: -32_602 } });
  expect(await tools.answerRpc(5)).toMatchObject({ error: { code: -32_600 } });
  expect(await tools.answerRpc(callOf('rm', {}))).toMatchObject({ result: { isError: true } });
});

test('notes are short and not without end', async () => {
  const tools = someTools();
  for (let i = 0; i < 60; i += 1)
    await tools.answerRpc(callOf('note', { kind: 'risk', text: 'x'.repeat(9_000) }));
  await tools.answerRpc(callOf('note', {}));
  expect(tools.notes).toHaveLength(50);
  expect(Math.max(...tools.notes.map(({ length }) => length))).toBe(500);
});

function aResult(total: number | null, costBasis?: string) {
  return ResultEvent.parse({
    type: 'result',
    subtype: 'success',
    total_cost_usd: total,
    ...(costBasis !== undefined && { modelUsage: { m: { costBasis } } }),
  });
}

verifies('CB-13', 'a run costs what its session cost more than before; a guess is unknown', () => {
  expect(runCost(aResult(0.05, 'list'), 0)).toBe(0.05);
  expect(runCost(aResult(0.11, 'list'), 0.05)).toBeCloseTo(0.06, 12);
  expect(runCost(aResult(0.11, 'list'), undefined)).toBeUndefined();
  expect(runCost(aResult(0.11, 'unknown'), 0)).toBeUndefined();
  expect(runCost(aResult(0.11), 0)).toBeUndefined();
  expect(runCost(undefined, 0)).toBeUndefined();
  expect(totalUsdOf(aResult(null, 'list'))).toBeUndefined();
});

test('a cost is shared out by tokens, and never replaces Quorum’s own price', () => {
  const call = (inputTokens: number, costUsd?: number): ModelCall => ({
    provider: 'anthropic',
    pool: 'sonnet',
    model: 'm',
    usage: { ...NO_USAGE, inputTokens },
    costUsd,
    latencyMs: 1,
    outcome: 'ok',
    retries: 0,
  });
  const costs = (calls: ModelCall[], usd?: number) =>
    shareOut(calls, usd).map(({ costUsd }) => costUsd);
  expect(costs([call(10), call(30)], 4)).toEqual([1, 3]);
  expect(costs([call(10, 7), call(30, 8)], 4)).toEqual([7, 8]);
  expect(costs([call(10), call(30)])).toEqual([undefined, undefined]);
  expect(costs([call(0)], 4)).toEqual([undefined]);
});

function aSessionFolder() {
  const session = createSessionFolder();
  onTestFinished(session.remove);
  return session;
}

const ID = '0b5d0f1e-4d0a-4e0e-9a52-3f8c8d1c7a10';

test('a transcript goes out and in again, with what the session has cost', () => {
  const lines = '{"type":"user"}\n{"type":"assistant"}\n';
  for (const totalUsd of [0.25, undefined])
    expect(readTranscript(writeTranscript({ lines, totalUsd }))).toEqual({ lines, totalUsd });
  expect(readTranscript(lines)).toEqual({ lines, totalUsd: undefined });
  expect(writeTranscript({ lines: '', totalUsd: 1 })).toBe('');
  const session = aSessionFolder();
  placeTranscript(session, { sessionId: ID, lines });
  expect(collectTranscript(session, ID)).toBe(lines);
  expect(() => placeTranscript(session, { sessionId: '../../x', lines })).toThrow(/uuid/i);
});

verifies('EXE-06', 'a transcript that is a link, or is behind one, is not read', () => {
  const secrets = temporaryFolder({ [`${ID}.jsonl`]: 'secret', [`p/${ID}.jsonl`]: 'secret' });
  const target = path.join(secrets, `${ID}.jsonl`);
  const plant = [
    (home: string) => symlinkSync(target, path.join(home, 'projects', 'a', `${ID}.jsonl`)),
    (home: string) => linkSync(target, path.join(home, 'projects', 'a', `${ID}.jsonl`)),
    (home: string) => symlinkSync(secrets, path.join(home, 'projects', 'b')),
    (home: string) => mkdirSync(path.join(home, 'projects', 'a', `${ID}.jsonl`)),
  ];
  for (const each of plant) {
    const session = aSessionFolder();
    mkdirSync(path.join(session.home, 'projects', 'a'), { recursive: true });
    each(session.home);
    expect(collectTranscript(session, ID)).toBe('');
  }
  const session = aSessionFolder();
  symlinkSync(secrets, path.join(session.home, 'projects'));
  expect(collectTranscript(session, ID)).toBe('');
  writeFileSync(path.join(session.home, 'x'), '');
});
