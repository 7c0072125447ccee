/** The PM plans, step by step: what it reads and is asked, what forbids it, and what it asks people. */
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import { parsePlan } from '../../../../src/domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../../src/domain/plan/plan-digest.ts';
import type { Planning } from '../../../../src/domain/plan/planning.ts';
import type { IssueView } from '../../../../src/domain/run/view.ts';
import { aPlanBody, aPlanView } from '../../../helpers/a-plan.ts';
import { anEntry } from '../../../domain/memory/some-memory.ts';
import { aComment, aView } from '../../../helpers/an-issue.ts';
import { THREAD } from '../../../helpers/play.ts';
import { verifies } from '../../../verifies.ts';
import {
  aDraft,
  bring,
  CALL,
  fail,
  look,
  propose,
  send,
  type Came,
  type Setup,
} from './play-planning.ts';

const WRITE = 'write:thread:7/12';
const ENDED = [`comment in ${WRITE}`, `react in ${WRITE}`];

/** It ended with these words, and nothing is kept of it. */
function expectRefused(came: Came, words: string): void {
  expect(came).toMatchObject({ said: words, reaction: 'confused', wants: ENDED, told: [] });
  expect(came.effects[0]).toMatchObject({
    marker: { kind: 'proposal', run: 'q', stage: 'ended' },
  });
  expect(came.planning).toBeUndefined();
}

const READS = {
  kind: 'look',
  thread: THREAD,
  actor: { id: 100, login: 'ana' },
  isForPlan: true,
};

describe('whether an earlier plan is open', () => {
  const state = { proposed: { number: 40, title: 'Old' } };
  const seen = (issue: Partial<IssueView['issue']>, over = {}): Came =>
    bring(
      { effectKind: 'look-plan', result: aPlanView({ number: 40, ...issue }, over) },
      { state, planning: { wish: 'more' } },
    );

  test('ends it where one is', () => {
    expectRefused(
      seen({ labels: ['plan'] }),
      'Plan #40 was made from this thread and is open. `/pm revise …` there revises it; `/pm reject` there makes room for another plan.',
    );
  });

  test('is asked of the label that the repository has', () => {
    const base = defaultConfig();
    const config = { ...base, labels: { ...base.labels, plan: 'vorhaben' } };
    expect(seen({ labels: ['vorhaben'] }, { config }).reaction).toBe('confused');
    expect(seen({ labels: ['plan'] }, { config }).planning?.phase.kind).toBe('looking');
  });

  test.each([
    [{ state: 'closed', labels: ['plan'] }],
    [{ labels: ['other'] }],
    [{ labels: ['plan', 'plan:superseded'] }],
  ] as const)('lets the thread be read where none is: %j', (issue) => {
    const came = seen({ ...issue, labels: [...issue.labels] });
    expect(came.effects).toEqual([{ ...READS, about: 'more' }]);
    expect(came.planning?.phase).toEqual({ kind: 'looking', effectId: 'q/1-look' });
    expect(came.state).not.toHaveProperty('proposed');
  });

  test('a plan that was deleted does not count', () => {
    const came = fail('look-plan', { code: 'not-found' }, { state });
    expect(came.effects).toEqual([READS]);
    expect(came.state).not.toHaveProperty('proposed');
  });
});

describe('the thread was read', () => {
  test('the PM thinks, with what it may cost and what the thread chose', () => {
    const came = look({}, { planning: { wish: 'small' } });
    expect(came.wants).toEqual(['propose in no lane, waits']);
    const { budget } = defaultConfig();
    expect(came.effects).toMatchObject([
      {
        thread: THREAD,
        sha: 'a'.repeat(40),
        model: 'cheap',
        tier: 'cheap',
        nonce: 'a1b2c3d4e5f6a7b8c9d0e1f2',
        caps: { threadUsd: budget.pm.perThreadUsd, repositoryDayUsd: budget.perDayUsd },
        brief: {
          purpose: 'plan',
          persona: { handle: 'pm', name: 'PM', role: 'PM', lens: '', domains: [] },
          verdicts: ['HUMAN'],
          round: 1,
          mode: 'single',
          plan: {
            title: 'Add a --quiet flag to the tidy command',
            wish: 'small',
            isRevision: false,
            hasAnswers: false,
          },
        },
      },
    ]);
    expect(came.planning).toMatchObject({
      phase: { kind: 'thinking', effectId: 'q/1-propose' },
      planLabel: 'plan',
    });
    expect(came.planning).not.toHaveProperty('host');
    const chosen = { switches: [{ model: 'opus', by: 'tom', at: '', commentId: 1 }] };
    expect(look({}, { state: chosen }).effects).toMatchObject([{ model: 'opus' }]);
  });

  verifies(
    ['CB-10'],
    'the PM plans by the memory and the whole roadmap of the repository, as data',
    () => {
      const titles = Array.from({ length: 7 }, (_, n) => `- [ ] step ${n}`).join('\n');
      const view = {
        pmMemory: '## Workflows\nWrite the changelog first.',
        roadmap: { path: 'ROADMAP.md', text: `## Next\n${titles}\n` },
      };
      const [effect] = look(view).effects;
      if (effect?.kind !== 'propose') throw new Error('nothing is proposed');
      const own = effect.prompt.own.join('\n');
      expect(own).toMatch(
        /<<<data \S+ source="memory\/pm.md" trust="maintainer">>>\n## Workflows\nWrite the changelog first\./,
      );
      expect(own).toContain('  - step 6');
      const shared = effect.prompt.shared.join('\n');
      expect(shared).toContain('- Next: 0 of 7 done');
      expect(shared).not.toContain('step 6');
      const [plain] = look({}).effects;
      expect(JSON.stringify(plain)).not.toMatch(/How plans are made here|roadmap/i);
    },
  );

  test('keeps the host and the name of the label here', () => {
    const base = defaultConfig();
    const config = { ...base, labels: { ...base.labels, plan: 'vorhaben' } };
    const repository = { ...aView().repository, host: 'git.example' };
    expect(look({ config, repository }).planning).toMatchObject({
      planLabel: 'vorhaben',
      host: 'git.example',
    });
  });

  const body = aPlanBody();
  const revises = { digest: planDigest(parsePlan(body)), completed: [] };
  const base = aView();
  const ACCESS = { ...base.config.access, commands: { revise: 'maintain' as const } };

  test.each([
    [
      'a role that is gone',
      { actorPermission: 'triage' },
      {},
      'A plan needs somebody with the `write` role.',
    ],
    [
      'a role for another version',
      { config: { ...base.config, access: ACCESS }, issue: { ...base.issue, body } },
      { revises },
      'A plan needs somebody with the `maintain` role.',
    ],
    [
      'a team that is off',
      { config: { ...base.config, enabled: false } },
      {},
      'Quorum is switched off here.',
    ],
    [
      'an archive',
      { repository: { ...base.repository, isArchived: true } },
      {},
      'Quorum is switched off here.',
    ],
    ['a lock', { issue: { ...base.issue, isLocked: true } }, {}, 'The conversation is locked.'],
    [
      'a closed thread',
      { issue: { ...base.issue, state: 'closed' } },
      {},
      'The thread was closed in the meantime.',
    ],
    [
      'a hold',
      { issue: { ...base.issue, labels: ['hold'] } },
      {},
      'This thread is on hold: no new work starts here.',
    ],
    ['another text', {}, { revises }, 'The plan changed in the meantime. Ask again.'],
  ] as [string, Partial<IssueView>, Partial<Planning>, string][])(
    'it ends because of %s',
    (...[, view, planning, words]) => expectRefused(look(view, { planning }), words),
  );

  test('it ends where the team must keep still', () => {
    expectRefused(look({}, {}, { stopped: 'a persona was changed' }), 'a persona was changed');
  });

  test('the plan that is made again is the text that was read', () => {
    const came = look({ issue: { ...base.issue, body } }, { planning: { revises } });
    expect(came.effects).toMatchObject([{ brief: { plan: { isRevision: true } } }]);
  });

  test('a bot that was listed has no role', () => {
    const actor = { id: 5, login: 'robot[bot]', isBot: true };
    const came = look({ actorPermission: 'none' }, { planning: { actor } });
    expect(came.planning?.phase.kind).toBe('thinking');
  });
});

describe('what is remembered', () => {
  const note = { id: '0123456789', persona: 'maya', text: 'Flags are in `src/flags.ts`' };
  const memory = { head: 'h', notes: { maya: [anEntry(note)], zoe: [anEntry(note)] } };

  test('is before the PM, and is kept as it was shown', () => {
    const came = look({}, {}, { memory });
    const asked = came.effects.flatMap((each) => (each.kind === 'propose' ? each.prompt.own : []));
    expect(asked.join('\n')).toContain('Flags are in `src/flags.ts`');
    expect(came.planning?.notes).toEqual([note]);
    expect(look({}).planning).not.toHaveProperty('notes');
  });

  test('and is cited by a plan counts as used, is named in it, and leaves no mark', () => {
    const draft = aDraft(1);
    const [task] = draft.tasks;
    const plan = {
      ...draft,
      context: 'See #6 [m:0123456789].',
      tasks: task === undefined ? [] : [{ ...task, description: 'Do it [m:ffffffffff].' }],
    };
    const came = propose({ plan }, { planning: { notes: [note] } });
    expect(came.wants[0]).toBe('remember in memory:7');
    expect(came.effects[0]).toMatchObject({
      change: { kind: 'learn', from: { run: 'q', cited: ['0123456789'] }, learned: [] },
    });
    const issue = came.effects.find(({ kind }) => kind === 'issue');
    const body = JSON.stringify(issue);
    expect(body).toContain('remembered and used: `` Flags are in `src/flags.ts` `` (`0123456789`)');
    expect(body).toContain('See #6.');
    expect(body).toContain('Do it.');
    expect(body).not.toContain('[m:');
  });

  test('and is not cited by a plan does not count', () => {
    const came = propose({ plan: aDraft(1) }, { planning: { notes: [note] } });
    expect(came.effects.map(({ kind }) => kind)).not.toContain('remember');
    expect(JSON.stringify(came.effects)).not.toContain('remembered and used');
  });
});

describe('what forbids the quality loop says nothing, and lets the project rest', () => {
  const loop: Setup = { planning: { followsUp: true } };
  const rests = { kind: 'rest-hint', run: 'q', after: 'loop-ended' };

  test.each([
    ['there are no scenarios', {}, false],
    ['there are', { paths: ['SCENARIOS.md'] }, true],
    [
      'the plan is closed',
      { paths: ['SCENARIOS.md'], issue: { ...aView().issue, state: 'closed' } },
      true,
    ],
  ] as [string, Partial<IssueView>, boolean][])('where %s', (_, view, isGoing) => {
    const came = look(view, loop);
    expect(came.said).toBe('');
    expect(came.planning?.phase.kind).toBe(isGoing ? 'thinking' : undefined);
    expect(came.told).toMatchObject(isGoing ? [] : [{ key: 'repository:7', data: rests }]);
  });

  test.each([
    ['questions', { kind: 'questions', questions: ['Which?'] }, {}],
    ['rules', { plan: aDraft() }, { calls: [{ ...CALL, provider: 'offline' }] }],
  ] as const)('where only %s came of it', (_, word, over) => {
    const came = propose(word as object, loop, over);
    expect(came).toMatchObject({ said: '', effects: [], told: [{ data: rests }] });
    expect(came.planning).toBeUndefined();
  });
});

describe('an answer to the PM’s questions', () => {
  const answer = (over: object): Came =>
    look(
      { comments: [aComment({ id: 501, ...over })] },
      { planning: { rounds: 1, questionsId: 500 } },
    );

  test('lets it think, and ask once more', () => {
    const came = answer({});
    expect(came.planning?.phase.kind).toBe('thinking');
    expect(came.effects).toMatchObject([{ brief: { plan: { hasAnswers: true } } }]);
  });

  test.each([
    [{ rounds: 0 }, false],
    [{ rounds: 1 }, false],
    [{ rounds: 2 }, true],
    [{ rounds: 0, followsUp: true }, true],
  ] as const)('twice at most, and never in the quality loop: %j', (planning, isOver) => {
    const { effects } = look({ comments: [aComment()], paths: ['SCENARIOS.md'] }, { planning });
    expect(effects).toHaveLength(1);
    expect(JSON.stringify(effects).includes('ask nothing more')).toBe(isOver);
  });

  test.each([
    [{ id: 500 }],
    [{ id: 499 }],
    [{ author: { id: 3, login: 'bot', isBot: true } }],
    [{ permission: 'triage' }],
    [{ body: '/pm status' }],
    [{ body: '   /pm status' }],
  ])('does not count when it is %j', (over) => {
    const came = answer(over);
    expect(came.ignored).toBe('nobody who may write has answered yet');
    expect(came.planning?.phase).toEqual({ kind: 'waiting' });
    expect(came.effects).toEqual([]);
  });

  const waiting = { phase: { kind: 'waiting' } } as const;

  test('may stand below the comment that asked', () => {
    const comment = { effectKind: 'comment', result: { id: 77, url: '', outcome: 'created' } };
    expect(bring(comment as never, { planning: waiting }).planning?.questionsId).toBe(77);
    const other = { effectKind: 'react', result: null };
    expect(bring(other as never, { planning: waiting })).toMatchObject({
      ignored: 'nothing waits for it',
      effects: [],
    });
    expect(fail('look', { code: 'x' }, { planning: waiting }).ignored).toBe('nothing waits for it');
  });
});

describe('what failed for good', () => {
  test.each([
    ['budget-thread', '', 'The budget for the PM in this thread is used up.'],
    ['budget-day', '', 'The budget for the PM is used up for today.'],
    ['budget-host-total', 'The limit is reached.', 'The limit is reached.'],
    [
      'model-timeout',
      '',
      'The PM made no plan (`model-timeout`). Ask again, or write a plan with the issue form.',
    ],
  ])('%s is reported', (code, message, words) => {
    for (const kind of ['look', 'propose', 'issue', 'plan-edit'] as const)
      expectRefused(fail(kind, { code, message }), words);
  });

  test('what nothing waits for is left alone', () => {
    const planning = { phase: { kind: 'thinking', effectId: 'q/9' } } as const;
    expect(fail('propose', { code: 'x' }, { planning })).toMatchObject({
      ignored: 'nothing waits for it',
      effects: [],
    });
    const timer = { kind: 'timer', timer: 't', run: 'q' } as const;
    const whole = { ...look({}).planning } as Planning;
    expect(send({ planning: whole }, timer).ignored).toBe('no timer was set');
  });
});
