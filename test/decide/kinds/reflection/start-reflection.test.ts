/** Which runs are looked back on, once, and what of them is looked at. */
import { describe, expect, test } from 'vitest';
import { runKindOf } from '../../../../src/decide/kinds/run-kinds.ts';
import { reflectOn } from '../../../../src/decide/kinds/reflection/start-reflection.ts';
import { EVENT_VERSION, type Event } from '../../../../src/domain/event/event.ts';
import type { CouncilFinding } from '../../../../src/domain/run/council.ts';
import type { Run } from '../../../../src/domain/run/state/run-record.ts';
import { aRun, contextOf, NOW, wantedBy } from '../../../helpers/a-run.ts';
import { aPosition, aVerdict } from '../../../helpers/an-issue.ts';

type IssueRun = Run<'issue_review'>;

const EVENT: Event = {
  id: 'e1',
  key: 'thread:7/12',
  version: EVENT_VERSION,
  at: new Date(NOW).toISOString(),
  data: { kind: 'timer', timer: '', run: '' },
};
const FINDING: CouncilFinding = { severity: 'high', title: 'No test', evidence: 'none' };
const NOTE = { id: '0123456789', persona: 'maya', text: 'ships on Mondays' };
const MAYA = { handle: 'maya', name: 'Maya', role: 'Reviewer' };

function said(findings: CouncilFinding[]) {
  return { ...MAYA, round: 1, outcome: 'said' as const, position: aPosition({ findings }) };
}

function anEnded(over: Partial<IssueRun> = {}): IssueRun {
  return aRun('issue_review', {
    id: 'run-1',
    phase: { kind: 'ended' },
    status: 'consensus',
    headSha: 'a'.repeat(40),
    verdict: aVerdict({ headline: 'worth doing' }),
    contributions: [said([FINDING])],
    lookedAt: { files: [], pastIssues: [], notRead: [], hidden: 0, notes: [] },
    ...over,
  });
}

function reflect(run: Run<'issue_review'> | Run<'pr_review'> | Run<'build_failure'>) {
  const context = contextOf(run);
  const again = () => reflectOn(context, EVENT, runKindOf({ trigger: 'reflection' }));
  again();
  const key = Object.keys(context.state.runs).find((each) => each.startsWith('reflection'));
  const begun = key === undefined ? undefined : (context.state.runs[key] as Run<'reflection'>);
  return { context, begun, again, effects: wantedBy(context).effects };
}

test('a run that found something is looked back on once, in the name of who asked', () => {
  const { begun, again, effects, context } = reflect(anEnded());
  expect(begun).toMatchObject({ trigger: 'reflection', actor: { login: 'ana' }, label: '' });
  expect(effects.map(({ kind }) => kind)).toEqual(['look-memory']);
  again();
  expect(context.step.effects).toHaveLength(1);
});

describe('is looked back on', () => {
  const clean = { contributions: [said([])] };
  const notes = { files: [], pastIssues: [], notRead: [], hidden: 0, notes: [NOTE] };
  const cites = aVerdict();
  const CASES: [string, Partial<IssueRun>, boolean][] = [
    ['a run that found something', {}, true],
    [
      'a run in which a person answered',
      { ...clean, answered: { owner: 'ana', question: 'q', by: 'tom' } },
      true,
    ],
    [
      'a run that used a note',
      { ...clean, lookedAt: notes, verdict: { ...cites, memory: [NOTE.id] } },
      true,
    ],
    ['a clean run', clean, false],
    ['a run that goes on', { status: 'active' }, false],
    ['a run that waits for a person', { status: 'blocked' }, false],
    ['a run that was stopped', { status: 'closed' }, false],
    ['a run that is still writing', { phase: { kind: 'waiting' } }, false],
    ['a run without a verdict', { verdict: undefined } as never, false],
    [
      'a run where nothing is remembered',
      { lookedAt: { files: [], pastIssues: [], notRead: [], hidden: 0 } },
      false,
    ],
  ];
  test.each(CASES)('%s', (_, over, isWorthIt) => {
    expect(reflect(anEnded(over)).begun !== undefined).toBe(isWorthIt);
  });
});

describe('what is looked at', () => {
  const materialOf = (run: Parameters<typeof reflect>[0]) => reflect(run).begun?.material;

  test('is the verdict, what each voice found and where, and who answered', () => {
    const placed = { ...FINDING, place: { path: 'src/a.ts', line: 3, endLine: 5 } };
    const inFile = { ...FINDING, place: { path: 'src/a.ts' } };
    const run = anEnded({
      contributions: [
        said([placed, inFile, FINDING]),
        { ...MAYA, handle: 'zoe', round: 1, outcome: 'absent' },
      ],
      answered: { owner: 'ana', question: 'Keep it?', by: 'tom', words: 'Yes.' },
      author: { id: 200, login: 'tom' },
      trust: 'contributor',
    });
    const found = { severity: 'high', title: 'No test', evidence: 'none' };
    expect(materialOf(run)).toEqual({
      run: 'run-1',
      subject: 'issue',
      headSha: 'a'.repeat(40),
      verdict: 'READY',
      headline: 'worth doing',
      voices: [
        {
          handle: 'maya',
          vote: 'READY',
          line: 'small and clear',
          findings: [
            { ...found, path: 'src/a.ts', line: 3, endLine: 5 },
            { ...found, path: 'src/a.ts' },
            found,
          ],
        },
      ],
      answered: { question: 'Keep it?', by: 'tom', words: 'Yes.' },
      author: { id: 200, login: 'tom' },
      trust: 'contributor',
      cited: [],
    });
  });

  test('names nobody who is not known, and trusts nobody then', () => {
    const run = anEnded({ answered: { owner: 'ana', question: 'q', by: 'tom' } });
    const material = materialOf(run);
    expect(material).toMatchObject({ trust: 'stranger', answered: { question: 'q', by: 'tom' } });
    expect(material).not.toHaveProperty('author');
    expect(material?.answered).not.toHaveProperty('words');
  });

  test.each([
    ['pr_review', 'change'],
    ['build_failure', 'change'],
  ] as const)('of a %s is a %s', (kind, subject) => {
    const { phase, status, verdict, contributions, lookedAt } = anEnded();
    const over = { phase, status, verdict, contributions, lookedAt } as never;
    expect(materialOf(aRun(kind, over))?.subject).toBe(subject);
  });
});
