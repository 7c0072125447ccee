/** Wherever somebody puts characters that nobody sees, no prompt has one, and each is counted. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerPrompt } from '../../src/decide/talk/conversation/answer-prompt.ts';
import { buildPrompt } from '../../src/decide/kinds/build/prompt.ts';
import { coderPrompt } from '../../src/decide/task/coder/coder-prompt.ts';
import { councilPrompt } from '../../src/decide/discussion/ask/council-prompt.ts';
import { planPrompt } from '../../src/decide/plan/planning/plan-prompt.ts';
import { reviewPrompt } from '../../src/decide/kinds/review/prompt.ts';
import { candidatePrompt } from '../../src/decide/kinds/code-watch/prompt.ts';
import { hiddenIn } from '../../src/decide/kinds/review/hidden.ts';
import { planReading } from '../../src/decide/kinds/review/parts/plan-reading.ts';
import { decideEvidence } from '../../src/rules/issue/decide-evidence.ts';
import { createLogCutter } from '../../src/domain/build/cut-log.ts';
import type { BuildReading, BuildView } from '../../src/domain/build/build-view.ts';
import type { Run } from '../../src/domain/run/state/run-record.ts';
import type { DiffFile } from '../../src/domain/diff/diff.ts';
import { parseDiff } from '../../src/domain/diff/parse-diff.ts';
import type { Prompt } from '../../src/domain/event/effect-values.ts';
import { pmPrompt } from '../../src/domain/task/pm-question.ts';
import { aDiff, aPullView } from '../helpers/a-finding.ts';
import { aPersona } from '../helpers/a-persona.ts';
import { ANA, aComment, aView, SELF } from '../rules/issue/small-repository.ts';

const NONCE = 'k7f3q9x2m5v8b1n4';
/** All that is default ignorable, changes the direction of text, or is a blank that passes for a letter. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u{2800}\u{3164}\u{ffa0}]/u;

const hiddenCharacter = fc
  .oneof(
    fc.integer({ min: 0xe0020, max: 0xe007f }),
    fc.integer({ min: 0xe0100, max: 0xe01ef }),
    fc.integer({ min: 0xfe00, max: 0xfe0f }),
    fc.integer({ min: 0x202a, max: 0x202e }),
    fc.integer({ min: 0x2066, max: 0x2069 }),
    fc.constantFrom(0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x2060),
    fc.constantFrom(0x2800, 0x3164, 0xfeff, 0xffa0, 0xe0001),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));

interface Sneaky {
  text: string;
  count: number;
}

/** Words with hidden characters before, in and after them. */
const sneaky = fc
  .array(
    fc.tuple(
      fc.constantFrom('a', 'word', 'x1', ' b ', 'fix'),
      fc.array(hiddenCharacter, { maxLength: 3 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts): Sneaky => ({
    // Nothing is at the edge, where what reads a name would trim it.
    text: `s${parts.map(([word, hidden]) => hidden.join('') + word).join('')}e`,
    count: parts.reduce((sum, [, hidden]) => sum + hidden.length, 0),
  }));

const persona = aPersona({ handle: 'maya', name: 'Maya' });
const evidence = decideEvidence(aView({ title: 'Clean', body: 'Nothing.' }));
const run = {
  trigger: 'issue_review',
  round: 1,
  wasBlocked: true,
  settings: {},
  participants: [],
  contributions: [],
} as unknown as Run<'issue_review'>;
const reviewRun = run as unknown as Run<'pr_review'>;
const buildRun = run as unknown as Run<'build_failure'>;

function told(text: string): number {
  return Array.from(text.matchAll(/ hidden-removed="(\d+)"/g), ([, count]) => Number(count)).reduce(
    (sum, count) => sum + count,
    0,
  );
}

function textOf({ shared, own, task }: Prompt): string {
  return [...shared, ...own, task].join('\n');
}

/** Each has three sneaky texts; gives a prompt that has each of them once. */
const PROMPTS: Readonly<Record<string, (a: string, b: string, c: string) => string>> = {
  council: (a, b, c) => {
    const view = aView({
      title: a,
      body: b,
      files: [{ path: 'src/a.ts', text: c, isCut: false }],
    });
    return textOf(
      councilPrompt({ run, view, nonce: NONCE, evidence, persona, purpose: 'verdict' }),
    );
  },
  'council, what people said': (a, b, c) => {
    const comments = [aComment(a, { author: { id: 9, login: b, isBot: false } })];
    const view = aView({ title: 'T', comments });
    const asked = { ...run, question: c };
    return textOf(
      councilPrompt({ run: asked, view, nonce: NONCE, evidence, persona, purpose: 'position' }),
    );
  },
  review: (a, b, c) => {
    const view = aPullView({ pull: { title: a, body: b }, diff: aDiff('src/a.ts', ['one', c]) });
    const diff = parseDiff(view.diff);
    const request = { run: reviewRun, view, diff, nonce: NONCE, evidence, persona };
    return textOf(reviewPrompt({ ...request, purpose: 'position' }));
  },
  'review of a file by its name': (a, b, c) => {
    const view = aPullView({ comments: [aComment(a)], diff: aDiff(`src/${b}.ts`, [c]) });
    const diff = parseDiff(view.diff);
    const request = { run: reviewRun, view, diff, nonce: NONCE, evidence, persona };
    return textOf(reviewPrompt({ ...request, purpose: 'verdict' }));
  },
  build: (a, b, c) => {
    const { text, hidden } = cut(c);
    const job = {
      run: 'ci',
      name: 'test',
      conclusion: 'failure',
      steps: [],
      notes: [],
      leftOut: 0,
      url: '',
    };
    const reading: BuildReading = {
      key: 'k',
      fingerprint: 'f',
      causes: [],
      jobs: [{ ...job, log: text, hidden }],
      range: {
        commits: [{ sha: 'a'.repeat(40), title: 'one', author: a, isByBot: false, at: '' }],
        suspects: 0,
        total: 1,
        patches: [{ path: 'src/a.ts', patch: `+${b}` }],
      },
      files: [],
      secrets: 0,
      notRead: [],
    };
    const { repository } = aView({ title: 'T' });
    const where = { kind: 'branch', branch: 'main', workflowId: 1, path: 'ci.yml' };
    const view = { repository, where, runs: [], comments: [], self: SELF } as unknown as BuildView;
    return textOf(
      buildPrompt({
        run: buildRun,
        view,
        reading,
        nonce: NONCE,
        evidence,
        persona,
        purpose: 'position',
      }),
    );
  },
  watch: (a, b, c) => {
    const candidate = {
      names: [],
      ruleId: 'todo',
      severity: 'low' as const,
      certainty: 1,
      title: 'T',
      why: 'W.',
      step: 's',
      personas: ['maya'],
      places: [{ path: 'a.ts', line: 1, title: a, evidence: b }],
      excerpts: [{ path: 'a.ts', line: 1, text: c }],
      isConfidential: false,
    };
    return textOf(
      candidatePrompt({ view: aView({ title: 'T' }), nonce: NONCE, lead: persona, candidate }),
    );
  },
  plan: (a, b, c) =>
    textOf(
      planPrompt({
        view: aView({ title: a, body: b }),
        nonce: NONCE,
        evidence,
        actor: ANA,
        wish: c,
        revises: false,
        completed: [],
        followsUp: false,
        mayAsk: true,
      }),
    ),
  answer: (a, b, c) =>
    textOf(
      answerPrompt({
        view: { ...aView({ title: a }), diff: `+${b}` },
        nonce: NONCE,
        evidence,
        persona,
        question: { handle: 'maya', text: c, depth: 0 },
        asker: ANA,
      }),
    ),
  coder: (a, b, c) =>
    coderPrompt({
      repository: 'acme/shop',
      branch: 'b',
      baseSha: 'a'.repeat(40),
      plan: { number: 1, title: 'P' },
      task: { number: 1, title: 'T', text: 'Do it.' },
      excerpts: [{ path: 'src/a.ts', from: 1, text: a }],
      notes: [],
      outside: [{ source: 'output of gate 1', trust: 'stranger', text: b }],
      changes: [{ source: 'an earlier attempt', text: `+${c}` }],
      nonce: NONCE,
    }),
  "the PM's answer": (a, b, c) => pmPrompt(`${a} ${b} ${c}`, NONCE).task,
};

/** A build's log as it is read, in pieces. */
function cut(text: string): { text: string; hidden: number } {
  const cutter = createLogCutter();
  for (let at = 0; at < text.length; at += 5) cutter.push(text.slice(at, at + 5));
  return cutter.finish();
}

test.each(Object.entries(PROMPTS))('%s: none is in the prompt, and all are counted', (_, make) => {
  fc.assert(
    fc.property(sneaky, sneaky, sneaky, (a, b, c) => {
      const prompt = make(a.text, b.text, c.text);
      expect(prompt).not.toMatch(UNSEEN);
      expect(told(prompt)).toBe(a.count + b.count + c.count);
    }),
    { numRuns: 60 },
  );
});

test('the names and the trusted texts that stand outside a block have none either', () => {
  fc.assert(
    fc.property(sneaky, ({ text }) => {
      const view = aView({ title: 'T' });
      const named = { ...view, repository: { ...view.repository, fullName: text } };
      const soul = aPersona({ handle: 'maya', whoIAm: text, lens: text });
      const prompts = [
        textOf(
          councilPrompt({
            run,
            view: named,
            nonce: NONCE,
            evidence,
            persona: soul,
            purpose: 'verdict',
          }),
        ),
        coderPrompt({
          repository: text,
          branch: text,
          baseSha: text,
          plan: { number: 1, title: text },
          task: { number: 1, title: text, text },
          excerpts: [],
          notes: [],
          outside: [],
          nonce: NONCE,
        }),
      ];
      for (const prompt of prompts) expect(prompt).not.toMatch(UNSEEN);
    }),
    { numRuns: 60 },
  );
});

test('a review tells all of a change, and the file with most, whether it is read whole or in parts', () => {
  fc.assert(
    fc.property(sneaky, sneaky, sneaky, (a, b, c) => {
      const text = aDiff('src/a.ts', ['one', a.text]) + aDiff(`src/${b.text}.ts`, [c.text, 'two']);
      const view = aPullView({ diff: text });
      const diff = parseDiff(text);
      const inOther = b.count + c.count;
      const count = a.count + inOther;
      const most = Math.max(a.count, inOther);
      const found = hiddenIn(view, diff);
      expect(found?.count ?? 0).toBe(count);
      expect(found?.most?.count ?? 0).toBe(most);
      const reading = planReading(diff, [], { parts: 4, size: 150 });
      const parts = reading?.parts ?? [];
      const prompts = parts.map((_, at) => {
        const part = { parts, size: 150, at };
        const request = { run: reviewRun, view, diff, nonce: NONCE, evidence, persona, part };
        return textOf(reviewPrompt({ ...request, purpose: 'position' }));
      });
      for (const prompt of prompts) expect(prompt).not.toMatch(UNSEEN);
    }),
    { numRuns: 60 },
  );
});

test('a byte order mark, a page break and an emoji go without being told', () => {
  const lines = ['\ufeffusing System;', '\f', 'say("\u2764\ufe0f \u{1f469}\u200d\u{1f467}");'];
  const diff = parseDiff(aDiff('a.cs', lines));
  expect(hiddenIn(aPullView(), diff)).toBeUndefined();
  const [file] = diff.files;
  const again = parseDiff(aDiff('a.cs', ['using System;', ...lines]));
  expect(file).toMatchObject({ additions: 3 } satisfies Partial<DiffFile>);
  expect(hiddenIn(aPullView(), again)?.count).toBe(1);
});
