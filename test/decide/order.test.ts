/** Deliveries in any order, twice, or never: what people see in the end is what the thread's own state asks for. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { EffectData } from '../../src/domain/event/effect.ts';
import type { Trigger } from '../../src/domain/event/trigger.ts';
import type { CommentView } from '../../src/domain/run/view.ts';
import { aPullView } from '../helpers/a-finding.ts';
import { aComment, aPosition, aVerdict, aView } from '../helpers/an-issue.ts';
import { ANA, play, THREAD, type Play } from '../helpers/play.ts';
import { verifies } from '../verifies.ts';

const TOM = { id: 200, login: 'tom', isBot: false };
const ROBOT = { id: 300, login: 'robot[bot]', isBot: true };
const BEGIN = Date.parse('2026-03-02T08:00:00Z');
const HOUR = 3_600_000;

/** A thread as GitHub has it. */
interface Truth {
  labels: Set<string>;
  isOpen: boolean;
  comments: CommentView[];
  head: string;
}

/** Something happens in the thread, and GitHub tells of it. */
type Deed = (truth: Truth) => Trigger;

const about = { thread: THREAD, actor: ANA };
const says =
  (author: typeof ANA): Deed =>
  (truth) => {
    const id = 500 + truth.comments.length;
    truth.comments.push(aComment({ id, author, body: 'Mind the empty file.' }));
    return { kind: 'commented', ...about, actor: author, commentId: id, isByBot: author.isBot };
  };

const COMMON = {
  speak: says(TOM),
  beep: says(ROBOT),
  close: (truth) => {
    truth.isOpen = false;
    return { kind: 'ended', ...about, how: 'closed' };
  },
  edit: () => ({ kind: 'edited', ...about }),
} satisfies Record<string, Deed>;

const OF_ISSUE = {
  ...COMMON,
  label: (truth) => {
    truth.labels.add('deliberate');
    return { kind: 'labeled', ...about, label: 'deliberate' };
  },
  unlabel: (truth) => {
    truth.labels.delete('deliberate');
    return { kind: 'unlabeled', ...about, label: 'deliberate' };
  },
  reopen: (truth) => {
    truth.isOpen = true;
    return { kind: 'reopened', ...about };
  },
} satisfies Record<string, Deed>;

const OF_PULL = {
  ...COMMON,
  push: (truth) => {
    truth.head = String.fromCodePoint((truth.head.codePointAt(0) ?? 97) + 1).repeat(40);
    return { kind: 'pull', ...about, action: 'pushed', headSha: truth.head };
  },
  retarget: ({ head }) => ({ kind: 'pull', ...about, action: 'retargeted', headSha: head }),
  reopen: (truth) => {
    truth.isOpen = true;
    return { kind: 'pull', ...about, action: 'reopened', headSha: truth.head };
  },
} satisfies Record<string, Deed>;

interface Told {
  trigger: Trigger;
  at: number;
}

/** Lets a story happen, and returns what GitHub would tell of it. */
function tellStory(truth: Truth, story: readonly Deed[]): Told[] {
  return story.map((deed, n) => ({ trigger: deed(truth), at: BEGIN + n * 1000 }));
}

/** The App at that thread: what it reads is true at that moment, and the labels it sets are set. */
function anApp(truth: Truth): Play {
  const carryOut = (data: EffectData): undefined => {
    if (data.kind !== 'labels') return;
    for (const { name } of data.add) truth.labels.add(name);
    for (const name of data.remove) truth.labels.delete(name);
  };
  const now = () => ({
    labels: [...truth.labels],
    state: truth.isOpen ? ('open' as const) : ('closed' as const),
  });
  return play({
    look: () => aView({ issue: now(), comments: [...truth.comments] }),
    pull: () =>
      aPullView({ pull: { ...now(), headSha: truth.head }, comments: [...truth.comments] }),
    ask: ({ purpose, trigger }) => {
      const isReview = trigger === 'pr_review';
      if (purpose !== 'verdict') return aPosition({ vote: isReview ? 'CHANGES' : 'READY' });
      return aVerdict({ verdict: isReview ? 'CHANGES' : 'READY' });
    },
    refuse: carryOut,
  });
}

const truthOf = (): Truth => ({
  labels: new Set(),
  isOpen: true,
  comments: [],
  head: 'a'.repeat(40),
});

type How = 'at once' | 'looks first' | 'later';

/** The deliveries as they arrive: which of them, how soon what they ask for is done, and how long nothing comes then. */
const arrivals = fc.array(
  fc.record({
    pick: fc.nat(),
    how: fc.constantFrom<How>('at once', 'looks first', 'later'),
    quietMs: fc.constantFrom(0, 0, 30_000, 120_000),
  }),
  { maxLength: 16 },
);

function arrive(
  app: Play,
  told: readonly Told[],
  order: readonly { pick: number; how: How; quietMs: number }[],
): void {
  for (const { pick, how, quietMs } of order) {
    const one = told[pick % told.length];
    if (one === undefined) return;
    deliver(app, one, how);
    app.passTime(quietMs);
  }
}

function deliver(app: Play, { trigger, at }: Told, how: How): void {
  app.hold(trigger, at);
  if (how === 'at once') app.settle();
  if (how === 'looks first') app.settle(({ data }) => data.kind.startsWith('look'));
}

/** Runs that asked anybody anything. */
function runsIn(app: Play): string[] {
  return [...new Set(app.effects.filter(({ data }) => data.kind === 'ask').map(({ run }) => run))];
}

function goingOn(app: Play): string[] {
  // Nothing was ever delivered: then there is no state.
  const runs = Object.values((app.state as Partial<Play['state']> | undefined)?.runs ?? {});
  return runs.filter(({ status }) => status === 'active').map(({ id }) => id);
}

function rest(app: Play): void {
  app.settle();
  app.passTime(HOUR);
}

const deedsOf = <K extends string>(deeds: Record<K, Deed>) =>
  fc.array(fc.constantFrom(...(Object.keys(deeds) as K[])), { maxLength: 7 });

verifies(
  ['ING-09', 'ING-10', 'NW-6'],
  'an issue is discussed once if it is open with its label in the end, and else not at all',
  () => {
    fc.assert(
      fc.property(deedsOf(OF_ISSUE), arrivals, (names, order) => {
        const truth = truthOf();
        const told = tellStory(
          truth,
          names.map((name) => OF_ISSUE[name]),
        );
        const isWanted = truth.isOpen && truth.labels.has('deliberate');
        const app = anApp(truth);
        arrive(app, told, order);
        rest(app);
        // The pass that looks for what was lost finds the label.
        if (truth.isOpen && truth.labels.has('deliberate'))
          app.send({ kind: 'requested', by: 'reconcile', label: 'deliberate', ...about });
        rest(app);
        expect([...truth.labels]).toEqual(
          isWanted ? ['ready'] : truth.labels.has('deliberate') ? ['deliberate'] : [],
        );
        expect(runsIn(app)).toHaveLength(isWanted ? 1 : 0);
        expect(goingOn(app)).toEqual([]);
        if (!isWanted) expect(app.bodies()).toEqual([]);
      }),
      { numRuns: 300 },
    );
  },
);

verifies(
  ['ING-09', 'NW-6'],
  'the last head of an open pull request is reviewed once, whichever delivery brought it; a closed one is left alone',
  () => {
    fc.assert(
      fc.property(deedsOf(OF_PULL), arrivals, (names, order) => {
        const truth = truthOf();
        const opened: Deed = () => ({
          kind: 'pull',
          ...about,
          action: 'opened',
          headSha: 'a'.repeat(40),
        });
        const told = tellStory(truth, [opened, ...names.map((name) => OF_PULL[name])]);
        const app = anApp(truth);
        arrive(app, told, order);
        // One that says that there is a head is not lost.
        const pulls = told.filter(({ trigger }) => trigger.kind === 'pull');
        const one = pulls[(order[0]?.pick ?? 0) % pulls.length];
        if (one !== undefined) deliver(app, one, 'at once');
        rest(app);
        const heads = app.of('review').map(({ review }) => review.headSha);
        expect(heads).toEqual(truth.isOpen ? [truth.head] : []);
        expect(app.state.ledger?.reviewedSha).toBe(truth.isOpen ? truth.head : undefined);
        const checks = app.of('review-check').map(({ check }) => check);
        expect(checks.at(-1)?.conclusion).toBe(truth.isOpen ? 'action_required' : undefined);
        expect(goingOn(app)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  },
);

verifies(
  ['ING-09', 'NW-6'],
  'while things still happen nothing crashes, no two runs go on at once, and each rests in the end',
  () => {
    const steps = fc.array(
      fc.tuple(
        fc.constantFrom(...Object.values(OF_ISSUE)),
        arrivals.map((all) => all.slice(0, 3)),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(steps, (story) => {
        const truth = truthOf();
        const app = anApp(truth);
        const told: Told[] = [];
        for (const [deed, order] of story) {
          told.push({ trigger: deed(truth), at: app.now });
          // The door takes each delivery once.
          for (const one of order) {
            const [next] = told.splice(one.pick % Math.max(1, told.length), 1);
            if (next !== undefined) arrive(app, [next], [one]);
          }
        }
        rest(app);
        const labelled = story.filter(([deed]) => deed === OF_ISSUE.label).length;
        expect(runsIn(app).length).toBeLessThanOrEqual(labelled);
        expect(goingOn(app)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  },
);
