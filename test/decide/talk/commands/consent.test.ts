/** Commands are about what their author could know when they wrote them. */
import { describe, expect, test } from 'vitest';
import type { TaskNews } from '../../../../src/domain/task/task.ts';
import type { TalkView } from '../../../../src/domain/run/talk.ts';
import { aPlanBody } from '../../../helpers/a-plan.ts';
import { aTalkView, hearComment } from '../../../helpers/a-talk.ts';
import { aComment } from '../../../helpers/an-issue.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';
import { verifies } from '../../../verifies.ts';

const AT = '2026-03-02T09:00:00Z';
const BEFORE = '2026-03-02T08:59:59Z';

/** The comment with this number says it. */
function says(body: string, id: number, over: Partial<TalkView> = {}): TalkView {
  return aTalkView(body, { comment: { id, author: ANA, body, createdAt: AT }, ...over });
}

describe('/pm undo', () => {
  test('takes back nothing that was done after it was written', () => {
    const { state } = hearComment(undefined, says('/pm pause first', 900));
    const { state: held } = hearComment(state, says('/pm hold', 902));
    const { said, state: after } = hearComment(held, says('/pm undo', 901));
    expect(said).toContain('`/pm hold` by `ana` came after you wrote this');
    expect(after.undos).toHaveLength(2);
    expect(hearComment(held, says('/pm undo', 903)).said).toContain('Undone: `/pm hold`');
  });
});

describe('/pm resume', () => {
  test('ends no pause that began after it was written', () => {
    const paused = { by: 'tom', why: '', at: AT, comment: 902 };
    const early = hearComment(undefined, says('/pm resume', 901, { paused }));
    expect(early.said).toContain('`tom` paused it after you wrote this');
    const late = hearComment(undefined, says('/pm resume', 903, { paused }));
    expect(late.said).toContain('Work resumes');
    const { comment: _, ...older } = paused;
    expect(hearComment(undefined, says('/pm resume', 901, { paused: older })).said).toContain(
      'Work resumes',
    );
  });
});

const BLOCKED = aPlanBody().replace('**Status:** pending', '**Status:** blocked');

function aPlan(news: Partial<TaskNews>, untestedShown?: Record<string, string>) {
  const told = { task: 1, state: 'blocked', persona: 'dev', attempt: 1, at: AT, ...news };
  const plan = { id: 'p', step: 0, thread: THREAD, tasks: { 1: told }, untestedShown };
  return { v: 1, runs: {}, plan };
}

function onPlan(body: string, id: number, over: Partial<TalkView> = {}): TalkView {
  const view = says(body, id, over);
  return { ...view, issue: { ...view.issue, body: BLOCKED } };
}

describe('a task without tests', () => {
  verifies('CB-4', 'continues without them only when people were warned before', () => {
    const refused = 'That was not shown here before your comment';
    for (const shown of [undefined, { 1: AT }]) {
      const state = aPlan({ lacksTests: true }, shown);
      expect(hearComment(state, onPlan('/pm retry 1', 901)).said).toContain(refused);
    }
    const told = aPlan({ lacksTests: true }, { 1: BEFORE });
    expect(hearComment(told, onPlan('/pm retry 1', 901)).said).toContain('without tests');
  });
});

describe('an answer to a coder', () => {
  test('is to no question that came after it', () => {
    const question = (id: number) =>
      aComment({
        id,
        marker: { kind: 'run', run: 'r', key: 'question-1' },
      });
    const asks = aPlan({ asks: true });
    const late = onPlan('/pm unblock 1 yes, delete it', 901, { comments: [question(902)] });
    expect(hearComment(asks, late).said).toContain('asked another question after you wrote this');
    const known = onPlan('/pm unblock 1 yes, delete it', 901, { comments: [question(900)] });
    expect(hearComment(asks, known).said).not.toContain('asked another question');
  });
});
