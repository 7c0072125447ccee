/** Role memory, step by step, as the reducer decides it. */
import { expect, test } from 'vitest';
import { decideThread } from '../../../../src/decide/thread.ts';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import type { Effect } from '../../../../src/domain/event/effect.ts';
import type { EventData, NewEvent } from '../../../../src/domain/event/event.ts';
import type { RoleLook } from '../../../../src/domain/memory/role/role-run.ts';
import type { ThreadState } from '../../../../src/decide/run/thread-context.ts';

const NOW = Date.parse('2026-11-25T12:00:00Z');
const KEY = 'thread:7/12';
const THREAD = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy', number: 12 };
const NONCE = 'A1B2C3D4E5F6A7B8C9D0';
const STRONG = 'opus';

const LOOK: RoleLook = {
  config: { ...defaultConfig(), models: { pool: {}, aliases: { memoryExtraction: STRONG } } },
  material: {
    said: [{ source: 'plan 3, comment', by: 'tom', trust: 'maintainer', text: 'Ship on Mondays.' }],
    diff: '+const a = 1;',
  },
  texts: { pm: '## Workflows\n', artist: '' },
  nonce: NONCE,
};

const ANSWER = {
  operations: [{ op: 'append', file: 'pm', category: 'workflow', text: 'ship on Mondays' }],
};

/** A thread that receives one event after the other. */
class Walk {
  state: ThreadState = { v: 1, runs: {} };
  effects: Effect[] = [];
  events: NewEvent[] = [];
  ignored: string | undefined;
  #count = 0;

  tell(data: EventData): this {
    this.#count += 1;
    const at = new Date(NOW).toISOString();
    const event = { id: `event-${this.#count}`, key: KEY, version: 1, at, data };
    const decision = decideThread(this.state, event, { now: NOW });
    this.state = decision.state as ThreadState;
    ({ effects: this.effects, events: this.events, ignored: this.ignored } = decision);
    return this;
  }

  answer(result: unknown): this {
    const [effect] = this.effects;
    if (effect === undefined) throw new Error('nothing is waited for');
    const { id: effectId, run, data } = effect;
    return this.tell({ kind: 'done', effectId, run, effectKind: data.kind, result } as EventData);
  }

  fire(): this {
    const timer = this.events.find(({ data }) => data.kind === 'timer');
    return this.tell(timer?.data ?? { kind: 'timer', timer: '', run: '' });
  }

  get wants(): string[] {
    return this.effects.map(({ data }) => data.kind);
  }

  get comment(): string {
    const found = this.effects.find(({ data }) => data.kind === 'comment');
    return found?.data.kind === 'comment' ? found.data.body : '';
  }
}

function merged(): Walk {
  const task = { plan: { ...THREAD, number: 3 }, task: 1 };
  return new Walk().tell({ kind: 'merged', run: 'attempt', task, thread: THREAD });
}

function asked(look: Partial<RoleLook> = {}): Walk {
  return merged().answer({ ...LOOK, ...look });
}

function proposed(): Walk {
  return asked().answer({ value: ANSWER, calls: [] });
}

test('an operation keeps the question whose answer it has, also when people word it otherwise', () => {
  const answered = [{ question: 'Which day?', answer: 'Monday.' }];
  const operations = [{ ...ANSWER.operations[0], answer: 1 }];
  const walk = asked({ material: { ...LOOK.material, answered } });
  walk.answer({ value: { operations }, calls: [] });
  const [run] = Object.values(walk.state.runs);
  expect(run).toMatchObject({ operations: [{ text: 'ship on Mondays', question: 'Which day?' }] });
  expect(run).not.toHaveProperty('questions');
});

test('a merge is looked at, and the extraction model is asked with what was said as data', () => {
  const walk = merged();
  expect(walk.wants).toEqual(['look-roles']);
  const [ask] = walk.answer(LOOK).effects;
  if (ask?.data.kind !== 'ask') throw new Error('nobody was asked');
  expect(ask.data).toMatchObject({ purpose: 'role-memory', model: STRONG, tier: 'strong' });
  const shared = ask.data.prompt.shared.join('\n');
  const block = `<<<data ${NONCE} source="plan 3, comment" author="tom" trust="maintainer">>>\nShip on Mondays.\n`;
  expect(shared).toContain(block);
  expect(shared).toContain('source="the merged change" trust="stranger">>>\n+const a = 1;');
});

test.each([
  ['where it is off', { off: 'proposals for memory are switched off here' }],
  ['of nothing', { material: { said: [], diff: '' } }],
])('%s nobody is asked', (_, look) => {
  const walk = asked(look);
  expect(walk.wants).toEqual([]);
  expect(walk.state.runs['role_memory']?.status).toBe('closed');
});

test.each([
  ['nothing to keep', { operations: [] }],
  ['garbage', 'lessons'],
  [
    'what is in the file already',
    { operations: [{ op: 'replace', file: 'pm', old: 'x', text: 'y' }] },
  ],
])('people hear nothing of %s', (_, value) => {
  const walk = asked().answer({ value, calls: [] });
  expect(walk.wants).toEqual([]);
  expect(walk.state.runs['role_memory']?.phase).toEqual({ kind: 'ended' });
});

test('a proposal is shown once, and dropped with a note when nobody answers within a day', () => {
  const walk = proposed();
  expect(walk.comment).toContain('1. Add to `memory/pm.md`, Workflows: `ship on Mondays`');
  expect(walk.events.map(({ delayMs }) => delayMs)).toEqual([24 * 3_600_000]);
  walk.fire();
  expect(walk.comment).toContain('Nobody answered within 24 hours');
  expect(walk.comment).toContain('`ship on Mondays`');
  expect(walk.state.runs['role_memory']).toMatchObject({ phase: { kind: 'ended' } });
});

test('the timer of a proposal that was answered says nothing', () => {
  const walk = proposed();
  const { events } = walk;
  const run = walk.state.runs['role_memory'];
  if (run?.trigger !== 'role_memory') throw new Error('no run');
  run.phase = { kind: 'publishing', effectId: 'x' };
  walk.events = events;
  walk.fire();
  expect([walk.wants, walk.ignored]).toEqual([[], 'it was answered']);
});

test('its numbers go on behind lessons that wait in the same thread', () => {
  const walk = merged();
  walk.state.lessons = [
    { id: '0000000001', text: 'one' },
    { id: '0000000002', text: 'two' },
  ];
  const ask = walk.answer(LOOK).effects;
  walk.effects = ask;
  expect(walk.answer({ value: ANSWER, calls: [] }).comment).toContain('3. Add to `memory/pm.md`');
});

test('a second merge does not ask again while a proposal waits', () => {
  const walk = proposed();
  const task = { plan: { ...THREAD, number: 3 }, task: 1 };
  walk.tell({ kind: 'merged', run: 'attempt', task, thread: THREAD });
  expect(walk.wants).toEqual([]);
});
