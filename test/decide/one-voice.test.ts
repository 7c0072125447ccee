/** Whatever a persona or the PM says in public reads as a person wrote it, and what is exact in it keeps its bytes (NW-7). */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanPosition, cleanVerdict } from '../../src/decide/discussion/clean.ts';
import { renderFinding } from '../../src/decide/kinds/review/render-finding.ts';
import {
  renderPlanningAnswer,
  renderQuestions,
  sayAsPm,
} from '../../src/decide/plan/planning/render-planning.ts';
import { renderAnswer } from '../../src/decide/talk/conversation/render-answer.ts';
import { renderPullBody } from '../../src/decide/task/render-task-pull.ts';
import type { Planning } from '../../src/domain/plan/planning.ts';
import { CHANGE_VERDICTS, ISSUE_VERDICTS } from '../../src/domain/run/council.ts';
import type { Talk } from '../../src/domain/run/talk.ts';
import { readAnswer } from '../../src/domain/standup/standup-answer.ts';
import type { TaskRun } from '../../src/domain/task/task.ts';
import { aFinding } from '../helpers/a-finding.ts';
import { aPersona } from '../helpers/a-persona.ts';
import { aRun } from '../helpers/a-run.ts';
import { ORDER } from '../helpers/a-task.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { ANA, THREAD } from '../helpers/play.ts';
import { verifies } from '../verifies.ts';

/** What a reader acts on. */
const EXACT = [
  '`const a = in_order(to);`',
  'src/utilize/in.ts:41',
  '12,345.67',
  '41 %',
  'v1.2.3',
  '"needless to say, utilize it"',
  '#214',
];
const FILLERS = ['Basically, ', 'We utilize it. ', 'Great work! ', 'It is important to note that '];
const CANNED = /basically|we utilize|great work|important to note|great question/i;

const REVIEW = aRun('pr_review', { participants: [], lead: undefined });
const PLANNING = {
  id: 'q',
  thread: THREAD,
  actor: ANA,
  startedAt: '2026-03-02T08:59:30.000Z',
} as unknown as Planning;

function planning(said: string): Planning {
  const word = { risks: [said], questions: [said] };
  return { ...PLANNING, made: { word, looked: [], isOffline: true } } as unknown as Planning;
}

/** Each place where people read what a persona or the PM says. */
const PLACES: Readonly<Record<string, (said: string) => string>> = {
  'the reasons of a voice': (said) =>
    cleanPosition(aPosition({ reasons: said, findings: [] }), { thread: THREAD }).reasons,
  'the line of a voice': (said) =>
    cleanPosition(aPosition({ line: said, findings: [] }), { thread: THREAD }).line,
  'the headline of a verdict': (said) =>
    cleanVerdict(aVerdict({ headline: said }), { thread: THREAD }).headline,
  'why a finding matters': (said) =>
    renderFinding(aFinding({ source: 'model', why: said }), REVIEW, false),
  'the advice of a finding': (said) =>
    renderFinding(aFinding({ source: 'model', advice: said }), REVIEW, false),
  'the title of a finding': (said) =>
    renderFinding(aFinding({ source: 'model', title: said }), REVIEW, false),
  'an answer of the PM': (said) => sayAsPm(said, PLANNING),
  'a question of the PM': (said) => renderQuestions(planning(said)),
  'a risk of a plan': (said) => renderPlanningAnswer(planning(said), '', 0),
  'an answer in a conversation': (said) =>
    renderAnswer({
      text: said,
      references: [],
      talk: { id: 't', thread: THREAD, startedAt: PLANNING.startedAt } as unknown as Talk,
      persona: undefined,
      answersBefore: 0,
      calls: [],
      now: 0,
    }),
  'the summary of a change': (said) =>
    renderPullBody(
      {
        id: 'run',
        order: ORDER,
        attempt: 1,
        change: { from: 'f', patch: '', summary: said, decisions: [], paths: [] },
        calls: [],
      } as unknown as TaskRun,
      'head',
    ),
  'an insight of a standup': (said) =>
    readAnswer(
      { insights: [{ to: 'none', insight_type: 'risk', message: said, actionable: true }] },
      {
        run: 'r',
        persona: aPersona(),
        team: [],
        limits: { maxInsights: 3, maxWords: 200 },
        rules: { repository: 'acme/tidy' },
        cost: { model: 'm', costUsd: 0, tokens: 0, ms: 0 },
      },
    )?.insights[0]?.message ?? '',
};

describe('what is said in public', () => {
  verifies('NW-7', 'loses its filler in every place, and keeps what is exact in its order', () => {
    const part = fc.tuple(fc.constantFrom(...FILLERS), fc.constantFrom(...EXACT));
    const place = fc.constantFrom(...Object.keys(PLACES));
    fc.assert(
      fc.property(place, fc.array(part, { minLength: 1, maxLength: 5 }), (name, parts) => {
        const said = parts.map(
          ([filler, exact], n) => `${filler}See ${exact} for ${'abcde'[n]} there.`,
        );
        const text = PLACES[name]?.(`Great question! ${said.join(' ')}`) ?? '';
        let from = 0;
        for (const [, exact] of parts) {
          const at = text.indexOf(exact, from);
          expect(at, `${exact} in ${name}: ${text}`).toBeGreaterThanOrEqual(from);
          from = at + exact.length;
        }
        expect(text.replaceAll('"needless to say, utilize it"', '')).not.toMatch(CANNED);
      }),
      { numRuns: 300 },
    );
  });

  test('what a rule says, and evidence, come out as they are', () => {
    const words = 'Basically, it is read twice.';
    const rule = aFinding({ source: 'signal', why: words });
    expect(renderFinding(rule, REVIEW, false)).toContain(words);
    const evidence = aFinding({ source: 'model', evidence: words });
    expect(renderFinding(evidence, REVIEW, false)).toContain(words);
  });

  test('a verdict decides what it decided, however it is worded', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ISSUE_VERDICTS, ...CHANGE_VERDICTS),
        fc.constantFrom(...FILLERS),
        (word, filler) => {
          const plain = aVerdict({ verdict: word, headline: 'It holds.', reasons: 'One flag.' });
          const wordy = aVerdict({
            verdict: word,
            headline: `Great question! It holds.`,
            reasons: `${filler}One flag.`,
          });
          const without = ({ reasons: _r, headline: _h, ...decided }: typeof plain) => decided;
          const run = { thread: THREAD };
          expect(without(cleanVerdict(wordy, run))).toEqual(without(cleanVerdict(plain, run)));
        },
      ),
    );
  });
});
