/**
 * Approval or rejection of a plan or of a task's head: what is kept and reported, and why it is
 * refused.
 */
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../../../../src/domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../../../src/domain/plan/plan-digest.ts';
import type { PlanState } from '../../../../../src/domain/plan/plan-view.ts';
import type { CommentAddress, TalkView } from '../../../../../src/domain/run/talk.ts';
import { THREAD } from '../../../../helpers/play.ts';
import {
  AT,
  BEFORE,
  BODY,
  newsOf,
  NOW_ISO,
  PLAN_STATE,
  refusal,
  say,
  sumUp,
  type Setup,
} from '../say-on-thread.ts';

const BY = { id: 100, login: 'ana' };
const TOM = { id: 12, login: 'tom' };
const DIGEST = planDigest(parsePlan(BODY));
const OTHER = 'f'.repeat(40);
const SHOWN = { digest: DIGEST, at: BEFORE };
const LOOK = 'look-plan in plan:thread:7/12, waits';
const JOURNAL = 'write-journal in memory:7';
const CLOSE = 'close in plan:thread:7/12, waits';
const EARLIER = { by: TOM, digest: OTHER, how: 'label', at: BEFORE } as const;
const OURS = { id: 900, login: 'quorum[bot]', isBot: true };

interface Told {
  body?: string;
  plan?: Partial<PlanState>;
  address?: Partial<CommentAddress>;
  issue?: Partial<TalkView['issue']>;
}

function onPlan({ body = BODY, plan = {}, address, issue }: Told): Setup {
  return {
    issue: { body, ...issue },
    state: { plan: { ...PLAN_STATE, ...plan } },
    address: { planDigest: DIGEST, ...address },
  };
}

describe('/pm approve on a plan', () => {
  test.each([
    ['/pm approve', { shown: SHOWN }, {}],
    [`/pm approve ${DIGEST}`, {}, { planDigest: undefined }],
    [`/pm approve ${DIGEST.toUpperCase()}`, {}, {}],
    [`/pm approve ${DIGEST.slice(0, 12)}`, { shown: SHOWN }, {}],
  ])('%s of the text that was shown is kept: case %#', (words, plan, address) => {
    const rejected = { by: 'tom', digest: DIGEST };
    const before = { ...plan, rejected, approval: EARLIER };
    const came = say(words, onPlan({ plan: before, address: address as Partial<CommentAddress> }));
    expect(sumUp(came)).toEqual({
      said: '',
      reaction: '+1',
      wants: [LOOK, JOURNAL],
      edits: [],
      told: [],
    });
    expect(came.state.plan).toMatchObject({
      approval: { by: BY, digest: DIGEST, how: 'command', at: NOW_ISO },
      looking: 'p/1-look-plan',
    });
    expect(came.state.plan).not.toHaveProperty('rejected');
    expect(came.state.undos).toEqual([
      {
        kind: 'answer',
        digest: DIGEST,
        approval: EARLIER,
        rejected,
        command: words,
        by: 'ana',
        comment: 900,
      },
    ]);
  });

  test('what can be taken back names nothing that was not there', () => {
    const { state } = say('/pm approve', onPlan({ plan: { shown: SHOWN } }));
    expect(state.undos).toEqual([
      { kind: 'answer', digest: DIGEST, command: '/pm approve', by: 'ana', comment: 900 },
    ]);
  });

  const again = `Read the plan, then comment \`/pm approve\` again. \`/pm approve ${DIGEST}\` approves exactly the text \`${DIGEST.slice(0, 12)}\`.`;
  const changed =
    'Not approved. The plan changed after it was shown here, or while you approved it.';
  const diff = `What changed since \`${OTHER.slice(0, 12)}\` was shown`;
  const history = `${diff} is in the edit history of the issue; the text is too long to compare here.`;

  test.each([
    [
      `/pm approve ${'f'.repeat(12)}`,
      { plan: { shown: SHOWN } },
      ['Not approved. The digest in your command is not the digest of the current plan.', again],
    ],
    [
      '/pm approve',
      {},
      ['Not approved. The current plan was not shown here before you approved it.', again],
    ],
    ['/pm approve', { plan: { shown: { digest: OTHER, at: BEFORE } } }, [changed, history, again]],
    ['/pm approve', { plan: { shown: { digest: OTHER, at: AT } } }, [changed, again]],
    [
      '/pm approve',
      { plan: { shown: { digest: DIGEST, at: AT } } },
      [
        'Not approved. The plan was shown here in the same second as your approval, or after it.',
        again,
      ],
    ],
    [
      '/pm approve',
      {
        plan: { shown: { digest: DIGEST, at: AT }, shownBefore: [{ digest: OTHER, at: BEFORE }] },
      },
      [changed, history, again],
    ],
    [
      '/pm approve',
      { plan: { shown: SHOWN }, address: { planDigest: undefined } },
      [
        'Not approved. GitHub did not deliver your approval, so Quorum does not know which text you saw.',
        again,
      ],
    ],
    ['/pm approve', { plan: { shown: SHOWN }, address: { planDigest: OTHER } }, [changed, again]],
  ] as [string, Told, string[]][])('%s is no yes: case %#', (words, told, parts) => {
    const came = say(words, onPlan(told));
    expect(sumUp(came)).toEqual({ ...refusal(parts.join('\n\n')), wants: [LOOK] });
    expect(came.state.plan).not.toHaveProperty('approval');
    expect(came.state.undos).toBeUndefined();
  });

  test('the refusal shows line by line what changed since the text was shown', () => {
    const shown = { digest: OTHER, at: BEFORE, text: '# [PLAN] Another title\n' };
    const { said } = say('/pm approve', onPlan({ plan: { shown } }));
    expect(said).toContain(`${diff}:\n\n\`\`\`diff\n`);
    expect(said).toContain('- # [PLAN] Another title');
    expect(said).toContain('+ # [PLAN] Quotes that never close');
  });

  test('is refused without a plan, or when the plan has errors', () => {
    expect(sumUp(say('/pm approve'))).toEqual(
      refusal('There is no plan here that waits for approval.'),
    );
    const body = BODY.replace('**Dependencies:** Task 1', '**Dependencies:** Task 9');
    expect(sumUp(say('/pm approve', onPlan({ body, plan: { shown: SHOWN } })))).toEqual(
      refusal('The plan has problems, so it cannot be approved. Its comment lists them.'),
    );
  });

  test('needs a role that may change something', () => {
    const context = onPlan({ plan: { shown: SHOWN } });
    const came = say('/pm approve', { ...context, view: { permission: 'triage' } });
    expect(came.state.plan).not.toHaveProperty('approval');
    expect(came.wants).toEqual([]);
  });
});

describe('/pm reject', () => {
  test('of our own proposal on which nothing was begun closes it', () => {
    const plan = { approval: EARLIER };
    const came = say('/pm reject too much', onPlan({ plan, issue: { author: OURS } }));
    expect(sumUp(came)).toEqual({
      said: 'Rejected (`too much`): closed as not planned.',
      reaction: '+1',
      wants: [LOOK, CLOSE, JOURNAL],
      edits: [],
      told: [],
    });
    expect(came.effects).toContainEqual({ kind: 'close', thread: THREAD, reason: 'not_planned' });
    expect(came.state.plan).toMatchObject({ rejected: { by: 'ana', digest: DIGEST } });
    expect(came.state.plan).not.toHaveProperty('approval');
    expect(came.state.undos).toBeUndefined();
  });

  test.each([
    ['somebody else’s plan', {}, {}],
    [
      'a plan of ours that is worked on',
      { tasks: { 1: newsOf(1, { state: 'in_progress' }) } },
      { author: OURS },
    ],
  ] as const)('of %s closes nothing, and can be taken back', (_, plan, issue) => {
    const came = say('/pm reject', onPlan({ plan: { ...plan, approval: EARLIER }, issue }));
    expect(sumUp(came)).toEqual({
      said: 'Rejected: no task starts. Tasks in progress continue; `/pm stop` ends them.',
      reaction: '+1',
      wants: [LOOK, JOURNAL],
      edits: [],
      told: [],
    });
    expect(came.state.plan).toMatchObject({ rejected: { by: 'ana', digest: DIGEST } });
    expect(came.state.plan).not.toHaveProperty('approval');
    expect(came.state.undos).toMatchObject([
      { kind: 'answer', digest: DIGEST, approval: EARLIER, command: '/pm reject' },
    ]);
  });

  test('is refused where nothing is proposed', () => {
    const words = 'There is no proposal here to reject.';
    expect(sumUp(say('/pm reject'))).toEqual(refusal(words));
  });
});

const HEAD = 'abc123'.repeat(6) + 'abcd';
const REF = { plan: { ...THREAD, number: 4 }, task: 2 };

function onPull(headAt?: string, issue: Partial<TalkView['issue']> = {}): Setup {
  const task = { ref: REF, run: 'r', headSha: HEAD, count: 3, ...(headAt && { headAt }) };
  return { issue: { isPull: true, ...issue }, state: { task } };
}

const MERGE_SAID =
  'Quorum merges this when all requirements are met. The check `quorum / merge` lists what is missing.';

describe('a word about a pull request', () => {
  test.each([
    ['/pm approve', BEFORE, { kind: 'approved', said: '' }],
    [`/pm approve ${HEAD.slice(0, 14).toUpperCase()}`, undefined, { kind: 'approved', said: '' }],
    ['/pm merge', BEFORE, { kind: 'merge', said: MERGE_SAID }],
    ['/pm done', BEFORE, { kind: 'merge', said: MERGE_SAID }],
  ] as const)('%s reaches the task whose head it is', (words, headAt, { kind, said }) => {
    const came = say(words, onPull(headAt));
    expect(came).toMatchObject({ said, reaction: '+1', wants: [] });
    expect(came.told).toEqual([
      {
        key: 'task:7/4-2',
        data: {
          kind: 'pull-told',
          run: 'r',
          news: { kind, word: { by: BY, headSha: HEAD, at: NOW_ISO } },
        },
      },
    ]);
    expect(came.state.task?.count).toBe(4);
  });

  const head = HEAD.slice(0, 12);
  const approveIt = `The head is \`${head}\`. Look at it, then comment \`/pm approve\`; \`/pm approve ${head}\` approves exactly this commit.`;
  const mergeIt = `The head is \`${head}\`. Look at it, then comment \`/pm merge\`.`;
  const late = 'The head of this pull request was not shown here before your comment.';

  test.each([
    ['/pm approve', AT, `${late} ${approveIt}`],
    ['/pm approve', undefined, `${late} ${approveIt}`],
    [`/pm approve ${'f'.repeat(12)}`, BEFORE, `You named another commit. ${approveIt}`],
    ['/pm merge', AT, `${late} ${mergeIt}`],
    ['/pm merge', undefined, `${late} ${mergeIt}`],
  ])('%s is refused where the head was shown at %s', (words, headAt, said) => {
    const came = say(words, onPull(headAt));
    expect(sumUp(came)).toEqual(refusal(said));
    expect(came.told).toEqual([]);
    expect(came.state.task?.count).toBe(3);
  });

  test.each(['/pm approve', '/pm merge', '/pm done'])('%s is refused for people’s own', (words) => {
    const came = say(words, { issue: { isPull: true } });
    const said =
      'This pull request does not belong to a task of a plan, so people approve and merge it on GitHub.';
    expect(sumUp(came)).toEqual(refusal(said));
  });

  test('/pm merge works on pull requests only', () => {
    const came = say('/pm merge', onPull(BEFORE, { isPull: false }));
    expect(sumUp(came)).toEqual(refusal('This command works only on pull requests.'));
    expect(came.told).toEqual([]);
  });
});
