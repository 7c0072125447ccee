/** A council's prompt, word for word: what is shared, whose turn it is, what each source may take, and what is left out. */
import { describe, expect, test } from 'vitest';
import {
  councilPrompt,
  leftOut,
  wholeRoadmap,
  type PromptRequest,
} from '../../../../src/decide/discussion/ask/council-prompt.ts';
import { noEvidence } from '../../../../src/decide/run/no-evidence.ts';
import type { IssueView } from '../../../../src/domain/run/view.ts';
import { aPersona } from '../../../helpers/a-persona.ts';
import { aRun } from '../../../helpers/a-run.ts';
import { aComment, aVerdict, aView } from '../../../helpers/an-issue.ts';

const NONCE = 'k7f3q9x2m5v8b1n4';
const PENDING = ['a', 'b', 'c', 'd', 'e', 'f'].map((each) => `- [ ] ${each}\n`).join('');
/** More than all voices are shown. */
const ROADMAP = { path: 'ROADMAP.md', text: `# Soon\n\n- [x] parse\n${PENDING}` };

function ask(view: IssueView, over: Partial<PromptRequest> = {}) {
  return councilPrompt({
    run: aRun('issue_review'),
    view,
    nonce: NONCE,
    evidence: noEvidence(),
    persona: aPersona({ handle: 'maya', name: 'Maya' }),
    purpose: 'position',
    ...over,
  });
}

const contextOf = (view: IssueView): string => ask(view).shared[1] ?? '';
const comments = (count: number) =>
  Array.from({ length: count }, (_, n) => aComment({ id: n + 1, body: `word ${n + 1}` }));

test('the repository, the roadmap, the thread, the files and the evidence stand in this order', () => {
  const view = aView({
    roadmap: ROADMAP,
    issue: { body: 'Quiet <!-- hidden --> please.', authorPermission: 'triage' },
    comments: [
      aComment(),
      aComment({ id: 501, author: { id: 900, login: 'quorum[bot]', isBot: true } }),
    ],
  });
  const { shared } = ask(view);
  expect(shared).toHaveLength(3);
  expect(shared.slice(1)).toMatchInlineSnapshot(`
    [
      "## The repository

    <<<data k7f3q9x2m5v8b1n4 source="names in the repository" trust="maintainer">>>
    acme/tidy, default branch main, 4 files.
    At the top: README.md, src, test
    <<<end k7f3q9x2m5v8b1n4>>>

    ## The roadmap

    <<<data k7f3q9x2m5v8b1n4 source="roadmap, ROADMAP.md" trust="maintainer">>>
    - Soon: 1 of 7 done
      - a
      - b
      - c
      - d
      - e
    <<<end k7f3q9x2m5v8b1n4>>>

    ## Issue 12

    <<<data k7f3q9x2m5v8b1n4 source="labels" trust="contributor">>>
    deliberate
    <<<end k7f3q9x2m5v8b1n4>>>
    <<<data k7f3q9x2m5v8b1n4 source="issue 12, title" author="tom" trust="contributor">>>
    Add a --quiet flag to the tidy command
    <<<end k7f3q9x2m5v8b1n4>>>
    <<<data k7f3q9x2m5v8b1n4 source="issue 12, body" author="tom" trust="contributor" hidden-removed="1">>>
    Quiet  please.
    <<<end k7f3q9x2m5v8b1n4>>>
    <<<data k7f3q9x2m5v8b1n4 source="comment of 2026-03-02T09:01:00Z" author="ana" trust="maintainer">>>
    Keep it simple, please.
    <<<end k7f3q9x2m5v8b1n4>>>

    ## Files that the issue is about

    <<<data k7f3q9x2m5v8b1n4 source="file src/cli.ts" trust="maintainer">>>
    1	export function main() {}
    2	
    <<<end k7f3q9x2m5v8b1n4>>>

    ## Evidence

    <<<data k7f3q9x2m5v8b1n4 source="evidence found by code at commit aaaaaaaaaaaa" trust="stranger">>>
    Subject: chore. Size: small. Hidden items removed: 0.
    <<<end k7f3q9x2m5v8b1n4>>>",
      "## What is asked

    **A position** is your own, on this issue and through your own lens. Rest every finding on the evidence or the files above and give its place; put the rule id of a signal you use. Set \`skip\` when nothing here is yours. \`line\` is your position in one line of at most 20 words, without the vote; \`reasons\` at most 120 words.

    **The verdict** closes the discussion; the lead gives it. Weigh the positions, do not count them; dissent stays visible. \`headline\` is the verdict in at most 12 words without the word itself. \`reasons\` at most 100 words: what it touches, what settled it, what to do first. For HUMAN give one \`question\` that a person can answer in a sentence. \`changes\` lists what is missing, each with a place where there is one. Ask for \`anotherRound\` only when a serious finding is disputed and hearing the others would settle it.

    Words to choose from: READY, CLOSE, DRAFT, HUMAN. READY: worth doing and clear enough to start. DRAFT: worth doing, something is missing first; say what. CLOSE: a duplicate, invalid or not to be done; say why, and the number of the duplicate. HUMAN: a decision that only a person can make; ask one question.",
    ]
  `);
});

test('a thread without labels, files and roadmap says so or says nothing', () => {
  const text = contextOf(aView({ files: [], issue: { labels: [] } }));
  expect(text).toContain('source="labels" trust="contributor">>>\nnone\n<<<');
  expect(text).not.toContain('Files that the issue is about');
  expect(text).not.toContain('roadmap');
  expect(contextOf(aView({ roadmap: { path: 'R.md', text: '' } }))).not.toContain('roadmap');
});

test('labels are listed', () => {
  expect(contextOf(aView({ issue: { labels: ['bug', 'ui'] } }))).toContain('>>>\nbug, ui\n<<<');
});

describe('what is asked', () => {
  const asked = (over: Partial<PromptRequest>): string => ask(aView(), over).shared[2] ?? '';

  test('of a change are other words than of an issue', () => {
    expect(asked({ run: aRun('prd_kickoff') }).split('Words to choose from: ')[1]).toBe(
      'APPROVE, CHANGES, HUMAN. APPROVE: go ahead as proposed. CHANGES: go ahead once these are made; list them with places. HUMAN: a decision that only a person can make; ask one question.',
    );
  });

  test('puts one question of the thread first, as data', () => {
    const run = aRun('issue_review', { question: 'Is <!-- x --> it worth it?' });
    expect(asked({ run })).toMatch(
      new RegExp(
        `^## Discuss this one question of the thread\n\n<<<data ${NONCE} source="what to discuss" trust="contributor" hidden-removed="1">>>\nIs  it worth it\\?\n<<<end`,
      ),
    );
  });

  test('puts what people want to be kept in mind first', () => {
    const guidance = [{ by: 'ana', permission: 'write' as const, text: 'be short' }];
    const run = aRun('issue_review', { guidance } as never);
    expect(asked({ run })).toMatch(/^## What people here asked the team to keep in mind\n/);
    expect(asked({ run })).toContain('author="ana" trust="maintainer">>>\nbe short\n<<<');
  });
});

describe('whose turn it is', () => {
  const OWN = 'Give your own position.';
  const SECOND =
    'This is the second round: the findings above are disputed. Say what you keep, what you take back, and why; do not repeat yourself.';

  test.each([
    ['a position', 'position', 1, OWN],
    ["the lead's blind position", 'lead-alone', 1, OWN],
    ['the second round', 'position', 2, `${OWN} ${SECOND}`],
    ['the verdict', 'verdict', 2, 'Close the discussion. Give the verdict.'],
  ] as const)('%s', (...[, purpose, round, turn]) => {
    const run = aRun('issue_review', { round });
    expect(ask(aView(), { run, purpose }).task).toBe(`## Now\n\n${turn}`);
  });

  test('the question that was asked, and what the team has said, stand before it', () => {
    const run = aRun('issue_review', {
      wasBlocked: true,
      verdict: aVerdict({ verdict: 'HUMAN', question: 'Keep it?' }),
    });
    const said = { vote: 'READY', confidence: 0.5, line: 'small', findings: [] };
    const positions = [
      { handle: 'dev', ...said },
      { handle: 'maya', ...said, vote: 'CLOSE', findings: ['low: a twin'] },
      { handle: 'priya', ...said, vote: 'CLOSE' },
    ];
    const evidence = { ...noEvidence(), positions };
    expect(ask(aView(), { run, evidence }).task).toMatchInlineSnapshot(`
      "## What the team asked people here

      <<<data k7f3q9x2m5v8b1n4 source="what people were asked" trust="stranger">>>
      Keep it?
      <<<end k7f3q9x2m5v8b1n4>>>

      ## What the team has said

      <<<data k7f3q9x2m5v8b1n4 source="what the team has said" trust="stranger">>>
      Votes, counted by code: 2 CLOSE (maya, priya), 1 READY (dev).
      - @dev: READY, sure 0.5. small
      - @maya: CLOSE, sure 0.5. small
        - low: a twin
      - @priya: CLOSE, sure 0.5. small
      <<<end k7f3q9x2m5v8b1n4>>>

      ## Now

      Give your own position."
    `);
    expect(ask(aView(), { run: { ...run, wasBlocked: false } }).task).not.toContain('Keep it?');
  });
});

describe('the whole roadmap', () => {
  test('is for leads, after their soul', () => {
    const view = aView({ roadmap: ROADMAP });
    const lead = ask(view, { persona: aPersona({ lead: true }) });
    expect(lead.own.slice(1)).toEqual([wholeRoadmap(view, NONCE)]);
    expect(ask(view).own).toHaveLength(1);
    expect(ask(aView(), { persona: aPersona({ lead: true }) }).own).toHaveLength(1);
  });

  test('is empty without a roadmap, or when the roadmap says nothing', () => {
    expect(wholeRoadmap(aView(), NONCE)).toBe('');
    expect(wholeRoadmap(aView({ roadmap: { path: 'R.md', text: '' } }), NONCE)).toBe('');
    expect(wholeRoadmap(aView({ roadmap: ROADMAP }), NONCE)).toMatchInlineSnapshot(`
      "## The whole roadmap

      <<<data k7f3q9x2m5v8b1n4 source="whole roadmap, ROADMAP.md" trust="maintainer">>>
      - Soon: 1 of 7 done
        - a
        - b
        - c
        - d
        - e
        - f
      <<<end k7f3q9x2m5v8b1n4>>>"
    `);
  });
});

describe('limits', () => {
  test.each([
    ['title', 400],
    ['body', 16_000],
  ] as const)('a %s of more than %d characters is cut', (field, most) => {
    expect(contextOf(aView({ issue: { [field]: 'x'.repeat(most) } }))).not.toContain('-cut=');
    expect(contextOf(aView({ issue: { [field]: 'x'.repeat(most + 1) } }))).toContain(
      `source="issue 12, ${field}" author="tom" trust="stranger" characters-cut="1"`,
    );
  });

  test.each([
    [12_000, false],
    [12_001, true],
  ])('a file of %d characters is cut: %s', (length, isCut) => {
    const file = { path: 'a.ts', text: 'x'.repeat(length), isCut: false };
    expect(contextOf(aView({ files: [file] })).includes('characters-cut="1"')).toBe(isCut);
  });

  test.each([
    [7, 7],
    [8, 8],
    [9, 8],
  ])('of %d files %d are shown', (count, shown) => {
    const files = Array.from({ length: count }, (_, n) => ({
      path: `src/${n}.ts`,
      text: '',
      isCut: false,
    }));
    expect(contextOf(aView({ files })).match(/source="file src/g)).toHaveLength(shown);
  });

  test.each([
    [59, 59],
    [60, 60],
    [61, 60],
  ])('of %d names at the top of the repository %d are listed', (count, told) => {
    const paths = Array.from({ length: count }, (_, n) => [`d${n}/a`, `d${n}/b`]).flat();
    const line = /At the top: (.*)/.exec(contextOf(aView({ paths })))?.[1];
    expect(line?.split(', ')).toEqual(Array.from({ length: told }, (_, n) => `d${n}`));
  });

  test.each([
    [50, 1, ''],
    [51, 2, '(1 older comments left out)'],
    [53, 4, '(3 older comments left out)'],
  ])('of %d comments the newest 50 are shown', (count, first, told) => {
    const text = contextOf(aView({ comments: comments(count) }));
    expect(text.match(/^word \d+$/gm)?.[0]).toBe(`word ${first}`);
    expect(text.match(/^word \d+$/gm)).toHaveLength(50);
    expect(/\(\d+ older comments left out\)/.exec(text)?.[0] ?? '').toBe(told);
  });
});

describe('people can see what the limits leave out', () => {
  test.each([
    ['nothing', {}, []],
    ['a body at the limit', { issue: { body: 'x'.repeat(16_000) } }, []],
    [
      'a long body',
      { issue: { body: 'x'.repeat(16_001) } },
      ['the body beyond its first 16000 characters'],
    ],
    ['comments at the limit', { comments: comments(50) }, []],
    ['many comments', { comments: comments(51) }, ['all comments but the newest 50']],
    ['a comment at the limit', { comments: [aComment({ body: 'x'.repeat(4_000) })] }, []],
    [
      'a long comment',
      { comments: [aComment({ body: 'x'.repeat(4_001) })] },
      ['what goes beyond 4000 characters in a comment'],
    ],
  ])('%s', (_, over, told) => {
    expect(leftOut(aView(over))).toEqual(told);
  });
});
