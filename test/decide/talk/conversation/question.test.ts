/** A question on its way: what is read and asked, what becomes of the answer, and what ends it without one. */
import { describe, expect, test } from 'vitest';
import type { ThreadState } from '../../../../src/decide/run/thread-context.ts';
import type { Prompt } from '../../../../src/domain/event/effect-values.ts';
import type { EventData } from '../../../../src/domain/event/event.ts';
import type { Question, Talk } from '../../../../src/domain/run/talk.ts';
import type { IssueView } from '../../../../src/domain/run/view.ts';
import { anEntry } from '../../../domain/memory/some-memory.ts';
import { aPersona } from '../../../helpers/a-persona.ts';
import { aView, TEAM } from '../../../helpers/an-issue.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';
import { BEFORE, NOW, NOW_ISO, reduce, say, toCame, type Came } from '../commands/say-on-thread.ts';
import { CALL } from '../commands/run-here.ts';

const QUOTE = '> `/pm ask where is it?`\n\n';
const ASKED: Question = {
  handle: 'maya',
  text: 'where is it?',
  command: '/pm ask where is it?',
  depth: 0,
};

interface Setup {
  talk?: Partial<Talk>;
  state?: Partial<ThreadState>;
}

function threadOf(kind: 'looking' | 'asking', { talk, state }: Setup): object {
  const whole: Talk = {
    id: 't',
    step: 0,
    thread: THREAD,
    comment: { id: 900, place: 'thread' },
    address: { place: 'thread', updatedAt: NOW_ISO, digest: 'd', isOnlyCommands: true },
    actor: ANA,
    phase: { kind, effectId: 't/0' },
    isHeard: false,
    hasWaited: false,
    questions: [ASKED],
    team: TEAM.map(({ handle, name, role, active }) => ({
      handle,
      name,
      role,
      active,
      emoji: 'never',
    })),
    parts: [],
    isDone: false,
    isQuiet: false,
    seen: { headSha: 'a'.repeat(40), paths: ['src/cli.ts'], issues: [12] },
    calls: [],
    startedAt: NOW_ISO,
    ...talk,
  };
  return { v: 1, runs: {}, ...state, talks: { t: whole } };
}

function bring(kind: 'looking' | 'asking', data: object, context: Setup = {}): Came {
  const about = { effectId: 't/0', run: 't' };
  return toCame(reduce(threadOf(kind, context), 'e', { ...about, ...data } as EventData));
}

function look(view: Partial<IssueView> = {}, context: Setup = {}, over: object = {}): Came {
  const result = {
    view: { ...aView(), ...view },
    nonce: 'n'.repeat(24),
    unchangedRuns: 0,
    githubCalls: 1,
    ...over,
  };
  return bring('looking', { kind: 'done', effectKind: 'look', result }, context);
}

function promptIn({ effects }: Came): Prompt {
  const [prompt] = effects.flatMap((each) => (each.kind === 'ask' ? [each.prompt] : []));
  if (prompt === undefined) throw new Error('nobody is asked');
  return prompt;
}

function answer(value: unknown, context: Setup = {}, over: object = {}): Came {
  const result = { value, calls: [CALL], ...over };
  return bring('asking', { kind: 'done', effectKind: 'ask', result }, context);
}

function fail(code: string, context: Setup = {}, message = ''): Came {
  const failure = { code, message, retryable: false };
  return bring('asking', { kind: 'failed', effectKind: 'ask', failure }, context);
}

test('a question has the thread read for it', () => {
  const came = say('/pm ask where is it?');
  expect(came).toMatchObject({ said: '', reaction: 'eyes' });
  expect(came.effects).toEqual([
    { kind: 'look', thread: THREAD, actor: { id: 100, login: 'ana' }, about: 'where is it?' },
  ]);
  const [talk] = Object.values(came.state.talks ?? {});
  expect(talk?.phase).toEqual({ kind: 'looking', effectId: `${talk?.id}/3-look` });
  expect(talk?.questions).toMatchObject([{ handle: 'carlos', text: 'where is it?', depth: 0 }]);
});

describe('the thread was read', () => {
  test('the persona is asked, with what was seen', () => {
    const repository = { ...aView().repository, host: 'git.example' };
    const came = look({ repository });
    expect(came.wants).toEqual(['ask in no lane, waits']);
    expect(came.effects).toMatchObject([
      {
        thread: THREAD,
        persona: 'maya',
        trigger: 'chat_message',
        purpose: 'answer',
        round: 1,
        brief: {
          purpose: 'answer',
          persona: { handle: 'maya', name: 'Maya', role: 'Security Reviewer', domains: [] },
          verdicts: ['HUMAN'],
          round: 1,
          mode: 'single',
        },
      },
    ]);
    const talk = came.state.talks?.['t'];
    expect(talk).toMatchObject({
      host: 'git.example',
      phase: { kind: 'asking', effectId: 't/1-ask' },
      seen: { headSha: 'a'.repeat(40) },
    });
    expect(talk?.seen?.paths).toContain('src/cli.ts');
    expect(talk?.seen?.issues).toContain(12);
    expect(look().state.talks?.['t']).not.toHaveProperty('host');
  });

  test('the persona reads what it remembers, and nothing of what others do', () => {
    const own = anEntry({ id: '0'.repeat(10), text: 'Ports are in one file' });
    const other = anEntry({ id: '1'.repeat(10), text: 'Dates are in UTC' });
    const notes = { maya: [own], carlos: [other] };
    const came = look({}, {}, { memory: { head: 'h', notes } });
    const [prompt, plain] = [promptIn(came), promptIn(look())];
    expect(prompt.shared).toEqual(plain.shared);
    expect(prompt.own.slice(0, -1)).toEqual(plain.own);
    const block = prompt.own.at(-1);
    expect(block).toContain('source="notes" trust="stranger"');
    expect(block).toContain('Ports are in one file');
    expect(block).not.toContain('Dates are in UTC');
    expect(came.state.talks?.['t']?.seen?.notes).toMatchObject([{ text: own.text }]);
  });

  const base = aView();
  const GONE = 'which the person who asked no longer has.';
  const access = { ...base.config.access, commands: { consult: 'maintain' as const } };

  test.each([
    ['a role that is gone', { actorPermission: 'none' }, `It needs \`triage\` permission, ${GONE}`],
    [
      'a team that is off',
      { config: { ...base.config, enabled: false } },
      'Quorum is switched off here.',
    ],
    [
      'an archive',
      { repository: { ...base.repository, isArchived: true } },
      'Quorum is switched off here.',
    ],
    ['a lock', { issue: { ...base.issue, isLocked: true } }, 'The conversation is locked.'],
    [
      'a closed thread',
      { issue: { ...base.issue, state: 'closed' } },
      'The thread was closed in the meantime.',
    ],
    [
      'somebody who left',
      { personas: TEAM.filter(({ handle }) => handle !== 'maya') },
      'maya has left the team.',
    ],
    [
      'somebody who rests',
      { personas: [aPersona({ handle: 'maya', active: false })] },
      'maya has left the team.',
    ],
  ] as [string, Partial<IssueView>, string][])(
    'nobody is asked because of %s',
    (_, view, words) => {
      const came = look(view);
      expect(came).toMatchObject({ said: words, reaction: 'confused', effects: [] });
      expect(came.state.talks).toEqual({});
    },
  );

  test('nor where the team must keep still', () => {
    expect(look({}, {}, { stopped: 'a persona was changed' }).said).toBe('a persona was changed');
  });

  test('each command has the role that it needs here', () => {
    const view = { config: { ...base.config, access } };
    const consult = { ...ASKED, command: '/pm consult maya why' };
    expect(look(view).effects).toHaveLength(1);
    expect(look(view, { talk: { questions: [consult] } }).said).toBe(
      `It needs \`maintain\` permission, ${GONE}`,
    );
    const robot = { id: 5, login: 'robot[bot]', isBot: true };
    const came = look({ actorPermission: 'none' }, { talk: { actor: robot } });
    expect(came.effects).toHaveLength(1);
  });

  test('the next question is asked after one that nobody can answer', () => {
    const questions = [
      { ...ASKED, handle: 'zoe' },
      { ...ASKED, text: 'and why?' },
    ];
    const came = look({}, { talk: { questions } });
    expect(came.effects).toMatchObject([{ kind: 'look', about: 'and why?' }]);
    expect(came.state.talks?.['t']).toMatchObject({
      parts: [`${QUOTE}zoe has left the team.`],
      questions: [{ text: 'and why?' }],
    });
  });

  test('nothing is asked where no question is left', () => {
    const came = look({}, { talk: { questions: [] } });
    expect(came).toMatchObject({ said: '', reaction: undefined, effects: [] });
    expect(came.state.talks).toEqual({});
    expect(answer({}, { talk: { questions: [] } }).state.talks).toEqual({});
  });
});

const ANSWER = { text: 'It is in the parser.', references: [{ path: 'src/cli.ts', line: 3 }] };
const PAST = {
  id: 'old',
  handle: 'maya',
  asker: 'tom',
  references: [],
  costUsd: 0,
  isCostPartlyUnknown: false,
  model: 'm',
  at: BEFORE,
};

describe('the persona has answered', () => {
  test('a note that it cites counts as used and is named, and no mark is left', () => {
    const note = { id: '0123456789', persona: 'maya', text: 'The parser is in cli.ts' };
    const seen = { headSha: 'a'.repeat(40), paths: [], issues: [], notes: [note] };
    const cited = answer({ text: 'There [m:0123456789].', references: [] }, { talk: { seen } });
    expect(cited.wants[0]).toBe('remember in memory:7');
    expect(cited.effects).toMatchObject([
      { change: { kind: 'learn', from: { run: 't', cited: ['0123456789'] }, learned: [] } },
    ]);
    expect(cited.said).toContain('There.');
    expect(cited.said).toContain('remembered and used: `The parser is in cli.ts` (`0123456789`)');
    const invented = answer({ text: 'There [m:ffffffffff].', references: [] }, { talk: { seen } });
    expect(invented.effects).toEqual([]);
    expect(invented.said).toContain('There.');
    expect(invented.said).not.toContain('remembered and used');
  });

  test('its answer is posted and kept, with its sources and its cost', () => {
    const came = answer(ANSWER, { state: { answers: [PAST] } });
    expect(came.said).toContain('It is in the parser.');
    expect(came).toMatchObject({ reaction: '+1', effects: [] });
    expect(came.state.answers).toEqual([
      {
        id: 't',
        handle: 'maya',
        asker: 'ana',
        references: ['src/cli.ts#L3'],
        costUsd: 0.25,
        isCostPartlyUnknown: false,
        model: 'claude-sonnet',
        at: NOW_ISO,
      },
      PAST,
    ]);
    expect(came.state.talks).toEqual({});
  });

  test('twenty answers are kept', () => {
    const answers = Array.from({ length: 20 }, () => PAST);
    const came = answer(ANSWER, { state: { answers } }, { calls: [] });
    expect(came.state.answers).toHaveLength(20);
    expect(came.state.answers?.[0]).toMatchObject({ id: 't', model: 'unknown', costUsd: 0 });
  });

  test('a result that cannot be read does not count as an answer', () => {
    const came = answer({ text: '' });
    expect(came).toMatchObject({
      said: 'No answer could be read from the model.',
      reaction: 'confused',
    });
    expect(came.state.answers).toBeUndefined();
  });

  test('whom it names may answer once, and not where they have spoken', () => {
    const names = { ...ANSWER, text: 'Priya, is that tested?' };
    const came = answer(names);
    expect(came.effects).toMatchObject([{ kind: 'look', about: 'where is it?' }]);
    expect(came.state.talks?.['t']).toMatchObject({
      isDone: true,
      lastVoice: 'maya',
      spoken: ['maya'],
      questions: [{ handle: 'priya', depth: 1, after: { handle: 'maya', text: names.text } }],
    });
    for (const talk of [{ spoken: ['priya'] }, { questions: [{ ...ASKED, depth: 1 as const }] }])
      expect(answer(names, { talk }).effects).toEqual([]);
    const both = [ASKED, { ...ASKED, handle: 'priya' }];
    const next = answer(names, { talk: { questions: both } }).state.talks?.['t'];
    expect(next?.questions).toEqual([both[1]]);
  });
});

describe('a budget that is nearly used', () => {
  const DAY_MS = 24 * 3_600_000;

  test.each([
    ['thread', undefined, 'answers in this thread'],
    ['day', undefined, 'answers in the last day'],
    ['repository', undefined, 'this repository in the last day'],
    ['thread', NOW - 2 * DAY_MS, undefined],
    ['day', NOW - DAY_MS + 1, undefined],
    ['day', NOW - DAY_MS, 'answers in the last day'],
  ] as const)('of the %s is reported, known since %s', (cap, before, words) => {
    const state = before === undefined ? {} : { warnedAt: { [cap]: before } };
    const came = answer(ANSWER, { state }, { budget: { share: 0.859, cap } });
    const told = `\n\n> 85 % of the budget for ${words} is used.`;
    expect(came.said.includes('of the budget')).toBe(words !== undefined);
    if (words !== undefined) expect(came.said.endsWith(told)).toBe(true);
    expect(came.state.warnedAt?.[cap]).toBe(words === undefined ? before : NOW);
  });
});

describe('an answer that failed for good', () => {
  test.each([
    ['budget-thread', '', 'The budget for answers in this thread is used up.'],
    ['budget-day', '', 'The budget for answers is used up for today.'],
    ['budget-host-total', 'The limit is reached.', 'The limit is reached.'],
    [
      'model-timeout',
      '',
      'It could not be answered (`model-timeout`). Try again, or ask another member of the team.',
    ],
  ])('because of %s is reported', (code, message, words) => {
    expect(fail(code, {}, message)).toMatchObject({
      said: words,
      reaction: 'confused',
      effects: [],
    });
  });

  const two = [ASKED, { ...ASKED, text: 'and why?' }];

  test('ends the others where there is no money, and only then', () => {
    expect(fail('budget-day', { talk: { questions: two } }).effects).toEqual([]);
    expect(fail('model-timeout', { talk: { questions: two } }).effects).toMatchObject([
      { kind: 'look', about: 'and why?' },
    ]);
  });

  test('of a second voice is not missed', () => {
    const questions = [{ ...ASKED, depth: 1 as const }];
    const came = fail('model-timeout', { talk: { questions, isDone: true, parts: ['Said.'] } });
    expect(came).toMatchObject({ said: 'Said.', reaction: '+1' });
  });
});
