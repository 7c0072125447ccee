/** A comment for the team, as it is read from GitHub, and what a thread's reducer makes of it. */
import { decide } from '../../src/decide/route.ts';
import type { ThreadState } from '../../src/decide/run/thread-context.ts';
import { EVENT_VERSION, type EventData } from '../../src/domain/event/event.ts';
import type { TalkView } from '../../src/domain/run/talk.ts';
import { threadKey } from '../../src/domain/run/thread-ref.ts';
import { toCommentAddress } from '../../src/events/may-address.ts';
import { aComment, aView } from './an-issue.ts';
import { ANA, THREAD } from './play.ts';

const NOTHING = { usd: 0, unknownCalls: 0, calls: 0 };

export function aTalkView(body: string, over: Partial<TalkView> = {}): TalkView {
  const { repository, issue, config, problems, personas, self } = aView();
  const comment = { id: 900, author: ANA, body, createdAt: '2026-03-02T09:00:00Z' };
  return {
    repository,
    issue: { ...issue, labels: [] },
    comment,
    comments: [aComment({ ...comment, updatedAt: comment.createdAt })],
    permission: 'write',
    config,
    explained: [],
    problems,
    personas,
    spent: { thread: NOTHING, day: NOTHING, month: NOTHING },
    tally: {},
    meter: { runs: 0, changedRuns: 0, costUsd: 0 },
    paused: undefined,
    lastRuns: [],
    models: [],
    self,
    ...over,
  };
}

interface Heard {
  state: ThreadState;
  /** Our answer; empty where a reaction says it all. */
  said: string;
}

/** Lets a thread's reducer read the comment of a view; it is delivered without the text of a plan. */
export function hearComment(state: unknown, view: TalkView): Heard {
  const { id, author, body, createdAt } = view.comment;
  const words = { place: 'thread' as const, body, updatedAt: createdAt, appId: undefined };
  const address = toCommentAddress({ ...words, isByBot: false });
  const said = { thread: THREAD, actor: author, commentId: id, isByBot: false };
  let at = 0;
  const reduce = (before: unknown, data: EventData) => {
    at += 1;
    const key = threadKey(THREAD);
    const event = { id: `${id}-${at}`, key, version: EVENT_VERSION, at: createdAt, data };
    const decision = decide(before, event, { now: Date.parse(createdAt) });
    return { ...decision, state: JSON.parse(JSON.stringify(decision.state)) as ThreadState };
  };
  const trigger = { kind: 'commented', ...said, ...(address && { address }) } as const;
  const begun = reduce(state, { kind: 'trigger', trigger });
  const look = begun.effects.find(({ data }) => data.kind === 'look-comment');
  if (look === undefined) throw new Error('the comment was not read');
  const about = { effectId: look.id, run: look.run };
  const result = { kind: 'read' as const, view };
  const read = reduce(begun.state, {
    kind: 'done',
    effectKind: 'look-comment',
    result,
    ...about,
  });
  const answers = read.effects.flatMap(({ data }) => (data.kind === 'comment' ? [data.body] : []));
  return { state: read.state, said: answers.join('\n') };
}
