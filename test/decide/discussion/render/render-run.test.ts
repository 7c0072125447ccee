/** The live comment of a run, part by part: where each part appears, and what is left out. */
import { describe, expect, test } from 'vitest';
import {
  costOf,
  duration,
  exhausted,
  footer,
  notes,
  progress,
  reasonsByVoice,
  renderRun,
  verdictLine,
  voicesTable,
  withoutModel,
} from '../../../../src/decide/discussion/render/render-run.ts';
import type { Contribution, Verdict } from '../../../../src/domain/run/council.ts';
import type { ModelCall } from '../../../../src/domain/run/ledger.ts';
import type { Run } from '../../../../src/domain/run/state/run-record.ts';
import { aRun, at, NOW } from '../../../helpers/a-run.ts';
import { aPosition, aVerdict } from '../../../helpers/an-issue.ts';
import { CALL } from '../../talk/commands/run-here.ts';

type IssueRun = Run<'issue_review'>;

const CARLOS = { handle: 'carlos', name: 'Carlos', role: 'Tech Lead / Architect' };
const MAYA = { handle: 'maya', name: 'Maya', role: 'Security Reviewer (AppSec)' };
const PRIYA = { handle: 'priya', name: 'Priya', role: 'QA Engineer' };
const HEAD = 'abcdef1234567890';

function saying(voice: typeof MAYA, over: Partial<Contribution> = {}): Contribution {
  return { ...voice, round: 1, outcome: 'said', position: aPosition(), ...over };
}

function anIssueRun(over: Partial<IssueRun> = {}): IssueRun {
  return aRun('issue_review', { id: 'run-1', participants: [MAYA, PRIYA], lead: CARLOS, ...over });
}

function concluded(verdict: Partial<Verdict> = {}, over: Partial<IssueRun> = {}): IssueRun {
  return anIssueRun({ status: 'consensus', verdict: aVerdict(verdict), ...over });
}

const FAILED: ModelCall = {
  ...CALL,
  provider: 'offline',
  insteadOf: { name: 'anthropic/claude', code: 'model-overloaded' },
};

describe('the whole comment', () => {
  test('has the verdict first, then what to do, notes, votes, reasons, sources and the footer', () => {
    const run = concluded(
      {
        verdict: 'DRAFT',
        headline: 'one thing is missing',
        reasons: ' It touches one file. ',
        changes: [
          { text: 'say what quiet means', place: { path: 'src/cli.ts', line: 3, endLine: 5 } },
          { text: 'add a test' },
        ],
      },
      {
        answered: { owner: 'ana', question: 'Keep the flag?', by: 'to`m' },
        bounded: 'it is a duplicate of nothing',
        budgetUsed: { share: 0.8, cap: 'thread' },
        contributions: [
          saying(MAYA, {
            position: aPosition({
              vote: 'DRAFT',
              confidence: 0.66,
              line: 'a | b',
              reasons: 'Because.',
              findings: [
                {
                  severity: 'high',
                  title: 'No test',
                  evidence: 'nothing below test/',
                  place: { path: 'src/cli.ts' },
                },
                { severity: 'low', title: 'Told', evidence: 'Because.' },
              ],
              questions: ['Which files?'],
            }),
          }),
          { ...PRIYA, round: 1, outcome: 'absent', reason: 'timed out' },
        ],
        lookedAt: {
          files: ['src/cli.ts', 'README.md'],
          pastIssues: [3, 4],
          notRead: ['what is too long'],
          hidden: 1,
        },
        headSha: HEAD,
        calls: [CALL],
        endedAt: at(42_000),
      },
    );
    expect(renderRun(run, NOW)).toMatchInlineSnapshot(`
      "### Not ready yet: one thing is missing

      > **Asked:** Keep the flag? Answered by \`\`to\`m\`\`.

      It touches one file.

      **To do before this is ready:**

      - [ ] say what quiet means ([\`src/cli.ts#L3-L5\`](/acme/tidy/blob/abcdef1234567890/src/cli.ts#L3-L5))
      - [ ] add a test

      > Code kept the lead from closing this alone: it is a duplicate of nothing.
      >
      > 75 % of the budget for this thread is used.

      | voice | vote | sure | in a line |
      |---|---|---|---|
      | Maya · Security Reviewer | draft | 0.7 | a \\| b |
      | Priya · QA Engineer | absent | – | could not answer (timed out) |

      <details><summary>Why, by voice</summary>

      **Maya** · Security Reviewer

      Because.

      - **high** No test: nothing below test/ ([\`src/cli.ts\`](/acme/tidy/blob/abcdef1234567890/src/cli.ts))
      - **low** Told.
      - Asks: Which files?

      </details>

      <details><summary>What we looked at</summary>

      - 2 files of \`abcdef1\`: \`src/cli.ts\`, \`README.md\`
      - past issues that share its terms: #3, #4
      - 1 part that a reader cannot see: found in the issue and left out
      - not read: what is too long

      </details>

      <sub>Decided by Carlos · round 1 of 2 · 42 s · $0.25 · run \`run-1\`</sub>"
    `);
  });

  test('of a run that has just begun says what is going on, and who it is', () => {
    expect(renderRun(anIssueRun(), NOW)).toBe(
      '### Discussing: round 1 of 2\n\n<sub>round 1 of 2 · run `run-1`</sub>',
    );
  });

  test('of a run that was stopped says why, and nothing of its verdict', () => {
    const stopped = concluded({}, { status: 'closed', endReason: 'the issue was closed' });
    expect(renderRun(stopped, NOW)).toBe(
      '### Stopped: the issue was closed\n\n<sub>round 1 of 2 · run `run-1`</sub>',
    );
    const { endReason: _, ...without } = stopped;
    expect(renderRun(without as IssueRun, NOW)).toContain('### Stopped: cancelled');
  });

  test('without a commit that was read there are no sources', () => {
    const lookedAt = { files: [], pastIssues: [], notRead: ['a file'], hidden: 0 };
    expect(renderRun(concluded({}, { headSha: '', lookedAt }), NOW)).not.toContain('looked at');
    expect(renderRun(concluded({}, { headSha: HEAD, lookedAt }), NOW)).toContain(
      '<summary>What we looked at</summary>\n\n- 0 files of `abcdef1`\n- not read: a file\n\n',
    );
  });

  test('names the notes that led to what was said', () => {
    const known = [
      { id: 'm1', persona: 'maya', text: 'releases on Mondays' },
      { id: 'm2', persona: 'maya', text: 'not used' },
    ];
    const lookedAt = { files: [], pastIssues: [], notRead: [], hidden: 0, notes: known };
    const text = renderRun(concluded({ memory: ['m1'] }, { headSha: HEAD, lookedAt }), NOW);
    expect(text).toContain('- remembered and used: `releases on Mondays` (`m1`)');
    expect(text).not.toContain('not used');
  });
});

describe('a verdict in a line', () => {
  test.each([
    ['READY', 'Ready: worth doing'],
    ['CLOSE', 'Close: worth doing'],
    ['DRAFT', 'Not ready yet: worth doing'],
    ['APPROVE', 'Approved: worth doing'],
    ['CHANGES', 'Changes needed: worth doing'],
    ['HUMAN', 'Needs you: worth doing'],
  ] as const)('%s is "%s"', (verdict, line) => {
    const run = concluded({ verdict, headline: 'worth doing' });
    expect(verdictLine(run)).toBe(line);
    expect(renderRun(run, NOW).split('\n')[0]).toBe(`### ${line}`);
  });

  test('is empty without a verdict', () => {
    expect(verdictLine({})).toBe('');
  });
});

describe('what comes next', () => {
  test('a person is asked by name, and nothing else is said', () => {
    const run = concluded(
      { verdict: 'HUMAN', reasons: 'It depends.' },
      {
        status: 'blocked',
        needsYou: { owner: 'ana', question: 'Keep it?', since: at(0), reminders: 0 },
        answered: { owner: 'ana', question: 'Earlier?', by: 'ana' },
      },
    );
    const text = renderRun(run, NOW);
    expect(text).toContain('**You decide:** Keep it? @ana, reply here.');
    expect(text).not.toContain('It depends.');
    expect(text).not.toContain('Earlier?');
  });

  test('a duplicate leads to the other issue, only where it is to be closed', () => {
    const close = { verdict: 'CLOSE', duplicateOf: 7, reasons: 'Asked before.' } as const;
    expect(renderRun(concluded(close), NOW)).toContain(
      'The same as #7; please go on there.\n\nAsked before.',
    );
    expect(renderRun(concluded({ ...close, verdict: 'READY' }), NOW)).not.toContain('#7');
    const { duplicateOf: _, ...alone } = close;
    expect(renderRun(concluded(alone), NOW)).not.toContain('The same as');
  });

  test('the answer to an earlier question stays readable', () => {
    const run = concluded({}, { answered: { owner: 'ana', question: 'Keep it?', by: 'tom' } });
    expect(renderRun(run, NOW)).toContain('> **Asked:** Keep it? Answered by `tom`.');
  });
});

describe('progress', () => {
  const gathering = (...waiting: [string, 'position' | 'lead-alone'][]): Partial<IssueRun> => ({
    phase: {
      kind: 'gathering',
      waitingFor: waiting.map(([handle, purpose], n) => ({ effectId: `e${n}`, handle, purpose })),
    },
  });

  const PHASES: [string, Partial<IssueRun>, string][] = [
    [
      'listens before the verdict',
      { phase: { kind: 'listening', timer: 't', next: 'verdict' } },
      'listening to you, then closing',
    ],
    [
      'listens before a round',
      { phase: { kind: 'listening', timer: 't', next: 'round' } },
      'round 1 of 2',
    ],
    [
      'looks before the verdict',
      { phase: { kind: 'looking', effectId: 'e', next: 'verdict' } },
      'round 1 of 2',
    ],
    ['waits for the lead', { phase: { kind: 'concluding', effectId: 'e' } }, 'Carlos is closing'],
    [
      'waits for a lead without a name',
      { phase: { kind: 'concluding', effectId: 'e' }, lead: undefined },
      'the lead is closing',
    ],
    ['waits for one', gathering(['maya', 'position']), 'waiting for Maya'],
    [
      'waits for several',
      gathering(['maya', 'position'], ['priya', 'position']),
      'waiting for Maya and Priya',
    ],
    ['waits for somebody who left the team', gathering(['zoe', 'position']), 'waiting for zoe'],
    [
      'waits for the blind vote of the lead alone',
      gathering(['carlos', 'lead-alone']),
      'round 1 of 2',
    ],
    ['waits for nobody', gathering(), 'round 1 of 2'],
    ['is in its second round', { round: 2 }, 'round 2 of 2'],
  ];

  test.each(PHASES)('of a run that %s', (_, over, text) => {
    expect(progress(anIssueRun(over))).toBe(text);
  });
});

describe('notes', () => {
  const BOUNDED = 'Code kept the lead from closing this alone: it is no duplicate.';

  test('say why code changed the verdict, once the run is over', () => {
    const bounded = 'it is no duplicate';
    expect(notes(concluded({}, { bounded }))).toBe(`> ${BOUNDED}`);
    expect(notes(anIssueRun({ bounded }))).toBe('');
  });

  test.each([
    [0.49, 50],
    [0.5, 50],
    [0.74, 50],
    [0.75, 75],
    [0.89, 75],
    [0.9, 90],
    [0.99, 90],
    [1, 100],
    [1.2, 100],
  ])('of a budget used to %d tell of %d percent', (share, step) => {
    expect(notes(anIssueRun({ budgetUsed: { share, cap: 'thread' } }))).toBe(
      `> ${step} % of the budget for this thread is used.`,
    );
  });

  test('name any other cap by its name', () => {
    expect(notes(anIssueRun({ budgetUsed: { share: 0.5, cap: 'repository' } }))).toBe(
      '> 50 % of the budget for this repository is used.',
    );
  });

  test('say that the budget was used up, and then not how much', () => {
    const over: Partial<IssueRun> = {
      isBudgetExhausted: true,
      budgetUsed: { share: 1, cap: 'thread' },
      bounded: 'it is no duplicate',
    };
    expect(notes(concluded({}, over))).toBe(
      `> ${BOUNDED}\n>\n> The budget was used up, so this is a partial result.`,
    );
    expect(exhausted({ hostCapNote: 'The host allows $5 a day.' })).toBe(
      'The host allows $5 a day. This is a partial result.',
    );
  });

  test('say that the council changes little from the twentieth run on, where there is a council', () => {
    const single = anIssueRun({ unchangedRuns: 100 });
    single.settings.mode = 'single';
    expect(notes(single)).toBe('');
    expect(notes(anIssueRun({ unchangedRuns: 19 }))).toBe('');
    expect(notes(anIssueRun({ unchangedRuns: 20 }))).toBe(
      "> In the last 20 runs here the council left the lead's own vote unchanged; `council.mode: single` would cost less.",
    );
  });
});

describe('the table of voices', () => {
  const HEADS = '| voice | vote | sure | in a line |\n|---|---|---|---|';

  test('is left out where nobody has spoken', () => {
    expect(voicesTable(anIssueRun())).toBe('');
  });

  test('has the latest vote of each, then those who could not answer', () => {
    const run = anIssueRun({
      contributions: [
        saying(MAYA),
        { ...CARLOS, round: 1, outcome: 'absent' },
        saying(MAYA, { round: 2, position: aPosition({ vote: 'CLOSE', line: 'a | b' }) }),
      ],
    });
    expect(voicesTable(run)).toBe(
      `${HEADS}\n| Maya · Security Reviewer | close | 0.7 | a \\| b |\n` +
        '| Carlos · Tech Lead | absent | – | could not answer (unknown) |',
    );
  });

  test('names nobody absent who has spoken in another round', () => {
    const absent = { ...MAYA, round: 2, outcome: 'absent' as const, reason: 'timed out' };
    const run = anIssueRun({ contributions: [saying(MAYA), absent] });
    expect(voicesTable(run)).not.toContain('absent');
    expect(voicesTable(anIssueRun({ contributions: [absent] }))).toContain(
      '| absent | – | could not answer (timed out) |',
    );
  });

  test('says that its votes are older than the answer, where one was given', () => {
    const contributions = [saying(MAYA)];
    const answered = concluded({}, { contributions, wasBlocked: true });
    expect(voicesTable(answered).split('\n')[0]).toBe('Votes before the answer:');
    for (const over of [
      { wasBlocked: false },
      { participants: [] },
      { status: 'blocked' as const },
    ])
      expect(voicesTable({ ...answered, ...over })).not.toContain('before the answer');
  });
});

describe('the reasons by voice', () => {
  test('are folded, and open while a person is asked', () => {
    const contributions = [saying(MAYA), saying(PRIYA, { round: 2 })];
    expect(reasonsByVoice(anIssueRun({ contributions, round: 2 }))).toBe(
      '<details><summary>Why, by voice</summary>\n\n**Maya** · Security Reviewer, round 1\n\nIt touches one file.\n\n**Priya** · QA Engineer, round 2\n\nIt touches one file.\n\n</details>',
    );
    expect(reasonsByVoice(anIssueRun({ contributions, status: 'blocked' }))).toMatch(
      /^<details open><summary>/,
    );
  });

  test('are left out where voices have comments of their own, or nobody spoke', () => {
    const threaded = anIssueRun({ contributions: [saying(MAYA)] });
    threaded.settings.style = 'thread';
    expect(reasonsByVoice(threaded)).toBe('');
    const absent = { ...MAYA, round: 1, outcome: 'absent' as const };
    expect(reasonsByVoice(anIssueRun({ contributions: [absent] }))).toBe('');
  });
});

describe('the footer', () => {
  test('names the lead, the rounds, the time, the cost and the run', () => {
    const run = concluded({}, { calls: [CALL], isOffline: true, round: 2 });
    expect(footer(run, NOW + 61_400)).toBe(
      '<sub>Decided by Carlos · round 2 of 2 · 61 s · $0.25 · offline rules, no model · run `run-1`</sub>',
    );
  });

  test('of one reviewer counts no rounds; a lead without a name is the lead', () => {
    const { lead: _, ...run } = concluded();
    run.settings.mode = 'single';
    expect(footer(run as IssueRun, NOW)).toBe(
      '<sub>Decided by the lead · one reviewer · run `run-1`</sub>',
    );
  });

  test('of a run that is over stops the clock', () => {
    const run = anIssueRun({ calls: [CALL], endedAt: at(5_000) });
    expect(footer(run, NOW + 3_600_000)).toContain(' · 5 s · ');
  });

  test.each([
    [89, '89 s'],
    [90, '2 min'],
    [149, '2 min'],
    [150, '3 min'],
    [89 * 60 + 29, '89 min'],
    [90 * 60, '2 h'],
  ])('%d seconds are "%s"', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  test('tells a cost that is known, in part, or not at all', () => {
    const { costUsd: _, ...unknown } = CALL;
    expect(costOf({ calls: [CALL, CALL] })).toBe('$0.50');
    expect(costOf({ calls: [CALL, unknown as ModelCall] })).toBe('$0.25 and some unknown cost');
    expect(costOf({ calls: [unknown as ModelCall] })).toBe('cost unknown');
    expect(costOf({ calls: [] })).toBe('$0.00');
  });
});

describe('a model that did not answer', () => {
  test('is named before the verdict, with how to ask again', () => {
    const run = concluded({}, { calls: [FAILED] });
    const [first, second] = renderRun(run, NOW).split('\n\n');
    expect(first).toMatch(
      /^\*\*.*`anthropic\/claude` did not answer: .* comment `\/pm deliberate`\.$/,
    );
    expect(second).toMatch(/^### Ready/);
  });

  test.each(['closed', 'active'] as const)('is not named of a run that is %s', (status) => {
    expect(withoutModel(concluded({}, { calls: [FAILED], status }), 'again')).toBe('');
  });

  test('is not named without a verdict', () => {
    const { verdict: _, ...run } = concluded({}, { calls: [FAILED] });
    expect(withoutModel(run as IssueRun, 'again')).toBe('');
  });
});
