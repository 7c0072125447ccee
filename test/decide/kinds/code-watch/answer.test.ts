/** What `/pm watch` answers: what was opened, judged, asked, left out and searched, and what it cost. */
import { describe, expect, test } from 'vitest';
import { postAnswer, renderWatchAnswer } from '../../../../src/decide/kinds/code-watch/answer.ts';
import { openIssue, titleOf } from '../../../../src/decide/kinds/code-watch/open-issue.ts';
import type { Run } from '../../../../src/domain/run/state/run-record.ts';
import type {
  Candidate,
  Judgement,
  RaisedIssue,
  WatchedCandidate,
  WatchState,
} from '../../../../src/domain/repository/watched-code.ts';
import { aRun, contextOf, NOW, wantedBy } from '../../../helpers/a-run.ts';
import { CALL } from '../../talk/commands/run-here.ts';

type WatchRun = Run<'code_watch'>;

const LEAD = { handle: 'carlos', name: 'Carlos', role: 'Tech Lead / Architect' };
const MAYA = { handle: 'maya', name: 'Maya', role: 'Security Reviewer (AppSec)' };

function aCandidate(over: Partial<Candidate> = {}): Candidate {
  return {
    names: ['n1', 'n2'],
    ruleId: 'js-eval',
    severity: 'high',
    certainty: 0.66,
    title: 'Text is run as code',
    why: 'Anybody can run code.',
    step: 'Parse it.',
    personas: ['zoe', 'maya'],
    places: [{ path: 'src/run.ts', line: 2, title: 'It is run', evidence: 'eval(text)' }],
    excerpts: [],
    isConfidential: false,
    ...over,
  };
}

const judged = (word: Judgement['word'], over: Partial<Judgement> = {}): Judgement => ({
  word,
  confidence: 0.8,
  headline: 'a headline',
  reasons: 'It is\nso.',
  ...over,
});

function watched(over: Partial<WatchedCandidate> = {}): WatchedCandidate {
  return { candidate: aCandidate(), effectId: 'e1', ...over };
}

const open = (...numbers: number[]): RaisedIssue[] =>
  numbers.map((number) => ({ number, title: '', state: 'open', labels: [] }));

function aWatch(watch: Partial<WatchState> = {}, over: Partial<WatchRun> = {}): WatchRun {
  return aRun('code_watch', {
    id: 'run-1',
    lead: LEAD,
    participants: [MAYA],
    headSha: 'abcdef1234567890',
    calls: [CALL],
    watch: {
      path: '',
      candidates: [],
      room: 2,
      open: [],
      withheld: 0,
      left: [],
      known: 0,
      files: 7,
      ...watch,
    },
    ...over,
  });
}

const told = (watch: Partial<WatchState>, over: Partial<WatchRun> = {}): string =>
  renderWatchAnswer(aWatch(watch, over), NOW);
const TITLE = 'Text is run as code (`src/run.ts`), high';

describe('a watch with nothing to raise is one line', () => {
  const notRead = {
    files: [],
    pastIssues: [],
    notRead: ['a.ts: too large', 'b.ts: binary'],
    hidden: 0,
  };
  const CASES: [string, Partial<WatchState>, Partial<WatchRun>, string][] = [
    ['everywhere', {}, {}, 'Code watch: nothing worth raising in 7 files at `abcdef1`.'],
    [
      'in one file',
      { files: 1, path: 'src/a.ts' },
      {},
      'Code watch: nothing worth raising in 1 file of `src/a.ts` at `abcdef1`.',
    ],
    ['at no commit', {}, { headSha: '' }, 'Code watch: nothing worth raising in 7 files.'],
    [
      'that was not raised before',
      { known: 3 },
      {},
      'Code watch: nothing worth raising besides what was raised or judged before (3) in 7 files at `abcdef1`.',
    ],
    [
      'in what could be read',
      {},
      { lookedAt: notRead },
      'Code watch: nothing worth raising in 7 files at `abcdef1`. Not read: `a.ts: too large`; `b.ts: binary`.',
    ],
  ];
  test.each(CASES)('%s', (...[, watch, run, text]) => {
    expect(told(watch, run)).toBe(text);
  });
});

test('a watch that was stopped says why', () => {
  const closed = { status: 'closed' as const };
  expect(told({}, { ...closed, endReason: 'it is paused' })).toBe(
    'The code watch stopped: it is paused.',
  );
  expect(told({}, closed)).toBe('The code watch stopped: it was cancelled.');
  const { watch: _, ...unread } = aWatch();
  expect(renderWatchAnswer(unread as WatchRun, NOW)).toBe(
    'The code watch stopped: it was cancelled.',
  );
});

test('the whole answer: opened, rejected, asked, left out, searched, and the footer', () => {
  const answer = told({
    path: 'src',
    candidates: [
      watched({ judgement: judged('APPROVE'), issue: { outcome: 'created', number: 101 } }),
      watched({ judgement: judged('CHANGES') }),
      watched({ judgement: judged('HUMAN', { question: 'Is it\nmeant?' }) }),
      watched({ judgement: judged('HUMAN') }),
      watched({ judgement: judged('APPROVE'), issue: { outcome: 'unchanged', number: 7 } }),
    ],
    withheld: 2,
    known: 1,
    left: [
      { ruleId: 'r1', count: 3 },
      { ruleId: 'r2', count: 1 },
    ],
  });
  expect(answer).toMatchInlineSnapshot(`
    "### Code watch: 1 issue opened

    - #101 Text is run as code (\`src/run.ts\`), high

    **Judged, and not worth an issue:**

    - Text is run as code (\`src/run.ts\`), high: It is so.

    **You decide:**

    - Text is run as code (\`src/run.ts\`), high: Is it meant?
    - Text is run as code (\`src/run.ts\`), high: a headline

    **Left out:**

    - Text is run as code (\`src/run.ts\`), high: #7 is about it already
    - 2 candidates about credentials: not told where everybody reads; \`quorum sweep\` in a clone shows them.
    - 1 finding: raised or judged before.
    - 4 more below the best: 3 \`r1\`, 1 \`r2\`; \`/pm watch\` goes on with them.

    <details><summary>What was searched</summary>

    - 7 files of \`src\` at \`abcdef1\`

    </details>

    <sub>Carlos judged 5 candidates · 0 s · $0.25 · run \`run-1\`</sub>"
  `);
});

describe('why a candidate was not opened', () => {
  const CASES: [string, Partial<WatchedCandidate>, RaisedIssue[], string][] = [
    ['the budget', { failure: 'budget-thread' }, [], 'the budget is used up, nobody judged it'],
    [
      'nobody could judge it',
      { failure: 'model-overloaded' },
      [],
      'nobody could judge it (`model-overloaded`)',
    ],
    [
      'it could not be opened',
      { failure: 'github-forbidden', judgement: judged('APPROVE') },
      [],
      'its issue could not be opened (`github-forbidden`)',
    ],
    [
      'no room',
      { issue: { outcome: 'full' }, judgement: judged('APPROVE') },
      [],
      'worth an issue, but there is no room for more issues now',
    ],
    [
      'one is open',
      { issue: { outcome: 'full' }, judgement: judged('APPROVE') },
      open(4),
      'worth an issue, but #4 is still open; close one and ask again',
    ],
    [
      'nobody was asked, as two are open',
      { effectId: '' },
      open(4, 5),
      'nobody was asked: #4, #5 are still open; close one and ask again',
    ],
    [
      'it is raised',
      { issue: { outcome: 'unchanged', number: 7 }, judgement: judged('APPROVE') },
      [],
      '#7 is about it already',
    ],
  ];
  test.each(CASES)('%s', (...[, candidate, raised, why]) => {
    expect(told({ candidates: [watched(candidate)], open: raised })).toContain(
      `**Left out:**\n\n- ${TITLE}: ${why}\n\n`,
    );
  });

  test('is not told of what was opened or is under way', () => {
    const created = watched({ issue: { outcome: 'created', number: 9 } });
    expect(told({ candidates: [created] })).not.toContain('Left out');
    expect(told({ candidates: [watched()] })).not.toContain('Left out');
  });
});

describe('the heading and what is left', () => {
  test.each([
    [0, 'no issue opened'],
    [1, '1 issue opened'],
    [2, '2 issues opened'],
  ])('%d opened', (count, text) => {
    const candidates = [
      watched(),
      ...Array.from({ length: count }, (_, n) =>
        watched({ issue: { outcome: 'created', number: n } }),
      ),
    ];
    expect(told({ candidates }).split('\n')[0]).toBe(`### Code watch: ${text}`);
  });

  test.each([
    [4, ''],
    [5, ''],
    [6, ' and others'],
  ])('of %d rules at most 5 are named', (count, more) => {
    const left = Array.from({ length: count }, (_, n) => ({ ruleId: `r${n}`, count: 2 }));
    const names = left.slice(0, 5).map(({ ruleId }) => `2 \`${ruleId}\``);
    expect(told({ withheld: 1, left })).toContain(
      `- ${2 * count} more below the best: ${names.join(', ')}${more}; \`/pm watch\` goes on with them.`,
    );
  });

  test('says once what is not told in public, and what was raised before', () => {
    const text = told({ withheld: 1, known: 2 });
    expect(text).toContain(
      '- 1 candidate about credentials: not told where everybody reads; `quorum sweep` in a clone shows them.\n- 2 findings: raised or judged before.',
    );
    expect(text).not.toContain('more below the best');
  });
});

describe('the footer', () => {
  const one = { candidates: [watched({ judgement: judged('CHANGES') }), watched()] };
  test.each([
    ['of a model', {}, 'Carlos judged 1 candidate · 0 s · $0.25 · run `run-1`'],
    [
      'of rules',
      { isOffline: true, calls: [] },
      'Carlos judged 1 candidate · 0 s · offline rules, no model · run `run-1`',
    ],
    [
      'of rules after a model',
      { isOffline: true },
      'Carlos judged 1 candidate · 0 s · $0.25 · run `run-1`',
    ],
    [
      'without a lead',
      { lead: undefined },
      'Nobody judged 1 candidate · 0 s · $0.25 · run `run-1`',
    ],
    [
      'of a part',
      { isBudgetExhausted: true },
      'Carlos judged 1 candidate · 0 s · $0.25 · partial: the budget is used up · run `run-1`',
    ],
    [
      'of what the host allows',
      { isBudgetExhausted: true, hostCapNote: 'the host allows $5' },
      'Carlos judged 1 candidate · 0 s · $0.25 · partial: the host allows $5 · run `run-1`',
    ],
  ])('%s', (_, over, text) => {
    expect(
      told(one, over as Partial<WatchRun>)
        .split('\n')
        .at(-1),
    ).toBe(`<sub>${text}</sub>`);
  });

  test('counts no time before it began', () => {
    const run = aWatch(one);
    expect(renderWatchAnswer(run, NOW - 5_000)).toContain(' · 0 s · ');
    expect(renderWatchAnswer(run, NOW + 5_000)).toContain(' · 5 s · ');
  });
});

test('the answer is written in the thread, under the name of the run', () => {
  const context = contextOf(aWatch());
  postAnswer(context);
  expect(wantedBy(context).effects).toMatchObject([
    { marker: { kind: 'run', run: 'run-1', key: 'watch' }, body: told({}) },
  ]);
});

describe('the issue about a candidate', () => {
  const wanted = (candidate: WatchedCandidate, over: Partial<WatchRun> = {}) => {
    const context = contextOf(aWatch({ open: open(1, 2, 3) }, over));
    openIssue(context, candidate);
    const [effect] = wantedBy(context).effects;
    if (effect?.kind !== 'issue') throw new Error('no issue is wanted');
    return effect;
  };

  test('says why it matters, where, and the smallest step', () => {
    const excerpts = [{ path: 'src/<a>.ts', line: 1, text: 'a ```` b' }];
    const issue = wanted(
      watched({
        candidate: aCandidate({ excerpts }),
        judgement: judged('APPROVE', { step: ' Use a parser. ' }),
      }),
    );
    expect(issue.body).toMatchInlineSnapshot(`
      "It is
      so.

      **Where**, at \`abcdef123456\`:

      - \`src/run.ts#L2\`: It is run \`eval(text)\`

      <details><summary><code>src/&lt;a&gt;.ts</code>, from line 1</summary>

      \`\`\`\`\`
      a \`\`\`\` b
      \`\`\`\`\`

      </details>

      **Smallest step:** Use a parser.

      <sub>Maya (Security Reviewer) found it with the rule \`js-eval\`, high, sure 0.7 · Carlos judged it · asked for by \`ana\` in #12 · run \`run-1\` · closed, it is not raised again</sub>"
    `);
    expect({ ...issue, body: '' }).toMatchInlineSnapshot(`
      {
        "body": "",
        "kind": "issue",
        "labels": [
          {
            "color": "1f6feb",
            "description": "Found by the team in the code",
            "name": "code-watch",
          },
        ],
        "lane": "issues:7",
        "marker": {
          "key": "watch-n1.n2",
          "kind": "report",
          "run": "run-1",
        },
        "maxOpen": {
          "count": 5,
          "label": "code-watch",
        },
        "repository": {
          "installationId": 1,
          "owner": "acme",
          "repo": "tidy",
          "repositoryId": 7,
        },
        "title": "Text is run as code (\`src/run.ts\`)",
      }
    `);
  });

  test('has the words of the rule where the judge has none', () => {
    const places = [{ path: 'src/run.ts', line: 2, title: 'It is run', evidence: '' }];
    const candidate = aCandidate({ places, personas: [] });
    const { body } = wanted(
      watched({ candidate, judgement: judged('APPROVE', { reasons: ' ' }) }),
      {
        lead: undefined,
        isOffline: true,
      },
    );
    expect(body).toMatch(/^Anybody can run code\.\n\n/);
    expect(body).toContain('**Smallest step:** Parse it.');
    expect(body).toContain('- `src/run.ts#L2`: It is run\n\n');
    expect(body).toContain(
      '<sub>Found with the rule `js-eval`, high, sure 0.7 · The lead judged it by offline rules · ',
    );
  });

  test('is found by the lead where the lead is whom it concerns', () => {
    const candidate = aCandidate({ personas: ['carlos', 'maya'] });
    expect(wanted(watched({ candidate })).body).toContain('Carlos (Tech Lead) found it with');
  });

  test.each([
    [{}, 'Text is run as code (`src/run.ts`)'],
    [{ title: 'src/run.ts runs text' }, 'src/run.ts runs text'],
    [{ places: [] }, 'Text is run as code'],
  ])('is named after what is wrong and where: %j', (over, title) => {
    expect(titleOf(aCandidate(over), aWatch())).toBe(title);
  });
});
