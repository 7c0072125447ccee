/** A task's life, result by result. */
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../src/domain/event/event.ts';
import type { Result } from '../../../src/domain/event/result.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import type { TaskNews } from '../../../src/domain/task/task.ts';
import {
  ANA,
  BASE,
  GOOD,
  HEAD,
  LEASE,
  mergeView as view,
  ORDER,
  playTask,
  playToPull,
  receipts,
  REVIEWED,
  TOM,
  type MergeViewOver as Over,
  type TaskPlay,
} from '../../helpers/a-task.ts';
import { verifies } from '../../verifies.ts';

function news(play: TaskPlay): TaskNews[] {
  return play.told.flatMap(({ data }) => (data.kind === 'task-told' ? [data.news] : []));
}

const MAIN = { branch: 'main', sha: 'a'.repeat(40) };

function wantsMerge(by: typeof ANA, headSha = HEAD): Event['data'] {
  const word = { by, headSha, at: '2026-11-22T09:00:00Z' };
  return { kind: 'pull-told', run: 'r', news: { kind: 'merge', word } };
}

describe('a claim that is cancelled while it is under way', () => {
  verifies('TG-4', 'is given back when it comes through all the same', () => {
    const play = playTask();
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.send({ kind: 'task-word', run: 'p', word: 'release', by: TOM, why: '' });
    expect(news(play).at(-1)).toMatchObject({ state: 'released' });
    expect(play.effects.map(({ data }) => data.kind)).toEqual(['claim']);
    expect(play.answer(GOOD.claim)).toBeUndefined();
    expect(play.last('release')).toMatchObject({
      lease: { fence: 1 },
      end: { status: 'pending', reason: 'given back by tom' },
    });
    expect(play.last('plan-edit')).toMatchObject({
      edits: [{ task: 2, status: 'pending' }, { assignee: '' }],
      holds: { lease: { fence: 1 } },
    });
  });

  test('leaves nothing behind where it did not come through', () => {
    const play = playTask();
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.send({ kind: 'task-word', run: 'p', word: 'release', by: TOM, why: '' });
    const held = { outcome: 'held', reason: 'held by there/run' } as const;
    expect(play.answer({ effectKind: 'claim', result: held })).toBe('nothing waits for it');
  });
});

describe('a task that goes well', () => {
  verifies(
    ['TG-4', 'TG-6', 'CB-17'],
    'is claimed, written, proved, published, reviewed and merged',
    () => {
      const play = playToPull();
      const adopted = play.told.map(({ data }) => data).find(({ kind }) => kind === 'adopted');
      expect(adopted).toMatchObject({ headSha: HEAD, isNew: true, thread: { number: 9 } });
      expect(play.last('publish').title).toBe('Say hello (#4, task 2)');
      play.send(REVIEWED);
      play.answer(view());
      expect(play.stream().run?.missing).toEqual([
        '`/pm merge` by somebody with write access',
        'the approval of this head by somebody other than `ana`, who asked for the work',
      ]);
      play.send(wantsMerge(TOM));
      play.answer(view());
      expect(play.last('merge')).toMatchObject({ sha: HEAD, method: 'squash' });
      play.answer({ effectKind: 'merge', result: { outcome: 'merged', sha: 'd'.repeat(40) } });
      play.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
      expect(news(play).map(({ state }) => state)).toEqual(['claimed', 'in_review', 'completed']);
      expect(play.stream().run?.phase.kind).toBe('ended');
      expect(play.last('release').lease.fence).toBe(1);
    },
  );

  test('says in its commit whose task it is, and ends with its trailers', () => {
    const play = playToPull();
    const lines = play.last('verify').commit.message.trimEnd().split('\n');
    expect(lines[0]).toBe('task(2): Say hello');
    expect(lines.slice(-3)).toEqual([
      'Quorum-Task: 4/2',
      `Quorum-Run: ${play.stream().run?.id ?? ''}`,
      'Co-authored-by: ana <11+ana@users.noreply.github.com>',
    ]);
    expect(play.last('publish').commit).toEqual(play.last('verify').commit);
  });
});

test('names accounts by the host of an Enterprise Server', () => {
  const play = playTask();
  play.send({ kind: 'task-go', run: 'plan', order: ORDER });
  const { claim, code } = GOOD;
  play.answer({ ...claim, result: { ...claim.result, accountHost: 'git.example.org' } });
  play.answer(code);
  expect(play.last('verify').commit.coAuthor).toBe('ana <11+ana@users.noreply.git.example.org>');
});

describe('what stops a task', () => {
  verifies(['TG-5'], 'is the first gate that does not pass, in a sentence of its own', () => {
    const play = playTask();
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    play.answer(GOOD.code);
    const failing = receipts(HEAD, { 2: { result: 'failed', sentence: '1 of 5 tests fails.' } });
    play.answer({ effectKind: 'verify', result: { headSha: HEAD, receipts: failing } });
    expect(play.effects.some(({ data }) => data.kind === 'publish')).toBe(false);
    expect(play.last('plan-edit').edits[0]).toMatchObject({
      status: 'pending',
      reason: '1 of 5 tests fails.',
    });
    play.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
    expect(news(play).at(-1)).toMatchObject({ state: 'failed', reason: '1 of 5 tests fails.' });
  });

  verifies('TG-5', 'is passed to the next attempt with the output, as data', () => {
    const play = playTask();
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    for (const result of [GOOD.claim, GOOD.code]) play.answer(result);
    const failed = { result: 'failed' as const, sentence: 'It fails.', log: 'not ok 1 - adds' };
    const failing = receipts(HEAD, { 2: failed });
    play.answer({ effectKind: 'verify', result: { headSha: HEAD, receipts: failing } });
    expect(play.last('plan-edit').edits[0]).toMatchObject({ reason: 'It fails.' });
    play.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
    expect(news(play).at(-1)).toMatchObject({ state: 'failed', log: 'not ok 1 - adds' });
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    expect(JSON.stringify(play.last('code').prompt)).toContain('not ok 1 - adds');
  });

  test('is a third failure: then a person looks, and lets it be tried again', () => {
    const play = playTask();
    for (const attempt of [1, 2, 3]) {
      play.send({ kind: 'task-go', run: 'plan', order: ORDER });
      expect(play.stream().run?.attempt).toBe(attempt);
      play.answer(GOOD.claim);
      play.answer({ ...GOOD.code, result: { ...GOOD.code.result, patch: '' } });
      play.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
    }
    expect(news(play).at(-1)).toMatchObject({
      state: 'blocked',
      reason: 'failed 3 times, last: the coder changed nothing',
    });
    play.send({ kind: 'task-word', run: 't', word: 'again', by: ANA, why: '' });
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    expect(play.stream().run?.attempt).toBe(1);
  });

  test('is a person, and nothing that is still carried out moves it after that', () => {
    const play = playTask();
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    play.send({ kind: 'task-word', run: 't', word: 'block', by: ANA, why: 'wait' });
    expect(play.answer(GOOD.code)).toBe('nothing waits for it');
    play.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
    expect(news(play).at(-1)).toMatchObject({ state: 'blocked', reason: 'stopped by ana: wait' });
    expect(play.last('release').task).toBe(2);
  });

  test('is a claim that somebody else holds: nothing was taken, so nothing is given back', () => {
    const play = playTask();
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer({ effectKind: 'claim', result: { outcome: 'held', reason: 'held by there/x' } });
    expect(news(play).at(-1)).toMatchObject({ state: 'released', reason: 'held by there/x' });
    expect(play.effects.map(({ data }) => data.kind)).toEqual(['claim']);
  });

  verifies('CB-14b', 'is a budget that is used up: it is given back and waits an hour', () => {
    const play = playTask();
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    play.fail('code', 'budget-day');
    expect(play.last('plan-edit').edits[0]).toMatchObject({ status: 'pending' });
    play.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
    expect(play.stream().failures).toBe(0);
    const last = news(play).at(-1);
    if (last === undefined) throw new Error('the plan was told nothing');
    const { state, reason, at, waitsUntil } = last;
    expect({ state, reason }).toEqual({ state: 'released', reason: 'it was budget-day' });
    expect(Date.parse(waitsUntil ?? at) - Date.parse(at)).toBeGreaterThan(3_500_000);
  });

  test('is a missing sandbox: that does not count as an attempt', () => {
    const play = playTask();
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    play.fail('code', 'no-sandbox');
    play.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
    expect(news(play).at(-1)?.state).toBe('blocked');
    expect(play.stream().failures).toBe(0);
  });
});

describe('a merge', () => {
  const cases: [string, Over, string][] = [
    [
      'a head that is not the one that was proved',
      { pull: { headSha: 'e'.repeat(40) } },
      'somebody pushed eeeeeeeeeeee',
    ],
    [
      'a base that nobody said yes to',
      { pull: { baseRef: 'release' } },
      'it would merge into `release` now',
    ],
    ['a draft', { pull: { isDraft: true } }, 'it is a draft'],
    ['a hold', { pull: { labels: ['hold'] } }, 'the label `hold` is on'],
    ['a reviewer who was asked', { pull: { requestedReviewers: ['eve'] } }, 'the review of `eve`'],
    [
      'a required check that is neutral',
      { required: [{ name: 'ci', state: 'failure' }] },
      'the required check `ci` (failure)',
    ],
    [
      'a required check that nobody reported',
      { required: [{ name: 'ci', state: 'missing' }] },
      'the required check `ci` (missing)',
    ],
    [
      'somebody who may not write any more',
      { permissions: { [TOM.id]: 'read' } },
      'the approval of this head',
    ],
  ];
  test.each(cases)('waits for %s', (_, over, missing) => {
    const play = playToPull();
    play.send(REVIEWED);
    play.answer(view());
    play.send(wantsMerge(TOM));
    play.answer(view(over));
    expect(play.effects.some(({ data }) => data.kind === 'merge')).toBe(false);
    expect(play.stream().run?.missing?.join('\n')).toContain(missing);
  });

  test('waits for conversations that the base wants resolved', () => {
    const play = playToPull();
    play.send(REVIEWED);
    play.answer(view({ pull: { unresolved: 2 } }));
    expect(play.stream().run?.missing).toContain('2 conversations have to be resolved');
  });

  const RESTS = [wantsMerge(TOM)];

  verifies(['TG-6'], 'goes through the merge queue where the base has one, once', () => {
    const play = playToPull();
    play.send(REVIEWED);
    play.answer(view());
    for (const word of RESTS) play.send(word);
    play.answer(view({ hasMergeQueue: true }));
    expect(play.last('merge')).toMatchObject({ sha: HEAD, isQueued: true });
    play.answer({ effectKind: 'merge', result: { outcome: 'queued' } });
    expect(play.last('check').checks[0]).toMatchObject({
      conclusion: 'success',
      title: 'It is in the repository’s merge queue',
    });
    const merges = () => play.effects.filter(({ data }) => data.kind === 'merge').length;
    play.send({ kind: 'pull-told', run: 'r', news: { kind: 'moved' } });
    play.answer(view({ hasMergeQueue: true, pull: { isInQueue: true } }));
    play.send({ kind: 'pull-told', run: 'r', news: { kind: 'moved' } });
    play.answer(view({ hasMergeQueue: true }));
    expect([merges(), play.stream().run?.missing?.join()]).toEqual([
      1,
      'the repository’s merge queue gave it back: `/pm merge` puts it in again',
    ]);
    for (const word of RESTS) play.send(word);
    play.answer(view({ hasMergeQueue: true }));
    expect(merges()).toBe(2);
    play.answer({ effectKind: 'merge', result: { outcome: 'queued' } });
    play.send({ kind: 'pull-told', run: 'r', news: { kind: 'moved' } });
    play.answer(view({ pull: { state: 'closed', isMerged: true, mergeSha: 'd'.repeat(40) } }));
    expect(play.last('plan-edit').edits[0]).toMatchObject({ status: 'completed' });
  });

  verifies(['TG-6'], 'waits for everybody who was asked, on GitHub or by a word of theirs', () => {
    const play = playToPull(['tom', 'Eve']);
    play.send(REVIEWED);
    play.answer(view());
    play.send(wantsMerge(TOM));
    const by = { id: 13, login: 'eve', isBot: false };
    const said = (state: 'approved' | 'commented', commitSha = HEAD) =>
      view({ reviews: [{ by, permission: 'read', state, commitSha }] });
    // Someone who has only commented is no longer on GitHub's list. Someone whom a person took off
    // it is not waited for: only this or a comment of theirs makes it so.
    const listed = view({ pull: { requestedReviewers: ['Eve'] } });
    for (const answer of [listed, said('commented'), said('approved', 'e'.repeat(40))]) {
      play.answer(answer);
      expect(play.stream().run?.missing).toEqual(['the review of `Eve`']);
      play.send({ kind: 'pull-told', run: 'r', news: { kind: 'moved' } });
    }
    play.answer(said('approved'));
    expect(play.last('merge').sha).toBe(HEAD);
  });

  verifies(['TG-6'], 'is left to GitHub where a person switched auto-merge on', () => {
    const play = playToPull();
    play.send(REVIEWED);
    play.answer(view());
    play.send({
      kind: 'pull-told',
      run: 'r',
      news: { kind: 'approved', word: { by: TOM, headSha: HEAD, at: '2026-11-22T09:00:00Z' } },
    });
    play.answer(view({ pull: { isAutoMerge: true } }));
    expect(play.effects.some(({ data }) => data.kind === 'merge')).toBe(false);
    expect(play.last('check').checks[0]).toMatchObject({
      conclusion: 'success',
      title: 'Ready to merge: auto-merge is on, so GitHub merges it',
    });
  });

  verifies(['TG-6', 'P3'], 'does not merge while a serious finding of a rule is open', () => {
    const play = playToPull();
    const open = ['a high finding of `js-eval` is open in `src/run.ts#L2`'];
    const voices = [{ handle: 'maya', vote: 'APPROVE' as const }];
    const asked = view({ required: [{ name: 'quorum / review / maya', state: 'missing' }] });
    play.send({ ...REVIEWED, news: { ...REVIEWED.news, voices, open } });
    play.answer(asked);
    play.answer(view());
    for (const word of RESTS) play.send(word);
    play.answer(view());
    expect(play.effects.some(({ data }) => data.kind === 'merge')).toBe(false);
    expect(play.stream().run?.missing).toEqual(open);
    const shown = play.effects.flatMap(({ data }) => (data.kind === 'check' ? data.checks : []));
    const ofMaya = shown.filter(({ name }) => name === 'quorum / review / maya');
    expect(ofMaya.map(({ conclusion }) => conclusion)).toEqual(['neutral']);
    // A person dismissed it.
    play.send({ ...REVIEWED, news: { ...REVIEWED.news, voices } });
    play.answer(view());
    expect(play.last('merge')).toMatchObject({ sha: HEAD });
  });

  verifies(
    ['TG-6'],
    'needs the approval of every persona that the repository wants to hear',
    () => {
      const play = playToPull();
      const voices = [
        { handle: 'maya', vote: 'CHANGES' as const },
        { handle: 'sam' },
        { handle: 'lead', vote: 'APPROVE' as const },
      ];
      play.send({ ...REVIEWED, news: { ...REVIEWED.news, voices } });
      play.answer(view());
      expect(play.last('check').checks.map(({ name }) => name)).toEqual(['quorum / merge']);
      expect(play.last('check').checks[0]?.summary).toContain(
        'Votes on this head: `maya` asks for changes, `sam` has not voted, `lead` approves.',
      );
      const { review, ...others } = defaultConfig();
      const wanting = (...requiredPersonas: string[]) =>
        view({ config: { ...others, review: { ...review, requiredPersonas } } });
      for (const word of RESTS) play.send(word);
      play.answer(wanting('maya', 'sam'));
      const objects = 'the approval of maya, who says CHANGES to this head';
      const silent = 'the approval of sam, who says nothing to this head';
      expect(play.stream().run?.missing).toEqual([objects, silent]);
      const voiced = play.effects
        .flatMap(({ data }) => (data.kind === 'check' ? data.checks : []))
        .filter(({ name }) => name.startsWith('quorum / review / '));
      expect(voiced.map(({ name, conclusion }) => [name, conclusion])).toEqual([
        ['quorum / review / maya', 'action_required'],
        ['quorum / review / sam', 'neutral'],
      ]);
      const agreed = voices.map((voice) => ({ ...voice, vote: 'APPROVE' as const }));
      play.send({ ...REVIEWED, news: { ...REVIEWED.news, voices: agreed } });
      play.answer(wanting('maya', 'sam'));
      expect(play.last('check').checks.map(({ conclusion }) => conclusion)).toEqual(
        Array.from({ length: 3 }, () => 'success'),
      );
      expect(play.last('merge').sha).toBe(HEAD);
    },
  );

  test('rests on a comment about this head: one about an earlier head does not count', () => {
    const play = playToPull();
    play.send(REVIEWED);
    play.answer(view());
    play.send(wantsMerge(TOM, 'f'.repeat(40)));
    play.answer(view());
    expect(play.effects.some(({ data }) => data.kind === 'merge')).toBe(false);
  });

  test('rests on an approval of this head also where nobody has to ask for it', () => {
    const play = playToPull();
    const { merge, ...others } = defaultConfig();
    const auto = view({ config: { ...others, merge: { ...merge, mode: 'auto' } } });
    play.send(REVIEWED);
    play.answer(auto);
    for (const headSha of ['f'.repeat(40), HEAD]) {
      expect(play.effects.some(({ data }) => data.kind === 'merge')).toBe(false);
      const word = { by: TOM, headSha, at: '2026-11-22T09:00:00Z' };
      play.send({ kind: 'pull-told', run: 'r', news: { kind: 'approved', word } });
      play.answer(auto);
    }
    expect(play.last('merge').sha).toBe(HEAD);
  });

  verifies('TG-5', 'shows what the tests printed, in a fence that it cannot break out of', () => {
    const play = playTask();
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    for (const result of [GOOD.claim, GOOD.code]) play.answer(result);
    const log = 'ok 1\n```\n@everyone';
    const passed = receipts(HEAD, { 2: { log } }, ['P', 'S', '1', '2']);
    play.answer({ effectKind: 'verify', result: { headSha: HEAD, receipts: passed } });
    play.answer(GOOD.publish);
    const shown = play.effects.flatMap(({ data }) => (data.kind === 'check' ? data.checks : []));
    expect(shown.find(({ name }) => name === 'quorum / gates')?.summary).toContain(
      `\n\n\`\`\`\`text\n${log}\n\`\`\`\``,
    );
  });

  test('waits for every gate at this head: one receipt less is too few', () => {
    const play = playToPull();
    play.send(REVIEWED);
    play.answer(view());
    const stream = play.stream();
    for (const gate of ['P', 'S', '1', '2', '3', '4'])
      expect(stream.run?.receipts.filter((receipt) => receipt.gate === gate)).toHaveLength(1);
  });

  test('is looked at again where the base moved in the last moment', () => {
    const play = playToPull();
    play.send(REVIEWED);
    play.answer(view());
    play.send(wantsMerge(TOM));
    play.answer(view());
    expect(play.last('merge')).toMatchObject({ base: { branch: 'main', sha: BASE } });
    play.answer({ effectKind: 'merge', result: { outcome: 'base-moved' } });
    const timer: unknown = expect.stringContaining('look');
    expect(play.stream().run?.phase).toEqual({ kind: 'reviewing', timer });
  });

  test('is tried again a few times when GitHub says that the base was modified, then a person is notified', () => {
    const play = playToPull();
    const reason = 'Base branch was modified. Review and try the merge again.';
    const race = () =>
      play.answer({ effectKind: 'merge', result: { outcome: 'base-moved', reason } });
    const waits: number[] = [];
    play.send(REVIEWED);
    play.answer(view());
    play.send(wantsMerge(TOM));
    play.answer(view());
    for (let n = 0; n < 5; n += 1) {
      race();
      expect(play.stream().run?.stuck).toBeUndefined();
      const timer = play.told.findLast(({ data }) => data.kind === 'timer');
      waits.push(timer?.delayMs ?? 0);
      if (timer !== undefined) play.send(timer.data);
      play.answer(view());
    }
    expect(waits).toEqual([3_000, 6_000, 12_000, 24_000, 48_000]);
    race();
    expect(play.stream().run?.stuck).toBe(`GitHub refused the merge 6 times: ${reason}`);
  });

  test('says again what is missing when the task returned before the merge', () => {
    const play = playToPull();
    const held = view({ pull: { labels: ['hold'] } });
    const shown = () => play.last('check').checks.map(({ title }) => title);
    play.send(REVIEWED);
    play.answer(view());
    play.send(wantsMerge(TOM));
    play.answer(held);
    const missing = shown();
    play.send({ kind: 'pull-told', run: 'r', news: { kind: 'moved' } });
    play.answer(view());
    expect(shown()).not.toEqual(missing);
    play.answer({ effectKind: 'merge', result: { outcome: 'stale' } });
    play.answer(held);
    expect(shown()).toEqual(missing);
  });

  test('is tested again where the base moved, and not merged when the tests fail there', () => {
    const play = playToPull();
    play.send(REVIEWED);
    play.answer(view());
    play.send(wantsMerge(TOM));
    const moved = { baseSha: 'a'.repeat(40), isUpToDate: false };
    play.answer(view(moved));
    expect(play.last('retest')).toMatchObject({ headSha: HEAD, baseSha: moved.baseSha });
    const [receipt] = receipts(HEAD, { 2: { result: 'failed', sentence: 'It fails together.' } }, [
      '2',
    ]);
    if (receipt === undefined) throw new Error('no receipt');
    play.answer({
      effectKind: 'retest',
      result: { outcome: 'tested', baseSha: moved.baseSha, receipt },
    });
    play.answer(view(moved));
    expect(play.effects.some(({ data }) => data.kind === 'merge')).toBe(false);
    expect(play.stream().run?.missing).toEqual(['It fails together.']);
  });

  verifies(
    ['TG-6'],
    'follows a review that asks for changes only after they were made, twice at most',
    () => {
      const play = playToPull();
      for (const round of [1, 2]) {
        play.send({
          ...REVIEWED,
          news: { ...REVIEWED.news, verdict: 'CHANGES', asks: ['src/hello.ts:1: Say it louder.'] },
        });
        expect(play.last('code').from).toBe(HEAD);
        expect(play.last('code').prompt).toContain('src/hello.ts:1: Say it louder.');
        expect(play.stream().run?.refinements).toBe(round);
        play.answer(GOOD.code);
        play.answer(GOOD.verify);
        play.answer(GOOD.publish);
      }
      play.send({ ...REVIEWED, news: { ...REVIEWED.news, verdict: 'CHANGES', asks: [] } });
      play.answer(view());
      expect(play.stream().run?.missing).toContain('the team’s review says CHANGES to this head');
    },
  );
});

const EDITED: Result = { effectKind: 'plan-edit', result: { outcome: 'edited' } };
const MOVED: Event['data'] = { kind: 'pull-told', run: 'r', news: { kind: 'moved' } };

describe('a pull request that somebody closes', () => {
  function playToShut(): TaskPlay {
    const play = playToPull();
    play.send(MOVED);
    play.answer(view({ pull: { state: 'closed' } }));
    play.answer(EDITED);
    return play;
  }

  verifies('CB-17', 'puts the task before a person, and gives its lease back', () => {
    const play = playToShut();
    expect(news(play).at(-1)).toMatchObject({
      state: 'blocked',
      reason: '#9 was closed without being merged: reopen it and it goes on',
    });
    expect(play.last('release').lease).toEqual(LEASE);
    expect(play.send(MOVED)).toBeUndefined();
    play.answer(view({ pull: { state: 'closed' } }));
    expect(play.stream().run).toMatchObject({ phase: { kind: 'ended' }, isShut: true });
  });

  verifies('CB-17', 'goes on with what it was when it is reopened, under a new lease', () => {
    const play = playToShut();
    play.send(MOVED);
    play.answer(view());
    const lease = { ...LEASE, fence: 2 };
    play.answer({ ...GOOD.claim, result: { ...GOOD.claim.result, lease } });
    expect(play.stream().run).toMatchObject({ phase: { kind: 'reviewing' }, headSha: HEAD, lease });
    expect(play.effects.filter(({ data }) => data.kind === 'code')).toHaveLength(1);
    expect(news(play).at(-1)?.state).toBe('in_review');
    play.send(REVIEWED);
    play.send(wantsMerge(TOM));
    play.answer(view());
    expect(play.last('merge').sha).toBe(HEAD);
  });

  test('stays a person’s where somebody else took the task meanwhile', () => {
    const play = playToShut();
    play.send(MOVED);
    play.answer(view());
    play.answer({ effectKind: 'claim', result: { outcome: 'held', reason: 'held by them' } });
    expect(news(play).at(-1)).toMatchObject({ state: 'released', reason: 'held by them' });
    expect(play.stream().run?.phase.kind).toBe('ended');
  });
});

describe('an attempt after one that stopped within what a review asked for', () => {
  test('goes on at the same head and pull request, and knows what was asked for', () => {
    const play = playToPull();
    const asks = ['src/hello.ts:1: Say it louder.'];
    play.send({ ...REVIEWED, news: { ...REVIEWED.news, verdict: 'CHANGES', asks } });
    play.fail('code', 'budget-thread');
    play.answer(EDITED);
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer({ ...GOOD.claim, result: { ...GOOD.claim.result, base: MAIN } });
    expect(play.last('code')).toMatchObject({ from: HEAD });
    expect(play.last('code').prompt).toContain('Say it louder.');
    play.answer(GOOD.code);
    expect(play.last('verify')).toMatchObject({ baseSha: MAIN.sha });
    play.answer(GOOD.verify);
    expect(play.last('publish')).toMatchObject({ ours: [HEAD] });
    play.answer(GOOD.publish);
    const adopted = play.told.findLast(({ data }) => data.kind === 'adopted')?.data;
    expect(adopted).toMatchObject({ isNew: false });
    expect(play.stream().run?.refinements).toBe(1);
  });
});
