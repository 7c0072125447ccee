/** What people write into a plan's statuses by hand, what others' edits cover, and who may begin when others are around. */
import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/decide/route.ts';
import { decideThread } from '../../../src/decide/thread.ts';
import type { Effect, EffectData } from '../../../src/domain/event/effect.ts';
import { EVENT_VERSION, type EventData, type NewEvent } from '../../../src/domain/event/event.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { taskDigest } from '../../../src/domain/plan/plan-digest.ts';
import type { PlanTask, TaskStatus } from '../../../src/domain/plan/plan.ts';
import type { PlanView } from '../../../src/domain/plan/plan-view.ts';
import { editPlan } from '../../../src/domain/plan/body/edit-plan.ts';
import type { TaskNews } from '../../../src/domain/task/task.ts';
import { threadKey } from '../../../src/domain/run/thread-ref.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { aPlanBody, aPlanLabel, aPlanView, aTask } from '../../helpers/a-plan.ts';
import { ANA, LEASE, ORDER, PLAN, TOM } from '../../helpers/a-task.ts';
import { verifies } from '../../verifies.ts';

const MINUTE = 60_000;
const BODY = aPlanBody({ tasks: [aTask(1), aTask(2, { dependencies: [1] }), aTask(3)] });
const VIEW = aPlanView(
  { body: BODY, author: { ...ANA, isBot: false }, labels: ['plan', 'plan:active'] },
  { personas: [aPersona({ handle: 'dev' })] },
);

/** The body with words of tasks set. */
function saying(words: Record<number, [TaskStatus, string?, string?]>): string {
  const edits = Object.entries(words).flatMap(([key, [status, assignee = '', reason = '']]) => {
    const task = Number(key);
    return [
      { kind: 'status', task, status, reason } as const,
      { kind: 'assignee', task, assignee } as const,
    ];
  });
  return editPlan(parsePlan(BODY), edits);
}

function taskOf(number: number): PlanTask {
  const found = parsePlan(BODY).tasks.find((task) => task.number === number);
  if (found === undefined) throw new Error('no such task');
  return found;
}

interface Seen {
  effects: Effect[];
  events: NewEvent[];
  /** What the earlier look was to expect. */
  look: Extract<EffectData, { kind: 'look-plan' }>;
}

/** An approved plan whose first task is begun. */
function playPlan() {
  let state: unknown;
  let count = 0;
  let now = Date.parse('2026-11-22T08:00:00Z');
  let repository: unknown;
  /** Its repository answers with places. */
  const share = (event: NewEvent): EventData[] => {
    if (event.data.kind !== 'places-wanted') return [];
    const { state: after, events } = decide(repository, event, { now });
    repository = after;
    return events.map(({ data }) => data);
  };
  const send = (data: EventData) => {
    count += 1;
    const at = new Date(now).toISOString();
    const event = { id: `e${count}`, key: threadKey(PLAN), version: EVENT_VERSION, at, data };
    const decision = decideThread(state, event, { now });
    state = JSON.parse(JSON.stringify(decision.state));
    return decision;
  };
  const see = (data: EventData, body: string, over: Partial<PlanView> = {}): Seen => {
    const asked = send(data).effects.find((effect) => effect.data.kind === 'look-plan');
    if (asked?.data.kind !== 'look-plan') throw new Error('the plan is not read');
    const result = { ...VIEW, issue: { ...VIEW.issue, body }, ...over };
    const about = { effectId: asked.id, run: asked.run };
    const seen = send({ kind: 'done', effectKind: 'look-plan', result, ...about });
    const given = seen.events.flatMap(share).map(send);
    return {
      effects: [seen, ...given].flatMap(({ effects }) => effects),
      events: [seen, ...given].flatMap(({ events }) => events),
      look: asked.data,
    };
  };
  const actor = { ...ANA, isBot: false };
  const tell = (news: Partial<TaskNews> & Pick<TaskNews, 'task' | 'state'>): EventData => {
    const at = new Date(now).toISOString();
    return { kind: 'task-told', run: 'r', news: { persona: 'dev', attempt: 1, at, ...news } };
  };
  const edited: EventData = { kind: 'trigger', trigger: { kind: 'edited', thread: PLAN, actor } };
  const labeled = aPlanLabel(PLAN, actor, BODY);
  const may = { actorPermission: 'write', writer: ANA } as const;
  const first = see({ kind: 'trigger', trigger: labeled }, BODY, may);
  return {
    first,
    see,
    send,
    tell,
    edited,
    sleep: (ms: number) => void (now += ms),
  };
}

const HOLDS = { lease: { ...LEASE, task: 1 }, leaseAt: ORDER.lease, digest: taskDigest(taskOf(1)) };
const CLAIMED = { task: 1, state: 'claimed', holds: HOLDS } as const;

function begun() {
  const play = playPlan();
  play.send(play.tell(CLAIMED));
  return play;
}

/** With its pull request open. */
function inReview() {
  const play = begun();
  const pull = { number: 9, url: '' };
  const body = saying({ 1: ['in_progress', 'dev', '#9'] });
  play.see(play.tell({ ...CLAIMED, state: 'in_review', pull }), body);
  return play;
}

function wordsIn({ events }: Seen) {
  return events.flatMap(({ data }) => (data.kind === 'task-word' ? [data] : []));
}

function editsIn({ effects }: Seen) {
  return effects.flatMap(({ data }) => (data.kind === 'plan-edit' ? [data] : []));
}

function commentIn({ effects }: Seen): string {
  const found = effects.find(({ data }) => data.kind === 'comment');
  return found?.data.kind === 'comment' ? found.data.body : '';
}

function goes({ events }: Seen): number[] {
  return events.flatMap(({ data }) => (data.kind === 'task-go' ? [data.order.ref.task] : []));
}

function byTom(task: number, from: TaskStatus, permission: 'write' | 'read' = 'write') {
  return { hands: [{ task, by: TOM, permission, from }] };
}

describe('a status that somebody set by hand', () => {
  test('is asked about for every task that the plan has told of before', () => {
    const play = begun();
    const { look } = play.see(play.edited, saying({ 1: ['claimed', 'dev'] }));
    expect(look.expected).toEqual([
      { task: 1, status: 'claimed', assignee: 'dev' },
      { task: 2, status: 'pending' },
      { task: 3, status: 'pending' },
    ]);
  });

  verifies(['TG-4', 'CFG-06'], 'stops what is worked on, with the words that stand there', () => {
    const blocked = begun();
    const body = saying({ 1: ['blocked', 'dev', 'no key yet'] });
    const seen = blocked.see(blocked.edited, body, byTom(1, 'claimed'));
    expect(wordsIn(seen)).toMatchObject([
      { word: 'block', by: TOM, why: 'no key yet', isWritten: true },
    ]);
    expect(editsIn(seen)).toEqual([]);
    const given = begun();
    const pending = given.see(given.edited, BODY, byTom(1, 'claimed'));
    expect(wordsIn(pending)).toMatchObject([{ word: 'release', isWritten: true }]);
    const taken = begun();
    const over = taken.see(taken.edited, saying({ 1: ['claimed', 'tom'] }), byTom(1, 'claimed'));
    expect(wordsIn(over)).toMatchObject([{ word: 'release', isWritten: true }]);
  });

  verifies('TG-4', 'completes a task in review, and none that is still being written', () => {
    const play = inReview();
    const body = saying({ 1: ['completed', 'dev'] });
    const done = play.see(play.edited, body, byTom(1, 'in_progress'));
    expect(wordsIn(done)).toMatchObject([{ word: 'complete', isWritten: true }]);
    const early = begun();
    const seen = early.see(early.edited, body, byTom(1, 'claimed'));
    expect(wordsIn(seen)).toEqual([]);
    expect(editsIn(seen)).toMatchObject([
      { edits: [{ task: 1, status: 'claimed' }], insteadOf: 'completed' },
    ]);
    const why =
      '- Task 1: `tom` set it to `completed`. Quorum reset it to `claimed`, because `completed` does not follow `claimed`.';
    expect(commentIn(seen)).toContain(why);
    // What waits for it does not begin.
    expect(goes(seen)).toEqual([]);
    const after = early.see(early.edited, saying({ 1: ['claimed', 'dev'] }));
    expect(commentIn(after).split(why)).toHaveLength(2);
    expect(editsIn(after)).toEqual([]);
    const moved = early.see(early.edited, saying({ 1: ['blocked', 'dev'] }), byTom(1, 'claimed'));
    expect(commentIn(moved)).not.toContain('set it to');
  });

  verifies(['TG-4', 'P4'], 'by somebody who may not write is put back', () => {
    const play = begun();
    const seen = play.see(play.edited, BODY, byTom(1, 'claimed', 'read'));
    expect(wordsIn(seen)).toEqual([]);
    expect(editsIn(seen)).toMatchObject([
      { edits: [{ task: 1, status: 'claimed' }], insteadOf: 'pending' },
    ]);
    expect(commentIn(seen)).toContain('because `tom` may not write here.');
  });

  verifies('TG-4', 'lets a blocked task be tried again, as the command does', () => {
    const play = begun();
    const blocked = saying({ 1: ['blocked', 'dev', 'no key'] });
    play.see(play.tell({ task: 1, state: 'blocked', holds: HOLDS }), blocked);
    const seen = play.see(play.edited, BODY, byTom(1, 'blocked'));
    expect(wordsIn(seen)).toMatchObject([{ word: 'again', by: TOM }]);
    // The only persona is at the third task now.
    const third = saying({ 3: ['completed', 'dev'] });
    const after = play.see(play.tell({ task: 3, state: 'completed' }), third);
    expect(goes(after)).toEqual([1]);
  });

  test('of a task that changed since then starts no step', () => {
    const play = begun();
    const body = saying({ 1: ['claimed', 'dev'], 3: ['completed'] }).replace(
      'Thing 3 does',
      'Thing 3 never does',
    );
    const seen = play.see(play.edited, body, byTom(3, 'pending'));
    expect(editsIn(seen)).toEqual([]);
  });
});

describe('a line that Quorum wrote and somebody’s edit has covered', () => {
  verifies(['TG-4', 'DUR-03'], 'is written again by the task that holds it, and only then', () => {
    const play = begun();
    const seen = play.see(play.edited, BODY);
    expect(editsIn(seen)).toMatchObject([
      {
        edits: [
          { kind: 'status', task: 1, status: 'claimed' },
          { kind: 'assignee', task: 1, assignee: 'dev' },
        ],
        holds: { lease: { fence: 1 } },
      },
    ]);
    expect(goes(seen)).toEqual([]);
    const claiming = playPlan();
    expect(goes(claiming.first)).toEqual([1]);
    expect(editsIn(claiming.see(claiming.edited, BODY))).toEqual([]);
  });

  verifies('TG-4', 'says that its task is completed once more, and starts nothing again', () => {
    const play = inReview();
    const done = saying({ 1: ['completed', 'dev', '#9'] });
    play.see(play.tell({ task: 1, state: 'completed', holds: HOLDS }), done);
    const seen = play.see(play.edited, saying({ 1: ['in_progress', 'dev', '#9'] }));
    expect(editsIn(seen)).toMatchObject([
      { edits: [{ task: 1, status: 'completed', reason: '#9' }], insteadOf: 'in_progress' },
    ]);
  });
});

describe('a plan on which another installation works', () => {
  const done = saying({ 1: ['completed', 'dev', '#9'] });

  verifies('TG-4', 'has its next task begun at once by an installation that is alone', () => {
    const play = inReview();
    const seen = play.see(play.tell({ task: 1, state: 'completed', holds: HOLDS }), done);
    expect(goes(seen)).toEqual([2]);
  });

  verifies('TG-4', 'is left to it for one poll interval after our task ended', () => {
    const play = inReview();
    play.see(play.tell({ task: 3, state: 'released', isElsewhere: true }), BODY);
    const ended = play.tell({ task: 1, state: 'completed', holds: HOLDS });
    expect(goes(play.see(ended, done))).toEqual([]);
    play.sleep(MINUTE - 1);
    expect(goes(play.see(play.edited, done))).toEqual([]);
    play.sleep(1);
    expect(goes(play.see(play.edited, done))).toEqual([2]);
  });

  verifies('TG-4', 'is known by its leases, and forgotten after as long as one lasts', () => {
    const play = inReview();
    play.see(play.edited, saying({ 1: ['in_progress', 'dev', '#9'] }), { hasOthers: true });
    const ended = (): EventData => play.tell({ task: 1, state: 'completed', holds: HOLDS });
    play.sleep(VIEW.config.plans.leaseMinutes * MINUTE);
    expect(goes(play.see(ended(), done))).toEqual([2]);
  });
});
