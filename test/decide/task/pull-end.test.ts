/** What a task's pull request says at its end (CB-8). */
import { describe, expect, test } from 'vitest';
import { attemptIn, decisionsIn } from '../../../src/domain/task/found.ts';
import type { EffectData } from '../../../src/domain/event/effect.ts';
import { shownDigest } from '../../../src/domain/github/own-text.ts';
import type { PullNews } from '../../../src/domain/event/event.ts';
import { aCall } from '../../record/a-record.ts';
import {
  type ANA,
  GOOD,
  HEAD,
  mergeView as view,
  ORDER,
  playTask,
  playToPull,
  REVIEWED,
  TOM,
  type TaskPlay,
} from '../../helpers/a-task.ts';
import { verifies } from '../../verifies.ts';

type Describe = Extract<EffectData, { kind: 'describe' }>;

const MERGED = 'd'.repeat(40);
const BEN = { id: 13, login: 'ben', isBot: false };
const VOICES = [{ handle: 'maya', vote: 'APPROVE' as const }, { handle: 'carlos' }];

function says(kind: 'merge' | 'approved', by: typeof ANA): PullNews {
  return { kind, word: { by, headSha: HEAD, at: '2026-11-22T09:00:00Z' } };
}

function described(play: TaskPlay): Describe[] {
  return play.effects.flatMap(({ data }) => (data.kind === 'describe' ? [data] : []));
}

/** The lines below a heading. */
function section(text: string, title: string): string[] {
  const [, rest = ''] = text.split(`### ${title}\n\n`);
  return (rest.split('\n\n')[0] ?? '').split('\n');
}

/** What Quorum sent of a pull request: texts, and the title. */
function sent(play: TaskPlay, ...texts: string[]): string[] {
  return [...texts, play.last('publish').title].map(shownDigest);
}

function commentAt(commitSha: string) {
  return { by: BEN, permission: 'write' as const, state: 'commented' as const, commitSha };
}

function merge(play: TaskPlay): void {
  const review = commentAt(HEAD);
  play.send({ ...REVIEWED, news: { ...REVIEWED.news, voices: VOICES } });
  play.answer(view({ reviews: [review] }));
  play.send({ kind: 'pull-told', run: 'r', news: says('merge', TOM) });
  play.answer(view({ reviews: [review] }));
  play.answer({ effectKind: 'merge', result: { outcome: 'merged', sha: MERGED } });
}

function close(play: TaskPlay): void {
  play.send(REVIEWED);
  play.answer(view({ pull: { state: 'closed' } }));
  play.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
}

const closedAs = (branch: string): string =>
  `- Somebody closed it without merging it. The branch \`${branch}\` stays: reopen the pull request and the work goes on`;

describe('a pull request that was merged', () => {
  verifies('CB-8', 'tells as what, who agreed and reviewed, and keeps all else as it was', () => {
    const play = playToPull();
    merge(play);
    const [end, ...more] = described(play);
    const to = end?.to ?? '';
    expect(more).toEqual([]);
    expect(end).toMatchObject({
      thread: { number: 9 },
      from: sent(play, play.last('publish').body),
    });
    expect(section(to, 'Participants')).toEqual([
      '- `ana` approved the plan',
      '- `dev` wrote the change',
      '- `tom` approved the change',
      '- `ben` reviewed the change',
      '- the team reviewed the change and says APPROVE (`maya` says APPROVE)',
    ]);
    expect(section(to, 'How it ended')).toEqual(['- Merged as `dddddddddddd`']);
    expect(section(to, 'Summary')).toEqual(['Prints hello.']);
    expect(section(to, 'Changes by file')).toEqual(['- `src/hello.ts` · modified · new']);
    expect(to).toContain('\n- Plan: #4, task 2, approved by `ana`');
    expect([decisionsIn(to), attemptIn(to)]).toEqual([[], 1]);
  });

  test('ends before its text is written, in a lane of its own', () => {
    const play = playToPull();
    merge(play);
    const effect = play.effects.find(({ data }) => data.kind === 'describe');
    expect(effect).toMatchObject({ lane: 'describe:task:7/4-2', isUnheard: true });
    play.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
    expect(play.stream().run?.phase.kind).toBe('ended');
  });

  test('tells what all attempts at the task cost', () => {
    const play = playTask();
    const report = { ...GOOD.code.result.report, calls: [aCall()] };
    const coded = { ...GOOD.code, result: { ...GOOD.code.result, report } };
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    play.answer({ ...coded, result: { ...coded.result, patch: '' } });
    play.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    for (const result of [GOOD.claim, coded, GOOD.verify, GOOD.publish]) play.answer(result);
    merge(play);
    expect(section(described(play)[0]?.to ?? '', 'Cost')).toEqual([
      '- 2 calls of `claude-x`: $0.04 for writing this change',
    ]);
  });

  test.each([300, 301, 1000])('counts each of %i calls that earlier attempts made', (count) => {
    const play = playTask();
    const calls = Array.from({ length: count }, () => ({ ...aCall(), costUsd: 0.01 }));
    const failed = {
      ...GOOD.code.result,
      report: { ...GOOD.code.result.report, calls },
      patch: '',
    };
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    play.answer({ ...GOOD.code, result: failed });
    play.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    for (const result of [GOOD.claim, GOOD.code, GOOD.verify, GOOD.publish]) play.answer(result);
    merge(play);
    expect(play.stream().run?.calls.length).toBe(300);
    expect(section(described(play)[0]?.to ?? '', 'Cost')).toEqual([
      `- ${count} calls of \`claude-x\`: $${(count / 100).toFixed(2)} for writing this change`,
    ]);
  });

  test('names who was asked for a review and said nothing', () => {
    const play = playToPull(['eve']);
    play.send(REVIEWED);
    play.answer(view({ pull: { isMerged: true, state: 'closed', mergeSha: MERGED } }));
    expect(section(described(play)[0]?.to ?? '', 'Participants').slice(2)).toEqual([
      '- `eve` was asked for a review',
      '- the team reviewed the change and says APPROVE',
    ]);
  });

  test('does not name who spoke of another head', () => {
    const play = playToPull();
    play.send(REVIEWED);
    const pull = { isMerged: true, state: 'closed', headSha: 'e'.repeat(40) } as const;
    play.answer(view({ pull, reviews: [commentAt(HEAD)] }));
    const to = described(play)[0]?.to ?? '';
    expect(section(to, 'How it ended')).toEqual(['- Merged']);
    expect(to).not.toContain('`ben`');
  });

  test('does not name who reviewed an older head of it alone', () => {
    const play = playToPull();
    play.send(REVIEWED);
    const pull = { isMerged: true, state: 'closed', mergeSha: MERGED } as const;
    const reviews = [
      commentAt('e'.repeat(40)),
      { ...commentAt(HEAD), by: { ...TOM, isBot: false } },
    ];
    play.answer(view({ pull, reviews }));
    const to = described(play)[0]?.to ?? '';
    expect(to).toContain('`tom` reviewed the change');
    expect(to).not.toContain('`ben`');
  });
});

describe('a pull request that was closed', () => {
  verifies('CB-8', 'says so, no more once it is open again, and tells its later merge', () => {
    const play = playToPull();
    const opened = play.last('publish').body;
    close(play);
    const closed = described(play)[0]?.to ?? '';
    expect(section(closed, 'How it ended')).toEqual([closedAs(play.stream().run?.branch ?? '')]);
    play.send({ kind: 'pull-told', run: 'r', news: { kind: 'moved' } });
    play.answer(view());
    play.answer(GOOD.claim);
    expect(described(play)[1]).toMatchObject({
      from: [...sent(play, opened), shownDigest(closed)],
      to: opened,
    });
    merge(play);
    expect(described(play)[2]?.from).toContain(shownDigest(opened));
    expect(section(described(play)[2]?.to ?? '', 'How it ended')).toEqual([
      '- Merged as `dddddddddddd`',
    ]);
  });
});

test('a pull request whose text nobody knows is left as it is', () => {
  const play = playToPull();
  const run = play.stream().run;
  delete run?.pullText;
  merge(play);
  expect(described(play)).toEqual([]);
});
