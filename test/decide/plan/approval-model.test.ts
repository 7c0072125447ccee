/** Whatever comes between, no text is approved that the person was not shown before, and that was not there when they approved. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideThread } from '../../../src/decide/thread.ts';
import type { ThreadState } from '../../../src/decide/run/thread-context.ts';
import type { Effect } from '../../../src/domain/event/effect.ts';
import { EVENT_VERSION, type EventData } from '../../../src/domain/event/event.ts';
import type { TalkView } from '../../../src/domain/run/talk.ts';
import { threadKey } from '../../../src/domain/run/thread-ref.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../src/domain/plan/plan-digest.ts';
import { toCommentAddress } from '../../../src/events/may-address.ts';
import { aPlanBody, aPlanView, aTask } from '../../helpers/a-plan.ts';
import { aTalkView } from '../../helpers/a-talk.ts';
import { ANA, PLAN } from '../../helpers/a-task.ts';

const EVE = { id: 5, login: 'eve', isBot: false };
const TOM = { id: 6, login: 'tom', isBot: false };
const TEXTS = [1, 2, 3].map((n) => aPlanBody({ tasks: [aTask(1, { description: `Text ${n}.` })] }));
const DIGESTS = TEXTS.map((text) => planDigest(parsePlan(text)));

interface Said {
  id: number;
  createdAt: string;
  /** What its delivery carries. */
  delivered: string | undefined;
  body: string;
}

/** GitHub with one plan that a stranger may edit, and the App as far as its reducer goes. */
function createModel() {
  let state: unknown;
  let second = 0;
  let text = 0;
  let count = 0;
  const shown: { digest: string; at: string }[] = [];
  const comments = new Map<number, Said>();
  const deliveries: EventData[] = [];
  const pending: Effect[] = [];
  const plan = () => (state as ThreadState | undefined)?.plan;
  const now = (): string =>
    new Date(Date.parse('2026-11-22T08:00:00Z') + second * 1000).toISOString();

  const send = (data: EventData): void => {
    count += 1;
    const event = {
      id: `e${count}`,
      key: threadKey(PLAN),
      version: EVENT_VERSION,
      at: now(),
      data,
    };
    const before = plan()?.approval;
    // The App's own clock is wrong by an hour: nothing may rest on it.
    const decision = decideThread(state, event, { now: Date.parse(now()) + 3_600_000 });
    state = JSON.parse(JSON.stringify(decision.state));
    pending.push(...decision.effects);
    check(before, data);
  };

  const check = (before: unknown, data: EventData): void => {
    const { approval } = plan() ?? {};
    if (approval === undefined || JSON.stringify(approval) === JSON.stringify(before)) return;
    if (data.kind !== 'done' || data.effectKind !== 'look-comment') throw new Error('no comment');
    const id = data.result.kind === 'read' ? data.result.view.comment.id : 0;
    const said = comments.get(id);
    const named = /[0-9a-f]{40}/.exec(said?.body ?? '')?.[0];
    if (named !== undefined) return expect(approval.digest).toBe(named);
    expect(approval.digest).toBe(said?.delivered);
    const wasShown = shown.some(
      ({ digest, at }) =>
        digest === approval.digest && Date.parse(at) < Date.parse(said?.createdAt ?? ''),
    );
    expect(wasShown).toBe(true);
  };

  const carryOut = (at: number): void => {
    const [effect] = pending.splice(at % Math.max(1, pending.length), 1);
    if (effect === undefined) return;
    const about = { kind: 'done' as const, effectId: effect.id, run: effect.run };
    const { data } = effect;
    const body = TEXTS[text] ?? '';
    if (data.kind === 'look-plan')
      send({ ...about, effectKind: 'look-plan', result: aPlanView({ author: EVE, body }) });
    if (data.kind === 'comment' && data.marker.kind === 'plan') {
      const digest = DIGESTS.find((each) => data.body.includes(each.slice(0, 12)));
      if (digest !== undefined) shown.push({ digest, at: now() });
      const result = { id: 1, url: '', outcome: 'edited' as const, updatedAt: now() };
      send({ ...about, effectKind: 'comment', result });
    }
    if (data.kind === 'look-comment') {
      const result = { kind: 'read' as const, view: viewOf(data.comment.id, body) };
      send({ ...about, effectKind: 'look-comment', result });
    }
  };

  const viewOf = (id: number, body: string): TalkView => {
    const { issue } = aPlanView({ author: EVE, body });
    const said = comments.get(id);
    const comment = { id, author: TOM, body: said?.body ?? '', createdAt: said?.createdAt ?? '' };
    return aTalkView('', { comment, comments: [], issue: { ...issue, authorPermission: 'none' } });
  };

  const approve = (body: string, isDelivered = true): void => {
    const id = comments.size + 1;
    const delivered = isDelivered ? DIGESTS[text] : undefined;
    comments.set(id, { id, createdAt: now(), delivered, body });
    const address = toCommentAddress({
      place: 'thread',
      body,
      updatedAt: now(),
      appId: undefined,
      isByBot: false,
    });
    if (address === undefined) return;
    deliveries.push({
      kind: 'trigger',
      trigger: {
        kind: 'commented',
        thread: PLAN,
        actor: TOM,
        commentId: id,
        isByBot: false,
        address: delivered === undefined ? address : { ...address, planDigest: delivered },
      },
    });
  };

  const labeled = {
    kind: 'labeled',
    thread: PLAN,
    actor: { ...ANA, isBot: false },
    label: 'plan',
  } as const;
  send({ kind: 'trigger', trigger: labeled });
  return {
    plan,
    digest: () => DIGESTS[text] ?? '',
    tick: () => void (second += 1),
    edit: (to: number) => {
      text = to;
      deliveries.push({ kind: 'trigger', trigger: { kind: 'edited', thread: PLAN, actor: EVE } });
    },
    approve,
    deliver: (at: number) => {
      const [data] = deliveries.splice(at % Math.max(1, deliveries.length), 1);
      if (data !== undefined) send(data);
    },
    carryOut,
    settle: () => {
      for (let n = 0; n < 200 && pending.length + deliveries.length > 0; n += 1) {
        const [data] = deliveries.splice(0, 1);
        if (data === undefined) carryOut(0);
        else send(data);
      }
    },
  };
}

type Model = ReturnType<typeof createModel>;

const step: fc.Arbitrary<(model: Model) => void> = fc.oneof(
  fc.constant((model: Model) => model.tick()),
  fc.integer({ min: 0, max: 2 }).map((to) => (model: Model) => model.edit(to)),
  fc.tuple(fc.constantFrom('/pm approve', 'lgtm'), fc.boolean()).map(
    ([body, isDelivered]) =>
      (model: Model) =>
        model.approve(body, isDelivered),
  ),
  fc
    .integer({ min: 0, max: 2 })
    .map((n) => (model: Model) => model.approve(`/pm approve ${DIGESTS[n] ?? ''}`)),
  fc.nat(5).map((at) => (model: Model) => model.deliver(at)),
  fc.nat(5).map((at) => (model: Model) => model.carryOut(at)),
  fc.nat(5).map((at) => (model: Model) => model.carryOut(at)),
);

test('edits, approvals, deliveries and reads in any order approve only what was shown before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const model = createModel();
      for (const each of steps) each(model);
      model.settle();
    }),
    { numRuns: 400 },
  );
});

test('an unchanged plan is approved at once, after whatever came before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const model = createModel();
      for (const each of steps) each(model);
      model.settle();
      // An approval that names another text, and the one that holds already, change nothing.
      model.tick();
      model.approve('/pm approve');
      model.settle();
      expect(model.plan()?.approval?.digest).toBe(model.digest());
    }),
    { numRuns: 200 },
  );
});
