/**
 * A look into a build with a fresh view: it stops, reports that the build is green again, starts
 * over, or takes the next step.
 */
import { describe, expect, test } from 'vitest';
import { onBuild } from '../../../../src/decide/kinds/build/look.ts';
import type { BuildReading, BuildView } from '../../../../src/domain/build/build-view.ts';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import type { LookFor } from '../../../../src/domain/run/state/run-base.ts';
import type { Run } from '../../../../src/domain/run/state/run-record.ts';
import {
  aBuildLook,
  aBuildRun,
  aBuildState,
  aBuildView,
  aReading,
  BRANCH,
  lookOf,
} from '../../../helpers/a-build-view.ts';
import { aPersona } from '../../../helpers/a-persona.ts';
import { at, NOW, contextOf, wantedBy } from '../../../helpers/a-run.ts';
import { aComment, aVerdict } from '../../../helpers/an-issue.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';

type Look = Run<'build_failure'>;

const LEAD = { handle: 'carlos', name: 'Carlos', role: 'Tech Lead' };
const TEAM = [
  aPersona({ ...LEAD, lead: true, triggers: ['build_failure'] }),
  aPersona({ handle: 'dev', name: 'Dev', role: 'Implementer', triggers: ['build_failure'] }),
];
const SAID = { ...LEAD, handle: 'dev', round: 1, outcome: 'skipped' as const };

function looking(next: LookFor, over: Partial<Look> = {}): Look {
  return aBuildLook({ phase: { kind: 'looking', next, effectId: 'look' }, lead: LEAD, ...over });
}

/** Before anything was reported or read. */
const FRESH = { where: BRANCH, runs: [], green: undefined, times: 1 };

function take(run: Look, view: Partial<BuildView> = {}, over: Parameters<typeof lookOf>[1] = {}) {
  const context = contextOf(run, { now: NOW + 5_000 });
  const whole = aBuildView({ reading: aReading(), personas: TEAM, ...view });
  const outcome = onBuild(context, { effectId: 'look', result: lookOf(whole, over) });
  const asked = context.step.effects.flatMap(({ data }) =>
    data.kind === 'ask' ? [`${data.persona} ${data.purpose}`] : [data.kind],
  );
  return { outcome, asked, run, context };
}

describe('a view', () => {
  test('that nobody waits for changes nothing', () => {
    for (const phase of [
      { kind: 'looking', next: 'start', effectId: 'later' },
      { kind: 'waiting' },
    ] as const) {
      const run = aBuildLook({ phase });
      const before = structuredClone(run);
      expect(take(run).outcome).toEqual({
        kind: 'ignored',
        reason: 'a later look replaced this one',
      });
      expect(run).toEqual(before);
    }
  });

  test('of the news is taken as such', () => {
    const run = aBuildLook({ recheck: 'look', status: 'consensus', phase: { kind: 'ended' } });
    expect(take(run).outcome).toMatchObject({
      reason: expect.stringContaining('the same failure'),
    });
    expect(run).not.toHaveProperty('recheck');
  });

  test('is kept with what it cost, and the first marks around foreign words stay', () => {
    const config = { ...defaultConfig(), labels: { ...defaultConfig().labels, ready: 'go' } };
    const repository = { ...aBuildView().repository, host: 'github.test' };
    const { run } = take(
      looking('start', { githubCalls: 4 }),
      { config, repository, headSha: 'f' },
      { unchangedRuns: 6 },
    );
    expect(run).toMatchObject({
      githubCalls: 7,
      unchangedRuns: 6,
      headSha: 'f',
      host: 'github.test',
      nonce: 'a1b2c3d4e5f6a7b8c9d0e1f2',
      settings: { labels: { ready: 'go' } },
    });
    expect(take(looking('start', { nonce: 'f'.repeat(16) })).run).toMatchObject({
      nonce: 'f'.repeat(16),
    });
    expect(take(looking('start')).run).not.toHaveProperty('host');
  });

  test('of a red build is counted, and what else it says of it is not', () => {
    const runs = [aBuildRun({ id: 777 })];
    expect(take(looking('round'), { runs }).run.build).toMatchObject({ runs, times: 2 });
    expect(take(looking('round'), { runs, verdict: 'open' }).run.build).toMatchObject({
      runs: [aBuildRun()],
      times: 1,
    });
  });
});

describe('who is asked', () => {
  const by = (author: string, isByBot = false) => ({
    sha: 's',
    title: 't',
    author,
    isByBot,
    at: at(0),
  });
  const range = (...commits: ReturnType<typeof by>[]): NonNullable<BuildReading['range']> => ({
    commits,
    suspects: 0,
    total: commits.length,
    patches: [],
  });
  const thread = (assignees: string[]) =>
    ({ ...aBuildView().thread, assignees }) as NonNullable<BuildView['thread']>;

  test.each<[string, string, Partial<BuildView>]>([
    [
      'the assignee',
      'tom',
      { thread: thread(['tom', 'ana']), reading: aReading({ range: range(by('eve')) }) },
    ],
    [
      'whoever made the first commit',
      'eve',
      { reading: aReading({ range: range(by('eve'), by('ana')) }) },
    ],
    [
      'the first who is no bot',
      'ana',
      { reading: aReading({ range: range(by('ci', true), by('ana')) }) },
    ],
    [
      'the owner, where a name is no login',
      'acme',
      { reading: aReading({ range: range(by('Eve Smith')) }) },
    ],
    [
      'the owner, where a name is too long',
      'acme',
      { reading: aReading({ range: range(by('e'.repeat(40))) }) },
    ],
    [
      'somebody with the longest login',
      'e'.repeat(39),
      { reading: aReading({ range: range(by('e'.repeat(39))) }) },
    ],
    ['the owner, where nobody is suspected', 'acme', {}],
  ])('is %s', (_, owner, view) => {
    expect(take(looking('start'), view).run.settings.owner).toBe(owner);
  });

  test('is taken from the earlier reading when nothing is read again', () => {
    const build = aBuildState({ reading: aReading({ range: range(by('eve')) }) });
    const { reading: _, ...view } = aBuildView({ personas: TEAM });
    const run = looking('round', { build });
    onBuild(contextOf(run), { effectId: 'look', result: lookOf(view) });
    expect(run.settings.owner).toBe('eve');
  });
});

describe('the look ends', () => {
  const closed = { ...aBuildView().thread, state: 'closed' } as NonNullable<BuildView['thread']>;

  test.each<[string, string, boolean, Partial<BuildView>, string | undefined]>([
    ['closed', 'the pull request was closed', false, { thread: closed }, undefined],
    ['stopped', 'somebody changed the team', false, {}, 'somebody changed the team'],
    ['void', 'it was deleted', true, { void: 'it was deleted', verdict: 'green' }, undefined],
    ['green, and nobody was told', 'it is green now', true, { verdict: 'green' }, undefined],
    ['run again', 'it is being run again', true, { verdict: 'open' }, undefined],
  ])('where it is %s', (_, ...[reason, isQuiet, view, stopped]) => {
    const build = isQuiet ? structuredClone(FRESH) : aBuildState();
    const { outcome, asked, run } = take(
      looking('start', { build }),
      view,
      stopped === undefined ? {} : { stopped },
    );
    expect(outcome).toEqual({ kind: 'handled' });
    expect(run).toMatchObject({ status: 'closed', endReason: reason, phase: { kind: 'ended' } });
    expect(asked).toEqual(isQuiet ? [] : ['comment']);
  });

  test('and says that the build is green again, when the failure was reported', () => {
    const { run, asked } = take(looking('round'), { verdict: 'green' });
    expect(run.build?.healed).toEqual(aBuildRun());
    expect([run.endReason, asked]).toEqual(['the build is green again', ['comment']]);
  });

  test('quietly where nothing of it could be read', () => {
    const run = looking('start', { build: structuredClone(FRESH) });
    const { reading: _, ...view } = aBuildView({ personas: TEAM });
    const context = contextOf(run);
    expect(onBuild(context, { effectId: 'look', result: lookOf(view) })).toEqual({
      kind: 'handled',
    });
    expect(run).toMatchObject({ status: 'closed', endReason: 'nothing of it could be read' });
    expect(wantedBy(context).effects).toEqual([]);
  });
});

describe('the next step', () => {
  test.each<[LookFor, string[], string]>([
    ['start', ['dev position', 'carlos lead-alone', 'comment'], 'gathering'],
    ['verdict', ['carlos verdict', 'comment'], 'concluding'],
  ])('after a look for %s asks', (next, asked, phase) => {
    const found = take(looking(next));
    expect(found.outcome).toEqual({ kind: 'handled' });
    expect(found.asked.toSorted()).toEqual(asked.toSorted());
    expect(found.run.phase.kind).toBe(phase);
  });

  test('of a round asks the next voice in line', () => {
    const over = {
      queue: ['dev'],
      contributions: [SAID],
      participants: [{ ...LEAD, handle: 'dev' }],
    };
    expect(take(looking('round', over)).asked).toEqual(['dev position', 'comment']);
  });

  test('is a word to its owner, before they are reminded', () => {
    const needsYou = { owner: 'tom', question: 'Which?', since: at(0), reminders: 0 };
    const { asked, run } = take(looking('reminder', { status: 'blocked', needsYou }));
    expect([asked, run.needsYou?.reminders]).toEqual([['comment'], 1]);
  });

  test('tells people, and keeps what was looked at', () => {
    const [job] = aReading().jobs;
    const reading = aReading({
      files: [{ path: 'src/a.ts', from: 1, text: 'a' }],
      notRead: ['one log'],
      jobs: job === undefined ? [] : [{ ...job, hidden: 3 }, job, { ...job, hidden: 4 }],
    });
    const build = structuredClone(FRESH);
    const { run } = take(looking('start', { build }), {
      reading,
      notRead: ['two roles'],
      comments: [aComment({ id: 70 })],
    });
    expect(run.build).toMatchObject({ isTold: true, times: 1 });
    expect(run.heardCommentId).toBe(70);
    expect(run.lookedAt).toEqual({
      files: ['src/a.ts'],
      pastIssues: [],
      notRead: ['one log', 'two roles'],
      hidden: 7,
    });
  });

  test('in public says nothing of credentials in the log', () => {
    const reading = aReading({ secrets: 2 });
    const secretsIn = (isPrivate: boolean) =>
      take(looking('start'), { reading, repository: { ...aBuildView().repository, isPrivate } }).run
        .build?.reading?.secrets;
    expect([secretsIn(true), secretsIn(false)]).toEqual([2, 0]);
  });
});

describe('another failure than the one that is discussed', () => {
  const needsYou = { owner: 'tom', question: 'Which?', since: at(0), reminders: 0 };
  const run = () =>
    looking('verdict', {
      round: 2,
      contributions: [SAID],
      inFlight: [{ effectId: 'e', handle: 'dev', purpose: 'position' }],
      status: 'blocked',
      leadAlone: 'HUMAN',
      verdict: aVerdict({ verdict: 'HUMAN' }),
      needsYou,
    });

  test('is discussed from the first round again', () => {
    const found = take(run(), { reading: aReading({ fingerprint: 'second' }) });
    expect(found.asked.toSorted()).toEqual(['carlos lead-alone', 'comment', 'dev position']);
    expect(found.run).toMatchObject({
      round: 1,
      contributions: [],
      inFlight: [],
      status: 'active',
    });
    for (const gone of ['leadAlone', 'verdict', 'needsYou'])
      expect(found.run).not.toHaveProperty(gone);
    expect(found.run.build?.reading?.fingerprint).toBe('second');
  });

  test('is not found when the failure is the same', () => {
    const found = take(run());
    expect(found.asked.toSorted()).toEqual(['carlos verdict', 'comment']);
    expect(found.run).toMatchObject({ round: 2, contributions: [SAID] });
  });
});

describe('an answer', () => {
  const needsYou = { owner: 'tom', question: 'Which?', since: at(0), reminders: 0 };
  const blocked = () => looking('answer', { status: 'blocked', needsYou, heardCommentId: 60 });
  const stranger = { id: 44, login: 'eve', isBot: false };

  test.each([
    ['by somebody with triage', true, { permission: 'triage' as const, author: stranger }],
    ['by a stranger', false, { permission: 'read' as const, author: stranger }],
    ['that was in view before', false, { id: 60, permission: 'write' as const, author: ANA }],
  ])('%s lets it go on: %s', (_, goesOn, over) => {
    const { run, asked, outcome } = take(blocked(), { comments: [aComment({ id: 61, ...over })] });
    expect(run.status).toBe(goesOn ? 'active' : 'blocked');
    expect(asked.toSorted()).toEqual(goesOn ? ['carlos verdict', 'comment'] : []);
    if (!goesOn)
      expect(outcome).toEqual({ kind: 'ignored', reason: 'nobody entitled to has answered' });
  });

  test('is not waited for where there is no thread to give it on', () => {
    const run = blocked();
    const { thread: _, ...view } = aBuildView({ reading: aReading(), personas: TEAM });
    expect(onBuild(contextOf(run), { effectId: 'look', result: lookOf(view) })).toEqual({
      kind: 'handled',
    });
    expect(run.thread).toEqual(THREAD);
  });
});
