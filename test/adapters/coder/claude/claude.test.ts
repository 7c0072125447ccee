/** Sessions of the real CLI from their beginning to each of their ends. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findClaude } from '../../../../src/adapters/coder/claude/find-claude.ts';
import { sumCost } from '../../../../src/domain/run/ledger.ts';
import { aMark, runningWith } from '../../../helpers/running-with.ts';
import { temporaryFolder } from '../../../hosts/cli/temporary-folder.ts';
import { verifies } from '../../../verifies.ts';
import { aSession, ask, bash, DONE, MODEL, noClaude, playSteps, REAL_KEY } from './a-session.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';

describe.skipIf(noClaude !== undefined)('Claude Code (skipped where it is not installed)', () => {
  verifies(
    ['CB-6', 'CB-13'],
    'a task is done, told in a result, and every call is counted',
    async () => {
      const { run, server, folder } = await aSession();
      const write = {
        name: 'Write',
        args: { file_path: path.join(folder, 'b.txt'), content: 'two' },
      };
      const note = { name: 'mcp__quorum__note', args: { kind: 'debt', text: 'a.txt is old' } };
      playSteps(server, [{ text: 'So.', toolCalls: [write, note] }]);
      const outcome = await run({ prompt: 'Write b.txt.', guide: 'House rule 7.' });
      expect(outcome).toMatchObject({
        outcome: 'done',
        summary: 'Did what was asked.',
        decisions: ['none'],
        notes: ['debt: a.txt is old'],
        turns: 2,
      });
      expect(readFileSync(path.join(folder, 'b.txt'), 'utf8')).toBe('two');
      expect(outcome.calls).toHaveLength(server.calls.length);
      const [call] = outcome.calls;
      const used = server.calls[0]?.usage;
      expect(call).toMatchObject({
        pool: 'sonnet',
        model: MODEL,
        outcome: 'ok',
        usage: { outputTokens: used?.output, cacheWriteTokens: used?.cacheWrite },
      });
      expect(sumCost(outcome.calls)).toMatchObject({ isPartlyUnknown: false });
      expect(sumCost(outcome.calls).usd).toBeGreaterThan(0);
      expect(server.calls[0]?.system).toContain('House rule 7.');
      expect(outcome.transcript).toContain('Write b.txt.');
    },
  );

  verifies('CB-7', 'a question that the PM can answer is answered in the same turn', async () => {
    const { run, server } = await aSession();
    const asked: string[] = [];
    const results = playSteps(server, [ask('Which database?')]);
    const outcome = await run(
      {},
      {
        ask: async (question) => {
          asked.push(question);
          return 'The one that is there.';
        },
      },
    );
    expect(asked).toEqual(['Which database?\n- a\n- b']);
    expect(results).toEqual(['The one that is there.']);
    expect(outcome.outcome).toBe('done');
  });

  verifies(
    'CB-7',
    'a question for a person ends the session, which goes on elsewhere with the answer',
    async () => {
      const { run, server } = await aSession();
      const results = playSteps(server, [bash('echo half > half.txt'), ask('Which colour?')]);
      const first = await run({ prompt: 'Paint it.' }, { ask: async () => undefined });
      expect(first).toMatchObject({
        outcome: 'asked',
        question: 'Which colour?',
        options: ['a', 'b'],
        tried: 'Looked at both.',
      });
      const before = server.calls.length;
      const { sessionId, transcript } = first;
      // Each run has a folder of its own for the CLI's settings: the transcript is all that it takes along.
      const second = await run({ resume: { sessionId, transcript, answer: 'Green, says Ana.' } });
      expect(second).toMatchObject({ outcome: 'done', sessionId });
      expect(results.at(-1)).toBe('Green, says Ana.');
      expect(server.calls.length - before).toBe(second.calls.length);
      expect(second.transcript.length).toBeGreaterThan(transcript.length);
    },
  );

  test('in a worktree of a shared repository, git can be read', async () => {
    const { run, server, git } = await aSession();
    const around = temporaryFolder();
    const [mirror, folder] = [path.join(around, 'mirror.git'), path.join(around, 'tree')];
    git('clone', '-q', '--bare', '.', mirror);
    git(`--git-dir=${mirror}`, 'worktree', 'add', '-q', '-b', 'work', folder);
    const results = playSteps(server, [
      bash('echo two > a.txt; git log --format=%s; git status --short; git diff --stat'),
      bash('git commit -qam x; git switch -qc other; echo refused'),
    ]);
    expect((await run({}, { folder, gitDir: mirror })).outcome).toBe('done');
    expect(results[0]).toMatch(/^first\n M a\.txt\n a\.txt \| 2 \+-/);
    expect(results[1]).toMatch(/Read-only file system.*refused/s);
    expect(git(`--git-dir=${mirror}`, 'log', '--all', '--format=%s')).toBe('first');
  });

  test('who stopped it before it began hears that it is stopped', async () => {
    const { run, server } = await aSession();
    expect((await run({}, {}, AbortSignal.abort())).outcome).toBe('cancelled');
    expect(server.calls).toEqual([]);
  });

  test('a session that was taken up may ask again', async () => {
    const { run, server } = await aSession();
    const results = playSteps(server, [ask('First?'), ask('Second?')]);
    const first = await run();
    const again = await run({ resume: { ...first, answer: 'one' } });
    expect(again).toMatchObject({ outcome: 'asked', question: 'Second?' });
    const last = await run({ resume: { ...again, answer: 'two' } });
    expect(last.outcome).toBe('done');
    expect(results).toEqual(['one', 'two']);
  });

  test('what the team remembers is read where there is a memory, and only there', async () => {
    const read = { toolCalls: [{ name: 'mcp__quorum__read_memory', args: { section: 'tests' } }] };
    const list = { toolCalls: [{ name: 'mcp__quorum__list_threads', args: {} }] };
    const { run, server } = await aSession({
      memory: async (section) => `all of ${section}`,
      threads: '- #3 (issue) Search',
    });
    const results = playSteps(server, [read, list]);
    await run();
    expect(results).toEqual(['all of tests', '- #3 (issue) Search']);
    expect(server.calls[0]?.toolNames).toContain('mcp__quorum__read_memory');
    const without = await aSession();
    playSteps(without.server, []);
    await without.run();
    expect(without.server.calls[0]?.toolNames).not.toContain('mcp__quorum__read_memory');
    expect(without.server.calls[0]?.toolNames).not.toContain('mcp__quorum__list_threads');
  });

  test('without Quorum’s own price the CLI’s is taken, each run’s share of the session', async () => {
    const { run, server } = await aSession({ model: { price: undefined } });
    playSteps(server, [ask('Which?')]);
    const first = await run();
    const second = await run({ resume: { ...first, answer: 'b' } });
    const costs = [first, second].map(({ calls }) => sumCost(calls));
    expect(costs.map(({ isPartlyUnknown }) => isPartlyUnknown)).toEqual([false, false]);
    const head = (text: string) => JSON.parse(text.split('\n')[0] ?? '') as { totalUsd: number };
    expect(costs[0]?.usd).toBeCloseTo(head(first.transcript).totalUsd, 10);
    expect((costs[0]?.usd ?? 0) + (costs[1]?.usd ?? 0)).toBeCloseTo(
      head(second.transcript).totalUsd,
      10,
    );
  });

  verifies(
    'CB-13',
    'a model that the CLI does not know has no price, whatever the CLI says',
    async () => {
      const { run, server } = await aSession({ model: { id: 'kimi-k9', price: undefined } });
      playSteps(server, []);
      const outcome = await run();
      expect(outcome.outcome).toBe('done');
      expect(sumCost(outcome.calls)).toEqual({ usd: 0, isPartlyUnknown: true });
    },
  );

  test('a session that says it is done without the result that was asked for has failed', async () => {
    const { run, server } = await aSession();
    server.setScript(() => ({ text: 'All done!' }));
    expect(await run()).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('without the result'),
    });
  });

  verifies('CB-14b', 'turns end, and the partial work stays', async () => {
    const { run, server, folder } = await aSession();
    server.setScript((call) => bash(`echo ${call.turn} >> turns.txt`));
    const outcome = await run({ limits: { turns: 2, minutes: 5, usd: 2 } });
    expect(outcome).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('ran out of turns'),
    });
    expect(readFileSync(path.join(folder, 'turns.txt'), 'utf8')).toContain('0\n1\n');
  });

  verifies('CB-14b', 'the budget ends it, by the gateway’s own count', async () => {
    const { run, server } = await aSession({
      // Dearer than the CLI believes, so that the gateway is first.
      model: { price: { input: 30, output: 30, cacheWrite: 30, cacheRead: 30 } },
    });
    playSteps(server, [{ ...bash('echo one'), usage: { input: 50_000 } }, bash('echo two')]);
    const outcome = await run();
    expect(outcome).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('of the budget of $2 is left'),
    });
    expect(server.calls).toHaveLength(1);
  });

  test('a key that is refused is a failure that names no key', async () => {
    const { run } = await aSession({ model: { apiKey: `${REAL_KEY}-old` } });
    const outcome = await run();
    expect(outcome).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('401') });
    expect(JSON.stringify(outcome)).not.toContain(REAL_KEY);
  });

  verifies(
    'EXE-08: time of a session',
    'a model that never answers is left when the time is up',
    async () => {
      const { run, server } = await aSession();
      server.setScript(() => ({ fault: { kind: 'hang' } }));
      const outcome = await run({ limits: { turns: 5, minutes: 8 / 60, usd: 2 } });
      expect(outcome).toMatchObject({ outcome: 'timed-out', calls: [{ outcome: 'aborted' }] });
    },
  );

  test('stopping it ends it and what it ran, and keeps its partial work', async () => {
    const { run, server, folder } = await aSession();
    const stop = new AbortController();
    const mark = aMark();
    server.setScript((call) => {
      if (call.turn > 0) return DONE;
      return bash(`echo half > half.txt; trap "" TERM; while :; do sleep ${mark}; done`);
    });
    const running = run({}, {}, stop.signal);
    const half = path.join(folder, 'half.txt');
    await waitUntil(() => existsSync(half) && readFileSync(half, 'utf8') !== '');
    stop.abort();
    const outcome = await running;
    expect(outcome.outcome).toBe('cancelled');
    expect(outcome.transcript).toContain('half.txt');
    expect(runningWith(mark)).toEqual([]);
    expect(readFileSync(path.join(folder, 'half.txt'), 'utf8')).toBe('half\n');
  });
});

test('a machine without the CLI says how to get it', () => {
  expect(() => findClaude('/no/claude')).toThrow(
    expect.objectContaining({
      code: 'coder-unavailable',
      details: expect.stringContaining('@anthropic-ai/claude-code@2.1.330'),
    }),
  );
});

test('a folder in CLAUDE_BIN is refused: the sandbox would show all of it', () => {
  expect(() => findClaude(temporaryFolder({ file: 'x' }))).toThrow(
    expect.objectContaining({ code: 'coder-unavailable' }),
  );
});
