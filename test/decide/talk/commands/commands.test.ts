/** What commands and names do to a thread's state, without a world: the comment is read as the test says. */
import { describe, expect, test } from 'vitest';
import { RUNNERS } from '../../../../src/decide/talk/commands/run-commands.ts';
import { decide } from '../../../../src/decide/route.ts';
import type { Decision } from '../../../../src/decide/run/decision.ts';
import type { ThreadState } from '../../../../src/decide/run/thread-context.ts';
import { COMMANDS } from '../../../../src/domain/commands/registry.ts';
import type { EffectData } from '../../../../src/domain/event/effect.ts';
import { EVENT_VERSION, type EventData } from '../../../../src/domain/event/event.ts';
import type { LedgerFinding } from '../../../../src/domain/review/review.ts';
import type { CommentLook } from '../../../../src/domain/event/result.ts';
import type { Pause } from '../../../../src/domain/repository/repository-state.ts';
import type { TalkView } from '../../../../src/domain/run/talk.ts';
import { threadKey, type Actor } from '../../../../src/domain/run/thread-ref.ts';
import { aFinding } from '../../../helpers/a-finding.ts';
import { aTalkView } from '../../../helpers/a-talk.ts';
import { aComment, aView } from '../../../helpers/an-issue.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';
import { verifies } from '../../../verifies.ts';
import { waitingDiscussion } from './say-on-thread.ts';
import { runOf } from '../../../../src/decide/run/thread-context.ts';

const NOW = Date.parse('2026-03-02T09:00:00Z');
interface Said {
  view: TalkView;
  stopped?: string;
  actor?: Actor;
  appId?: number;
  state?: unknown;
}

let count = 0;

function reduce(state: unknown, data: EventData): Decision {
  count += 1;
  const id = `event-${count}`;
  const at = new Date(NOW).toISOString();
  const event = { id, key: threadKey(THREAD), version: EVENT_VERSION, at, data };
  const before = JSON.stringify(state);
  const decision = decide(state, event, { now: NOW });
  expect(JSON.stringify(state)).toBe(before);
  return { ...decision, state: JSON.parse(JSON.stringify(decision.state)) as unknown };
}

function comes(said: Said): Decision {
  const actor = said.actor ?? ANA;
  const address = {
    place: 'thread' as const,
    updatedAt: '2026-03-02T09:00:00Z',
    digest: 'd',
    isOnlyCommands: true,
    ...(said.appId === undefined ? {} : { appId: said.appId }),
  };
  const isByBot = actor.isBot || said.appId !== undefined;
  const trigger = {
    kind: 'commented' as const,
    thread: THREAD,
    actor,
    commentId: 900,
    isByBot,
    address,
  };
  return reduce(said.state, { kind: 'trigger', trigger });
}

/** A comment arrives and is read, and the effects that the team wants are returned. */
function hear(said: Said): { state: ThreadState; effects: EffectData[]; decision: Decision } {
  const begun = comes(said);
  const [look] = begun.effects;
  if (look === undefined) throw new Error('the comment was not read');
  const result: CommentLook = {
    kind: 'read',
    view: said.view,
    ...(said.stopped === undefined ? {} : { stopped: said.stopped }),
  };
  const about = { effectId: look.id, run: look.run };
  const decision = reduce(begun.state, {
    kind: 'done',
    effectKind: 'look-comment',
    result,
    ...about,
  });
  return {
    state: decision.state as ThreadState,
    effects: decision.effects.map((each) => each.data),
    decision,
  };
}

function wordsOf(effects: readonly EffectData[]): string[] {
  return effects.flatMap((each) => (each.kind === 'comment' ? [each.body] : []));
}

test('what the registry calls built is what runs', () => {
  const built = COMMANDS.filter((entry) => entry.built).map(({ name }) => name);
  expect(Object.keys(RUNNERS).toSorted()).toEqual(built.toSorted());
});

describe('one answer to a comment', () => {
  test('`/pm report` shows what was read for it, and says so when that is missing', () => {
    const report = '- Calls of models: 3';
    const [words] = wordsOf(hear({ view: aTalkView('/pm report', { report }) }).effects);
    expect(words).toContain(report);
    const [none] = wordsOf(hear({ view: aTalkView('/pm report') }).effects);
    expect(none).toContain('The report could not be read this time.');
  });

  test('whatever it asks for, in one marker of its own', () => {
    const { effects, state } = hear({ view: aTalkView('/pm status\n/pm cost\n/pm nonsense') });
    expect(effects.map((each) => each.kind)).toEqual(['react', 'comment']);
    expect(effects[1]).toMatchObject({ marker: { kind: 'notice', key: 'answer-900' } });
    expect(state.talks).toEqual({});
  });

  verifies(
    'P6',
    'over the limit of an hour it says so once, with its end; then commands still run, and a reaction is all',
    () => {
      const own = { author: aView().self, createdAt: '2026-03-02T08:30:00Z' };
      const comments = Array.from({ length: 30 }, (_, id) => aComment({ id, ...own, body: 'x' }));
      const view = aTalkView('/pm hold\n/pm help', { comments });
      const { effects, state } = hear({ view });
      expect(effects.map((each) => each.kind)).toEqual(['comment', 'labels', 'react']);
      expect(wordsOf(effects)).toEqual([
        'The team has written 30 comments here within an hour, which is the most. Until 09:30 UTC commands are carried out and get a reaction, without a comment.',
      ]);
      const again = hear({ view, state });
      expect(again.effects.map((each) => each.kind)).toEqual(['labels', 'react']);
      const stranger = hear({ view: { ...view, permission: 'read' } });
      expect(wordsOf(stranger.effects)).toEqual([]);
      const older = comments.map((each) => ({ ...each, createdAt: '2026-03-02T07:30:00Z' }));
      const later = hear({ view: aTalkView('/pm help', { comments: older }) });
      expect(wordsOf(later.effects)).toHaveLength(1);
    },
  );

  verifies('P6', 'and twenty comments at once are enough for one thread', () => {
    let state: unknown;
    for (let n = 0; n < 20; n += 1) ({ state } = comes({ view: aTalkView(''), state }));
    expect(Object.keys((state as ThreadState).talks ?? {})).toHaveLength(20);
    expect(comes({ view: aTalkView(''), state }).effects).toEqual([]);
  });
});

verifies(
  'LOOP-06: five answers in a thread and hour',
  'somebody without a role gets five answers of a thread in an hour',
  () => {
    const at = '2026-03-02T08:30:00Z';
    const asked = Array.from({ length: 6 }, (_, id) =>
      aComment({ id, body: '/pm cost', createdAt: at }),
    );
    const view = aTalkView('/pm cost', { permission: 'read', comments: asked });
    expect(hear({ view }).effects).toEqual([]);
    expect(hear({ view: { ...view, comments: asked.slice(1) } }).effects).not.toEqual([]);
    expect(hear({ view: { ...view, permission: 'triage' } }).effects).not.toEqual([]);
  },
);

describe('a listed App', () => {
  const ROBOT: Actor = { id: 55, login: 'robot[bot]', isBot: true };
  const { config } = aView();
  const listing = { ...config, access: { ...config.access, allowedApps: [77] } };

  verifies('CMD-07', 'may do what somebody with write may', () => {
    const view = aTalkView('/pm hold', { config: listing, permission: 'none' });
    const { effects } = hear({ view, actor: ROBOT, appId: 77 });
    expect(effects.map((each) => each.kind)).toEqual(['labels', 'react', 'comment']);
  });

  verifies('CMD-07', 'and no other App may, nor learns of it', () => {
    const view = aTalkView('/pm hold', { config: listing, permission: 'admin' });
    expect(hear({ view, actor: ROBOT, appId: 78 }).effects).toEqual([]);
    expect(hear({ view, actor: ANA, appId: 78 }).effects).toEqual([]);
    expect(hear({ view: { ...view, config }, actor: ROBOT, appId: 77 }).effects).toEqual([]);
  });
});

describe('a team that has to keep still', () => {
  verifies('TG-1', 'spends nothing on questions, and people may still stop it', () => {
    const stopped = 'a persona was changed by an agent';
    const asked = hear({ view: aTalkView('/pm ask where is it?'), stopped });
    expect(wordsOf(asked.effects).join()).toContain(stopped);
    expect(asked.effects.some((each) => each.kind === 'look')).toBe(false);
    const named = hear({ view: aTalkView('@maya where is it?'), stopped });
    expect(named.effects).toMatchObject([{ kind: 'react', add: 'confused' }]);
    const paused = hear({ view: aTalkView('/pm pause'), stopped });
    expect(paused.decision.events).toMatchObject([
      { key: 'repository:7', data: { kind: 'paused', pause: { by: 'ana' } } },
    ]);
  });
});

describe('a discussion that waits for a person', () => {
  test('and is asked for again tells what it waits for, and goes on waiting', () => {
    const { state, effects } = hear({
      view: aTalkView('/pm deliberate'),
      state: waitingDiscussion(),
    });
    expect(wordsOf(effects).join()).toMatch(/waits for an answer by `ana` .*`Keep the old flag\?`/);
    expect(effects.map((each) => each.kind)).toEqual(['react', 'comment']);
    expect(state.runs.issue_review?.status).toBe('blocked');
  });

  test('makes room for another question', () => {
    const before = waitingDiscussion();
    const view = aTalkView('/pm deliberate is it worth a flag?');
    const { state, effects } = hear({ view, state: before });
    expect(wordsOf(effects).join()).toMatch(/^### Stopped: `ana` asked for another one/);
    expect(effects.map((each) => each.kind)).toContain('look');
    expect(state.runs.issue_review).toMatchObject({
      status: 'active',
      question: 'is it worth a flag?',
    });
    expect(state.runs.issue_review?.id).not.toBe(before.runs.issue_review?.id);
  });
});

describe('the model of a thread', () => {
  const models = ['haiku', 'sonnet', 'opus'].map((name, n) => ({
    name,
    provider: 'anthropic',
    model: `claude-${name}`,
    state: 'ready',
    aliases: [['cheap'], ['standard'], ['strong']][n] ?? [],
  }));
  const ask = (body: string, state?: unknown) => hear({ view: aTalkView(body, { models }), state });
  const told = (body: string, state?: unknown): string => wordsOf(ask(body, state).effects).join();

  test('is switched by its name or its tier, shown with its source, and switched back', () => {
    expect(told('/pm model')).toContain('| `strong` | `opus` | this host |');
    const first = ask('/pm OPUS').state;
    expect(first.switches).toMatchObject([{ model: 'opus', by: 'ana', commentId: 900 }]);
    expect(told('/pm model', first)).toContain('`opus` answers here, chosen by `ana`');
    expect(told('/pm status', first)).toContain('Model: `opus`, chosen for this thread');
    expect(told('/pm model opus', first)).toContain('already');
    const second = ask('/pm model strong', first).state;
    expect(second.switches?.map((each) => each.model)).toEqual(['strong', 'opus']);
    const back = ask('/pm model default', second).state;
    expect(back.switches?.[0]).not.toHaveProperty('model');
    expect(told('/pm model', back)).toMatch(/this host[\s\S]*Before that: `strong` chosen by/);
    expect(told('/pm model default', back)).toContain('No other model was chosen');
  });

  test('is refused when the pool does not have it: the nearest is named, and nothing changes', () => {
    const { effects, state } = ask('/pm model opuss');
    expect(wordsOf(effects).join()).toMatch(/Did you mean `\/pm model opus`\? The pool: `haiku`/);
    expect(state.switches).toBeUndefined();
    expect(told('/pm sonet')).toContain('did you mean `/pm sonnet`?');
    const [first] = models;
    if (first === undefined) throw new Error('no model');
    const out = [
      { ...first, state: 'missing' },
      { ...first, name: 'painter', aliases: ['image'] },
    ];
    const words = (body: string) =>
      wordsOf(hear({ view: aTalkView(body, { models: out }) }).effects).join();
    expect(words('/pm haiku')).toContain('cannot be asked on this host (missing)');
    expect(words('/pm painter')).toContain('does not write text');
  });

  test('is chosen by a person who may change something', () => {
    const view = aTalkView('/pm opus', { models, permission: 'triage' });
    expect(hear({ view }).state.switches).toBeUndefined();
  });
});

describe('feedback', () => {
  const finding = (n: number, over: Partial<LedgerFinding> = {}): LedgerFinding => ({
    finding: aFinding({
      fingerprint: `finding-${n}`,
      ruleId: n > 2 ? 'js-eval' : `rule-${n}`,
      title: `Text number ${n} is run as code`,
    }),
    status: 'open',
    firstSha: 'h',
    lastSha: 'h',
    ...over,
  });
  const ledger = {
    reviewedSha: 'h',
    findings: [finding(1), finding(2, { number: 2 }), finding(3), finding(4)],
  };
  const give = (text: string, state: object = { v: 1, runs: {}, ledger }) =>
    hear({ view: aTalkView(`/pm feedback ${text}`), state });
  const dismissed = ({ state }: { state: ThreadState }): string[] =>
    (state.ledger?.findings ?? []).flatMap((each) =>
      each.status === 'dismissed' ? each.finding.fingerprint : [],
    );

  test.each([
    ['2: it is a fixture', 'finding-2'],
    ['#2 it is a fixture', 'finding-2'],
    ['finding 2 is by design', 'finding-2'],
    ['rule-1 is fine here', 'finding-1'],
    ['`rule-1`: fine here', 'finding-1'],
    ['“text number 4 is RUN as code” is what we want', 'finding-4'],
  ])('%j dismisses %s, and counts', (text, fingerprint) => {
    const given = give(text);
    expect(dismissed(given)).toEqual([fingerprint]);
    expect(wordsOf(given.effects).join()).toContain('Dismissed, with your reason');
    expect(given.decision.events).toMatchObject([
      { key: 'precision:7', data: { kind: 'judged', judged: [{ to: 'declined' }] } },
    ]);
  });

  test('that names several dismisses none of them, and lists them', () => {
    const given = give('js-eval is fine here');
    expect(dismissed(given)).toEqual([]);
    expect(wordsOf(given.effects).join()).toMatch(/names 2 findings[\s\S]*number 3[\s\S]*number 4/);
    expect(given.state.guidance).toBeUndefined();
  });

  test('reaches the copy of a review that is going on', () => {
    const review = { ledger: structuredClone(ledger) };
    const { state } = give('2: ours', {
      v: 1,
      ledger,
      runs: { pr_review: { trigger: 'pr_review', status: 'active', review } },
    });
    expect(runOf(state, 'pr_review')?.review?.ledger.findings[1]?.status).toBe('dismissed');
  });

  test('on a serious finding of a rule is for people with the triage role, not for Apps', () => {
    const text = '/pm feedback 2: ours';
    const state = { v: 1, runs: {}, ledger };
    const by = (permission: 'read' | 'triage') =>
      hear({ view: aTalkView(text, { permission }), state });
    expect(dismissed(by('read'))).toEqual([]);
    expect(dismissed(by('triage'))).toEqual(['finding-2']);
    const { config } = aTalkView(text);
    const access = { ...config.access, allowedApps: [77] };
    const view = aTalkView(text, { config: { ...config, access } });
    const given = hear({ view, state, appId: 77 });
    expect(dismissed(given)).toEqual([]);
    expect(wordsOf(given.effects).join()).toContain('dismissed by a person with the `triage` role');
    const medium = finding(2, { number: 2, ruleSeverity: 'medium' });
    const mild = { ...state, ledger: { ...ledger, findings: [medium] } };
    expect(dismissed(hear({ view, state: mild, appId: 77 }))).toEqual(['finding-2']);
  });

  test.each(['2 spaces, please', 'leave the generated files alone', '99: what?', 'text'])(
    '%j names none: it is kept with its author, and no more than ten are',
    (text) => {
      const given = give(text);
      expect(dismissed(given)).toEqual([]);
      expect(given.state.guidance).toMatchObject([{ by: 'ana', permission: 'write', text }]);
      expect(wordsOf(given.effects).join()).toContain('Kept, under your name');
      let { state } = given;
      for (let n = 0; n < 12; n += 1) ({ state } = give(`Wish number ${n}`, state));
      expect(state.guidance?.map((each) => each.text)).toEqual(
        Array.from({ length: 10 }, (_, n) => `Wish number ${n + 2}`),
      );
    },
  );
});

describe('the value meter', () => {
  const tally = {
    'persona:maya': { accepted: 9, declined: 1, ignored: 2 },
    'persona:dev': { accepted: 0, declined: 12, ignored: 0 },
    'rule:debug-print-left': { accepted: 0, declined: 12, ignored: 0 },
    'rule:js-eval': { accepted: 9, declined: 1, ignored: 0 },
  };
  const meter = { runs: 20, changedRuns: 4, costUsd: 0.5 };

  test('is shown with what was spent', () => {
    const [words = ''] = wordsOf(hear({ view: aTalkView('/pm cost', { tally, meter }) }).effects);
    expect(words).toContain('changed 4 of 20 verdicts for $0.50, $0.13 for each');
    expect(words).toContain('| `maya` | 9 | 1 | 2 | 9 of 12 (75 %) |');
    expect(words).toContain('| `dev` | 0 | 12 | 0 | 0 of 12 (0 %), muted below high |');
    expect(words).toContain('Rules muted below high: `debug-print-left` (0 of 12 accepted).');
    const nothing = wordsOf(hear({ view: aTalkView('/pm cost') }).effects).join();
    expect(nothing).not.toMatch(/Value|judged/);
  });
});

describe('a repository', () => {
  const key = 'repository:7';
  const tell = (state: unknown, pause?: Pause, ends = pause?.at): unknown => {
    const ended = ends === undefined ? {} : { ends };
    const data: EventData = { kind: 'paused', run: 'r', ...(pause ? { pause } : ended) };
    const event = { id: 'e', key, version: EVENT_VERSION, at: '2026-03-02T09:00:00Z', data };
    return decide(state, event, { now: NOW }).state;
  };

  test('is paused and resumed; receiving either twice does no harm', () => {
    const pause = { by: 'ana', why: '', at: '2026-03-02T09:00:00Z' };
    const paused = tell(tell(undefined, pause), pause);
    expect(paused).toMatchObject({ paused: pause });
    expect(tell(tell(paused))).not.toHaveProperty('paused');
  });

  verifies(
    'CMD-11: pause and resume at once',
    'is paused by the newer pause when what ends the older one comes late',
    () => {
      const older = { by: 'ana', why: '', at: '2026-03-02T09:00:00Z' };
      const newer = { by: 'tom', why: '', at: '2026-03-02T09:00:01Z' };
      const again = tell(tell(undefined, older), newer);
      expect(tell(again, undefined, older.at)).toMatchObject({ paused: newer });
      expect(tell(again, undefined, newer.at)).not.toHaveProperty('paused');
    },
  );
});
