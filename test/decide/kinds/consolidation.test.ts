/** A consolidation, step by step, as the reducer decides it. */
import { expect, test } from 'vitest';
import { decideThread } from '../../../src/decide/thread.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import type { Effect } from '../../../src/domain/event/effect.ts';
import type { EventData } from '../../../src/domain/event/event.ts';
import type {
  Consolidation,
  ConsolidationLook,
} from '../../../src/domain/memory/consolidation/consolidation.ts';
import type { ThreadState } from '../../../src/decide/run/thread-context.ts';
import { anEntry } from '../../domain/memory/some-memory.ts';
import { TEAM } from '../../helpers/an-issue.ts';

const NOW = Date.parse('2026-11-25T12:00:00Z');
const THREAD = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy', number: 12 };
const NONCE = 'A1B2C3D4E5F6A7B8C9D0';
const [persona] = TEAM;
const handle = persona?.handle ?? '';

const ENTRIES = ['one', 'two', 'three'].map((word) =>
  anEntry({ text: `The parser keeps the order of rows, lesson ${word}` }),
);
const CONDENSE: Consolidation = {
  kind: 'condense',
  persona: handle,
  file: 'working',
  evidence: '0123456789',
  entries: ENTRIES,
};
const LOOK: ConsolidationLook = {
  config: { ...defaultConfig(), models: { pool: {}, aliases: { cheap: 'haiku' } } },
  found: CONDENSE,
  ...(persona && { persona }),
  nonce: NONCE,
};
const SHORT = { lines: ['- [PATTERN] The parser keeps the order of rows'] };

/** A thread whose reflection has just ended, with something to consolidate. */
class Walk {
  state: ThreadState = { v: 1, runs: {} };
  effects: Effect[] = [];
  #count = 0;

  tell(data: EventData): this {
    this.#count += 1;
    const at = new Date(NOW).toISOString();
    const event = { id: `event-${this.#count}`, key: 'thread:7/12', version: 1, at, data };
    const decision = decideThread(this.state, event, { now: NOW });
    this.state = decision.state as ThreadState;
    this.effects = decision.effects;
    return this;
  }

  answer(result: unknown): this {
    const [effect] = this.effects;
    if (effect === undefined) throw new Error('nothing is waited for');
    const { id: effectId, run, data } = effect;
    return this.tell({ kind: 'done', effectId, run, effectKind: data.kind, result } as EventData);
  }

  fail(code: string): this {
    const [effect] = this.effects;
    if (effect === undefined) throw new Error('nothing is waited for');
    const { id: effectId, run, data } = effect;
    const failure = { code, message: code, attempts: 1, retryable: false };
    return this.tell({
      kind: 'failed',
      effectId,
      run,
      effectKind: data.kind,
      failure,
    } as EventData);
  }

  get wants(): string[] {
    return this.effects.map(({ data }) => data.kind);
  }

  get run() {
    return this.state.runs[`consolidation:${handle}`];
  }
}

const REFLECTING = {
  id: 'RUN',
  trigger: 'reflection',
  thread: THREAD,
  actor: { id: 2, login: 'ana', isBot: false },
  status: 'active',
  phase: { kind: 'remembering', effectId: 'RUN/1-remember' },
  step: 1,
  calls: [],
};

function begun(due: string[] | undefined = [handle]): Walk {
  const walk = new Walk();
  walk.state.runs['reflection:X'] = REFLECTING as unknown as ThreadState['runs'][string];
  const result = { entries: [], removed: [], refused: [], ...(due && { due }) };
  return walk.tell({
    kind: 'done',
    run: 'RUN',
    effectId: 'RUN/1-remember',
    effectKind: 'remember',
    result,
  });
}

const asked = (look: Partial<ConsolidationLook> = {}): Walk => begun().answer({ ...LOOK, ...look });

test('a reflection that made something due is followed by a look, and another one by nothing', () => {
  expect(begun().effects.map(({ data }) => data)).toEqual([
    { kind: 'look-consolidation', thread: THREAD, persona: handle },
  ]);
  expect(begun([]).wants).toEqual([]);
});

test('the cheap model is asked with the notes as data, and its answer is proposed', () => {
  const walk = asked();
  const [ask] = walk.effects;
  if (ask?.data.kind !== 'ask') throw new Error('nobody was asked');
  expect(ask.data).toMatchObject({ purpose: 'consolidation', model: 'haiku', tier: 'cheap' });
  expect(ask.data.prompt.task).toMatch(/^## Consolidate your notes\n\nWrite these notes shorter\./);
  expect(ask.data.prompt.shared.join('\n')).toContain(
    `<<<data ${NONCE} source="your notes" trust="stranger">>>\n- [PATTERN] The parser`,
  );
  const [open] = walk.answer({ value: SHORT, calls: [] }).effects;
  expect(open?.data).toMatchObject({
    kind: 'open-consolidation',
    persona: handle,
    evidence: '0123456789',
    proposedBy: walk.run?.id,
  });
  expect(open?.lane).toBe('memory:7');
  expect(walk.answer({ pull: { number: 3, url: '' } }).run?.status).toBe('consensus');
  expect(walk.run).not.toHaveProperty('found');
});

test('an answer that cannot be used is asked for once more with the reason, and then the file stays', () => {
  const garbage = { value: { lines: ['no bullet'] }, calls: [] };
  const walk = asked().answer(garbage);
  const [again] = walk.effects;
  expect(again?.data.kind === 'ask' && again.data.prompt.task).toContain(
    'could not be used: the answer has a line that is no bullet.',
  );
  expect(walk.answer(garbage).wants).toEqual([]);
  expect(walk.run).toMatchObject({ status: 'closed', phase: { kind: 'ended' } });
});

test('a persona is asked for its own file, once more where it would not change, and then it is proposed', () => {
  const found: Consolidation = {
    kind: 'self',
    persona: handle,
    evidence: '0123456789',
    before: 'I read first.\n',
    experiences: [
      {
        id: 'RUN/was_challenged',
        at: '2026-11-25T10:00:00.000Z',
        kind: 'was_challenged',
        thread: 9,
        run: 'RUN',
        trust: 'maintainer',
        text: 'A leak (src/a.ts): it is meant so',
      },
    ],
  };
  const walk = asked({ found });
  const [ask] = walk.effects;
  if (ask?.data.kind !== 'ask') throw new Error('nobody was asked');
  expect(ask.data.prompt.task).toContain('## Rewrite your own file');
  const shared = ask.data.prompt.shared.join('\n');
  expect(shared).toContain('Your file:\nI read first.');
  expect(shared).toContain('- 2026-11-25 was_challenged in #9: A leak (src/a.ts): it is meant so');
  walk.answer({ value: { lines: ['I read first.'] }, calls: [] });
  expect(walk.wants).toEqual(['ask']);
  const [open] = walk.answer({ value: { lines: ['I ask first.'] }, calls: [] }).effects;
  expect(open?.data).toMatchObject({
    kind: 'open-consolidation',
    edits: [],
    self: { before: 'I read first.\n', after: 'I ask first.\n', seen: ['RUN/was_challenged'] },
  });
});

test.each([
  ['where it is off', { off: 'proposals for memory are switched off here' }],
  ['of a persona that left', { persona: undefined }],
])('%s nobody is asked', (_, look) => {
  const walk = asked(look as Partial<ConsolidationLook>);
  expect(walk.wants).toEqual([]);
  expect(walk.run?.status).toBe('closed');
});

test('a failure ends it, and nobody hears of it', () => {
  const walk = asked().fail('model-failed');
  expect(walk.wants).toEqual([]);
  expect(walk.run?.endReason).toBe('model-failed');
});
