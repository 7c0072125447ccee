/**
 * The PM's result becomes an issue, another text, questions or an answer, and people are notified
 * once.
 */
import { describe, expect, test } from 'vitest';
import { LABEL_LOOKS } from '../../../../src/domain/repository/labels.ts';
import { parsePlan } from '../../../../src/domain/plan/body/parse-plan.ts';
import type { Made } from '../../../../src/domain/plan/planning.ts';
import { THREAD } from '../../../helpers/play.ts';
import { AT, aDraft, bring, CALL, propose, type Came } from './play-planning.ts';

const WRITE = 'write:thread:7/12';
const UNREADABLE =
  'The PM made no plan (`model-invalid-output`). Ask again, or write a plan with the issue form.';
const MADE: Made = {
  word: { risks: [], questions: [] },
  title: 'A quiet flag',
  tasks: 2,
  looked: [],
  model: 'claude-haiku',
  isOffline: false,
  cost: { usd: 0.02, isPartlyUnknown: false },
};
const FOOTER = '<sub>PM · 30 s · $0.02 · proposal `q`</sub>';

function issueOf({ effects }: Came): { title: string; body: string; labels: object[] } {
  const [data] = effects;
  if (data?.kind !== 'issue') throw new Error('no issue is opened');
  return data;
}

describe('a plan that came of it', () => {
  test('becomes one issue, which says where it comes from', () => {
    const came = propose({ plan: aDraft() }, { planning: { planLabel: 'vorhaben' } });
    expect(came.wants).toEqual(['issue in issues:7, waits']);
    expect(came.effects).toMatchObject([
      {
        repository: { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' },
        marker: { kind: 'proposal', run: 'q', key: 'plan-q' },
        title: '[PLAN] A quiet flag',
        labels: [{ name: 'vorhaben', ...LABEL_LOOKS.plan }],
      },
    ]);
    const plan = parsePlan(issueOf(came).body);
    expect(plan.problems).toEqual([]);
    expect(plan.tasks.map(({ title }) => title)).toEqual(['Do thing 1', 'Do thing 2']);
    expect(plan.context).toBe('Proposed by the PM from #12, asked for by ana.\n\nSee #6.');
    expect(came.planning).toMatchObject({
      phase: { kind: 'opening', effectId: 'q/1-issue' },
      made: MADE,
    });
    expect(issueOf(propose({ plan: aDraft() })).labels).toMatchObject([{ name: 'plan' }]);
  });

  test('says in front which model did not think about it', () => {
    const insteadOf = { name: 'cheap', code: 'model-timeout' };
    const calls = [{ ...CALL, insteadOf }];
    const { context } = parsePlan(issueOf(propose({ plan: aDraft() }, {}, { calls })).body);
    expect(context).toMatch(
      /^\*\*Another model answered: `claude-haiku`\.\*\* .*\n\nProposed by the PM from #12/,
    );
    expect(context).toContain('In a few minutes, comment `/pm plan`.');
  });

  test('of the quality loop has three tasks at most, and says that nobody asked', () => {
    const draft = aDraft(5);
    const last = draft.tasks[2];
    if (last !== undefined) last.dependencies = [1, 4];
    const came = propose({ plan: draft }, { planning: { followsUp: true } });
    const { tasks, context } = parsePlan(issueOf(came).body);
    expect(tasks.map(({ dependencies }) => dependencies)).toEqual([[], [1], [1]]);
    expect(context).toBe(
      'Proposed by the PM when #12 was complete: what SCENARIOS.md says and the code does not do.\n\nSee #6.',
    );
    expect(came.planning?.made?.tasks).toBe(3);
  });

  test.each([
    ['there is none', undefined],
    ['there is nothing', null],
    [
      'its tasks wait for each other',
      {
        ...aDraft(),
        tasks: aDraft().tasks.map((task) => ({ ...task, dependencies: [3 - task.number] })),
      },
    ],
  ])('is refused where %s', (_, plan) => {
    const came = propose({ plan });
    expect(came).toMatchObject({ said: UNREADABLE, reaction: 'confused' });
    expect(came.planning).toBeUndefined();
  });

  test('keeps what was looked at, what it cost, and that rules made it', () => {
    const calls = [CALL, { ...CALL, provider: 'offline', model: 'rules', costUsd: undefined }];
    const word = { plan: aDraft(), risks: ['slow'], questions: ['Which?'] };
    expect(propose(word, {}, { calls, looked: ['grep x'] }).planning?.made).toEqual({
      word: { risks: ['slow'], questions: ['Which?'] },
      title: 'A quiet flag',
      tasks: 2,
      looked: ['grep x'],
      model: 'rules',
      isOffline: true,
      cost: { usd: 0.02, isPartlyUnknown: true },
    });
    expect(propose({ plan: aDraft() }, {}, { calls: [] }).planning?.made).toMatchObject({
      model: 'unknown',
      isOffline: false,
    });
  });
});

describe('the issue is there', () => {
  const opened = (planning: object = {}): Came =>
    bring(
      { effectKind: 'issue', result: { outcome: 'created', number: 40, url: '' } },
      { planning: { made: MADE, ...planning } },
    );
  const text =
    '### Plan proposed: #40\n\nA quiet flag, 2 tasks. It waits there for approval by somebody with write access. There, `/pm revise …` asks for a new version and `/pm reject` rejects it.';

  test('people are notified, and so is the plan’s own stream', () => {
    const came = opened();
    expect(came).toMatchObject({ said: `${text}\n\n${FOOTER}`, reaction: '+1' });
    expect(came.wants).toEqual([`comment in ${WRITE}`, `react in ${WRITE}`]);
    expect(came.effects).toMatchObject([
      {
        thread: THREAD,
        marker: { kind: 'proposal', run: 'q', key: 'planner-0-0', stage: 'ended' },
      },
      { commentId: 900, add: '+1', remove: 'eyes' },
    ]);
    const thread = { ...THREAD, number: 40 };
    expect(came.told).toEqual([
      {
        key: 'thread:7/40',
        id: 'q/proposed-40',
        data: { kind: 'proposed', run: 'q', thread, from: 12 },
      },
    ]);
    expect(came.state.proposed).toEqual({ number: 40, title: 'A quiet flag' });
    expect(came.planning).toBeUndefined();
  });

  test('the one of the quality loop is known as such', () => {
    const came = opened({ followsUp: true, askedIn: undefined });
    expect(came.told).toMatchObject([
      { data: { kind: 'proposed', isFollowUp: true } },
      { key: 'repository:7', data: { kind: 'rest-hint', after: 'loop-ended' } },
    ]);
    expect(came.reaction).toBeUndefined();
  });

  test('a label that asked comes off', () => {
    const came = opened({ askedIn: undefined, label: 'plan-me' });
    expect(came.effects.slice(1)).toEqual([
      { kind: 'react', thread: THREAD, add: '+1', remove: 'eyes' },
      { kind: 'labels', thread: THREAD, add: [], remove: ['plan-me'] },
    ]);
    expect(came.wants.at(-1)).toBe(`labels in ${WRITE}`);
  });

  test('risks, assumptions and what was looked at stand below', () => {
    const word = { risks: ['It is\nslow.'], questions: ['The old flag stays.'] };
    const made = { ...MADE, tasks: 1, word, looked: ['grep `x`', 'read a'], isOffline: true };
    expect(opened({ made }).said).toBe(
      [
        text.replace('2 tasks', 'one task'),
        '**Risks**\n\n- It is slow.',
        '**Assumptions; correct them if they are wrong**\n\n- The old flag stays.',
        "<details><summary>What I looked at (2)</summary>\n\n- `grep 'x'`\n- `read a`\n\n</details>",
        FOOTER.replace('$0.02', 'offline rules, no model'),
      ].join('\n\n'),
    );
  });

  test('nothing is proposed where none could be opened', () => {
    const came = bring({ effectKind: 'issue', result: { outcome: 'full' } });
    expect(came).toMatchObject({ said: 'No issue could be opened.', told: [] });
    expect(came.state).not.toHaveProperty('proposed');
  });
});

describe('a plan that is made again', () => {
  const revises = { digest: 'd'.repeat(40), completed: [1] };

  test('takes the place of the text that was read, but for what is completed', () => {
    const came = propose({ plan: aDraft() }, { planning: { revises } });
    expect(came.wants).toEqual(['plan-edit in plan:thread:7/12, waits']);
    expect(came.effects).toMatchObject([
      {
        kind: 'plan-edit',
        thread: THREAD,
        edits: [
          {
            kind: 'rewrite',
            from: revises.digest,
            plan: { title: 'A quiet flag', context: 'See #6.', tasks: [{ number: 2 }] },
          },
        ],
      },
    ]);
    expect(came.planning?.phase).toEqual({ kind: 'rewriting', effectId: 'q/1-plan-edit' });
  });

  const plan = { id: 'p', step: 0, thread: THREAD, rejected: { by: 'tom', digest: 'd' } };
  const written = (outcome: 'edited' | 'refused'): Came =>
    bring({ effectKind: 'plan-edit', result: { outcome } } as never, {
      planning: { revises, made: MADE, askedIn: { id: 900, place: 'review' } },
      state: { plan },
    });

  test('waits for a new yes, and is read again', () => {
    const came = written('edited');
    expect(came.effects).toMatchObject([
      { kind: 'look-plan', thread: THREAD },
      {
        kind: 'reply',
        commentId: 900,
        body: `### Plan revised: 2 tasks\n\nThe text has changed and needs approval again.\n\n${FOOTER}`,
      },
      { kind: 'react', commentId: 900, isOnDiff: true, add: '+1' },
    ]);
    expect(came.state.plan).toMatchObject({ looking: 'p/1-look-plan' });
    expect(came.state.plan).not.toHaveProperty('rejected');
    expect(came.planning).toBeUndefined();
  });

  test('is refused where the text moved', () => {
    const came = written('refused');
    expect(came.effects).toMatchObject([
      { body: 'The plan changed in the meantime, or work on it started. Ask again.' },
      { add: 'confused' },
    ]);
    expect(came.state.plan).toEqual(plan);
  });
});

describe('questions and answers', () => {
  test('questions are put once, and their comment is waited for', () => {
    const word = { kind: 'questions', questions: ['Which\nflag?', 'Why?'] } as const;
    const came = propose(
      { ...word, questions: [...word.questions] },
      { planning: { questionsId: 5 } },
    );
    expect(came.said).toBe(
      '**Before this is planned:**\n\n1. Which flag?\n2. Why?\n\n@ana, an answer here by somebody with write access lets the PM continue.',
    );
    expect(came.wants).toEqual([`comment in ${WRITE}, waits`, `react in ${WRITE}`]);
    expect(came.effects[0]).toMatchObject({ marker: { key: 'planner-1-0' } });
    expect(came.effects[0]).not.toHaveProperty('marker.stage');
    expect(came.planning).toMatchObject({ rounds: 1, phase: { kind: 'waiting' } });
    expect(came.planning).not.toHaveProperty('questionsId');
    expect(came.reaction).toBe('+1');
  });

  test('nobody is named where a bot asked', () => {
    const actor = { id: 5, login: 'robot[bot]', isBot: true };
    const came = propose({ kind: 'questions', questions: ['Why?'] }, { planning: { actor } });
    expect(came.said).toContain('\n\nAn answer here by somebody with write access');
    expect(came.said).not.toContain('@');
  });

  test('an answer is all that is said, made harmless', () => {
    const came = propose({ kind: 'answer', answer: 'It is there already, @tom.' });
    expect(came.said).toBe(`It is there already, \`@tom\`.\n\n${FOOTER}`);
    expect(came).toMatchObject({ reaction: '+1', told: [] });
    expect(came.planning).toBeUndefined();
  });

  test('it took no time where the clocks differ', () => {
    const startedAt = new Date(Date.parse(AT) + 5_000).toISOString();
    const came = propose({ kind: 'answer', answer: 'Yes.' }, { planning: { startedAt } });
    expect(came.said).toContain('PM · 0 s · ');
  });
});
