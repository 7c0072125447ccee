/** A person answers a task's pull request before its thread has heard from the task: the answer waits for the link. */
import { describe, expect, test } from 'vitest';
import { decide } from '../../../../src/decide/route.ts';
import type { Decision } from '../../../../src/decide/run/decision.ts';
import type { ThreadState } from '../../../../src/decide/run/thread-context.ts';
import { EVENT_VERSION, type EventData } from '../../../../src/domain/event/event.ts';
import type { TalkView } from '../../../../src/domain/run/talk.ts';
import { threadKey } from '../../../../src/domain/run/thread-ref.ts';
import { aTalkView } from '../../../helpers/a-talk.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';
import { verifies } from '../../../verifies.ts';
import { AT, BEFORE, NOW, toCame, type Came } from './say-on-thread.ts';

const HEAD = 'a'.repeat(40);
const OURS = { id: 900, login: 'quorum[bot]', isBot: true };
const EVE = { id: 66, login: 'quorum', isBot: false };
const NOT_OURS =
  'This pull request does not belong to a task of a plan, so people approve and merge it on GitHub.';
const TASK = { plan: { ...THREAD, number: 4 }, task: 2 };
const LINKED: EventData = {
  kind: 'adopted',
  run: 'task-run',
  task: TASK,
  thread: THREAD,
  headSha: HEAD,
  headAt: BEFORE,
  isNew: true,
};

/** A thread, and what came of the last event. */
class Thread {
  state: ThreadState = { v: 1, runs: {} };
  events: Decision['events'] = [];
  effects: Decision['effects'] = [];
  readonly #body: string;
  readonly #author: typeof OURS;
  #count = 0;

  constructor(body: string, author = OURS) {
    this.#body = body;
    this.#author = author;
  }

  /** The comment is delivered and read. */
  say(): Came {
    const place = { place: 'thread', updatedAt: AT, digest: 'd', isOnlyCommands: true } as const;
    const said = { thread: THREAD, actor: ANA, commentId: 900, isByBot: false };
    this.take({ kind: 'trigger', trigger: { kind: 'commented', ...said, address: place } }, 0);
    return this.read(0);
  }

  /** The timer that it waits for is due, and the comment is read again. */
  lookAgain(afterMs: number, over: Partial<TalkView> = {}): Came {
    const [talk] = Object.values(this.state.talks ?? {});
    if (talk?.phase.kind !== 'waiting') throw new Error('nothing waits');
    this.take({ kind: 'timer', timer: talk.phase.timer, run: talk.id }, afterMs);
    return this.read(afterMs, over);
  }

  read(afterMs: number, over: Partial<TalkView> = {}): Came {
    const look = this.effects.find(({ data }) => data.kind === 'look-comment');
    if (look === undefined) throw new Error('the comment was not read');
    const base = aTalkView(this.#body);
    const comment = { id: 900, author: ANA, body: this.#body, createdAt: AT };
    const issue = { ...base.issue, isPull: true, author: this.#author };
    const view = { ...base, comment, issue, ...over };
    const { id: effectId, run } = look;
    const result = { kind: 'read', view } as const;
    return toCame(
      this.take({ kind: 'done', effectKind: 'look-comment', result, effectId, run }, afterMs),
    );
  }

  take(data: EventData, afterMs: number): Decision {
    this.#count += 1;
    const event = { id: `e${this.#count}`, key: threadKey(THREAD), version: EVENT_VERSION, at: AT };
    const decision = decide(this.state, { ...event, data }, { now: NOW + afterMs });
    this.state = JSON.parse(JSON.stringify(decision.state)) as ThreadState;
    ({ events: this.events, effects: this.effects } = decision);
    return decision;
  }

  delayMs(): number | undefined {
    return this.events.find(({ data }) => data.kind === 'timer')?.delayMs;
  }
}

const kinds = ({ told }: Came): string[] => told.map(({ data }) => data.kind);

describe('before the link to its task has reached our pull request', () => {
  verifies('TG-6', 'an approval is kept, and told to the task once it is linked', () => {
    const thread = new Thread('/pm approve');
    expect(thread.say()).toMatchObject({ said: '', reaction: undefined });
    expect(thread.delayMs()).toBe(2_000);
    expect(kinds(thread.lookAgain(2_000))).toEqual(['timer']);
    thread.take(LINKED, 3_000);
    const came = thread.lookAgain(4_000);
    expect(came).toMatchObject({ said: '', reaction: '+1' });
    expect(came.told.map(({ key, data }) => [key, data])).toEqual([
      [
        'task:7/4-2',
        {
          kind: 'pull-told',
          run: 'task-run',
          news: {
            kind: 'approved',
            word: {
              by: { id: 100, login: 'ana' },
              headSha: HEAD,
              at: new Date(NOW + 4_000).toISOString(),
            },
          },
        },
      ],
    ]);
  });

  test.each(['/pm merge', '/pm done', `/pm approve ${HEAD.slice(0, 12)}`])('%s waits', (words) => {
    expect(kinds(new Thread(words).say())).toEqual(['timer']);
  });

  test('a head that GitHub showed only after the comment is refused all the same', () => {
    const thread = new Thread('/pm approve');
    thread.say();
    thread.take({ ...LINKED, headAt: AT }, 1_000);
    const came = thread.lookAgain(2_000);
    expect(came.said).toContain('was not shown here before your comment.');
    expect(came.told).toEqual([]);
  });

  test('who lost the role while it waited is refused', () => {
    const thread = new Thread('/pm approve');
    thread.say();
    thread.take(LINKED, 1_000);
    expect(thread.lookAgain(2_000, { permission: 'read' })).toMatchObject({
      told: [],
      reaction: 'confused',
    });
  });

  test('it looks ever more rarely, and after five minutes says that no task is linked', () => {
    const thread = new Thread('/pm approve');
    let came = thread.say();
    let [at, looks] = [0, 0];
    for (let wait = thread.delayMs(); wait !== undefined; wait = thread.delayMs()) {
      at += wait;
      looks += 1;
      came = thread.lookAgain(at);
    }
    expect(at).toBeGreaterThanOrEqual(5 * 60_000);
    expect(looks).toBeLessThan(20);
    expect(came).toMatchObject({ reaction: 'confused', told: [] });
    expect(came.said).toBe(
      'No task of a plan is linked to this pull request, so the command was not carried out. Repeat it once the task shows this pull request, or approve and merge on GitHub.',
    );
  });

  test('what only reads is answered at once', () => {
    expect(new Thread('/pm status').say()).toMatchObject({ told: [], reaction: '+1' });
  });
});

verifies(
  'TG-6',
  'in a stranger’s pull request nothing waits and nothing is granted, whatever it is called',
  () => {
    for (const author of [EVE, { ...OURS, id: 901 }])
      for (const words of ['/pm approve', '/pm merge', '/pm done']) {
        const came = new Thread(words, author).say();
        expect(came).toMatchObject({ told: [], reaction: 'confused', said: NOT_OURS });
      }
  },
);
