/** A person asks for a review, a discussion or a search of the code by command. */
import { describe, expect, test } from 'vitest';
import { aPersona } from '../../../helpers/a-persona.ts';
import { TEAM } from '../../../helpers/an-issue.ts';
import { THREAD } from '../../../helpers/play.ts';
import { aRunHere } from './run-here.ts';
import { refusal, say, sumUp, type Setup } from './say-on-thread.ts';
import { runOf } from '../../../../src/decide/run/thread-context.ts';

const HELD =
  'This thread is on hold (label `hold`): no new work starts here. `/pm unhold` removes the hold.';
const PULL: Setup = { issue: { isPull: true } };
const BEGUN = { said: '', reaction: 'eyes', edits: [], told: [] };

test.each([
  ['/pm review', PULL],
  ['/pm deliberate', {}],
  ['/pm watch', {}],
])('%s begins nothing on hold, nor for somebody who may not spend', (words, context) => {
  const held = say(words, { issue: { ...context.issue, labels: ['hold'] } });
  expect(sumUp(held)).toEqual(refusal(HELD));
  expect(held.state.runs).toEqual({});
  const denied = say(words, { ...context, view: { permission: 'read' } });
  expect(denied.reaction).toBe('confused');
  expect(denied.wants).toEqual([]);
  expect(denied.state.runs).toEqual({});
});

describe('/pm review', () => {
  test.each([
    ['/pm review', undefined],
    ['/pm review @maya, Dev @maya', ['maya', 'dev']],
  ])('%s begins one', (words, named) => {
    const came = say(words, PULL);
    expect(sumUp(came)).toEqual({ ...BEGUN, wants: ['look-pull in no lane, waits'] });
    const run = runOf(came.state, 'pr_review');
    expect(run).toMatchObject({
      status: 'active',
      label: '/pm review',
      isRequested: true,
      actor: { login: 'ana' },
      askedIn: { id: 900, place: 'thread' },
    });
    expect(run?.named).toEqual(named);
  });

  test('names whom it can ask where one is asked for who is not there', () => {
    const personas = [...TEAM, aPersona({ handle: 'zoe', name: 'Zoe', active: false })];
    const came = say('/pm review @maya @nobody', { ...PULL, view: { personas } });
    expect(sumUp(came)).toEqual(
      refusal(
        'The team has no member called `nobody`. The team: `carlos`, `maya`, `priya`, `dev`.',
      ),
    );
    expect(came.state.runs).toEqual({});
  });

  test('works on pull requests only', () => {
    expect(sumUp(say('/pm review'))).toEqual(refusal('This command works only on pull requests.'));
  });
});

describe('/pm deliberate', () => {
  test.each([
    ['/pm deliberate', undefined],
    ['/pm deliberate is it worth a flag?', 'is it worth a flag?'],
  ])('%s begins a discussion', (words, question) => {
    const came = say(words);
    expect(sumUp(came)).toEqual({ ...BEGUN, wants: ['look in no lane, waits'] });
    expect(runOf(came.state, 'issue_review')).toMatchObject({ label: '/pm deliberate' });
    expect(runOf(came.state, 'issue_review')?.question).toBe(question);
    expect(runOf(came.state, 'issue_review')).not.toHaveProperty('named');
  });

  test('is not for pull requests', () => {
    const words = 'Pull requests are reviewed, not discussed: `/pm review`.';
    expect(sumUp(say('/pm deliberate', PULL))).toEqual(refusal(words));
  });

  test('joins a discussion that goes on', () => {
    const runs = { issue_review: aRunHere() } as never;
    const came = say('/pm deliberate another question', { state: { runs } });
    const said = 'It is already running; one answer serves both requests.';
    expect(sumUp(came)).toEqual({ ...refusal(said), reaction: '+1' });
    expect(runOf(came.state, 'issue_review')).toEqual(aRunHere());
  });

  const needsYou = { owner: 'tom', question: 'Keep `it`?', since: '2026-03-02T08:00:59Z' };
  const hint =
    'A comment by them, by the author or by anybody with the `triage` role lets it go on; `/pm stop` ends it.';

  test.each([
    [
      { needsYou },
      `It waits for an answer by \`tom\` since 2026-03-02T08:00Z: \`Keep 'it'?\`. ${hint}`,
    ],
    [{}, `It waits for an answer by \`ana\`. ${hint}`],
  ])('tells what a discussion waits for: case %#', (over, said) => {
    const runs = { issue_review: aRunHere({ status: 'blocked', ...over }) } as never;
    const came = say('/pm deliberate', { state: { runs } });
    expect(sumUp(came)).toEqual(refusal(said));
    expect(runOf(came.state, 'issue_review')?.status).toBe('blocked');
  });
});

describe('a review that waits for a person', () => {
  const blocked = (over: object): Setup => {
    const run = { trigger: 'pr_review', status: 'blocked', said: 'x', written: [] };
    return { ...PULL, state: { runs: { pr_review: aRunHere({ ...run, ...over }) } } };
  };

  test('makes room for one by others', () => {
    const came = say('/pm review maya', blocked({}));
    expect(came.reaction).toBe('eyes');
    expect(runOf(came.state, 'pr_review')).toMatchObject({ status: 'active', named: ['maya'] });
    expect(runOf(came.state, 'pr_review')?.id).not.toBe('run1');
    expect(runOf(say('/pm review', blocked({})).state, 'pr_review')?.id).toBe('run1');
  });

  test('is joined while its words are on their way', () => {
    const came = say('/pm review maya', blocked({ posting: { effectId: 'e' } }));
    expect(came.said).toBe('It is already running; one answer serves both requests.');
    expect(runOf(came.state, 'pr_review')?.id).toBe('run1');
  });
});

describe('/pm watch', () => {
  test.each([
    ['/pm watch', undefined],
    ['/pm watch src/a.ts', 'src/a.ts'],
    ['/pm watch ./src/', 'src'],
    ['/pm watch /src//', 'src'],
  ])('%s searches %s', (words, path) => {
    const came = say(words);
    expect(sumUp(came)).toEqual({ ...BEGUN, wants: ['look-code in no lane, waits'] });
    expect(runOf(came.state, 'code_watch')?.path).toBe(path);
    expect(runOf(came.state, 'code_watch')).toMatchObject({ label: '/pm watch', thread: THREAD });
    expect(came.state.undos).toMatchObject([
      { kind: 'never', why: 'close the issues that it opened by hand' },
    ]);
  });
});

test('two requests in one comment are two runs', () => {
  const came = say('/pm deliberate\n/pm watch');
  expect(Object.keys(came.state.runs)).toEqual(['issue_review', 'code_watch']);
  expect(runOf(came.state, 'issue_review')?.id).not.toBe(runOf(came.state, 'code_watch')?.id);
});
