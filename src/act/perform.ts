/** Carries out one effect through the ports. Each kind is safe to repeat: it looks for its own trace first. */
import type { Authority, CheckWanted, Effect, EffectData } from '../domain/effect.ts';
import type { TaskEffect } from '../domain/task/effects.ts';
import { RefusedError } from '../domain/errors.ts';
import type { Trace } from '../ports/github.ts';
import { hasPermission } from '../domain/thread.ts';
import { askPersona } from './ask.ts';
import { createBaseTests, type CountBase } from './task/base-tests.ts';
import { createLook, type Look } from './look.ts';
import { lookAtBuild } from './look-build.ts';
import { lookAtCode } from './look-code.ts';
import { lookAtComment } from './look-comment.ts';
import { createProjects, type FillProject } from './task/project.ts';
import { createSettings, type ReadSettings } from './settings.ts';
import { lookAtPlan } from './look-plan.ts';
import { lookAtFeedback } from './look-feedback.ts';
import { lookAtPull } from './look-pull.ts';
import { lookAtRest } from './look-rest.ts';
import { nameLabel } from './name-label.ts';
import { createWhyUnsigned, type WhyUnsigned } from './signatures.ts';
import { createTeamNames, type TeamNames } from './team-names.ts';
import { whereItIsNow } from './place.ts';
import { pullsAt, type ActPorts, type Performed } from './ports.ts';
import { proposePlan } from './propose.ts';
import { setSuitePreferences } from './suite-preferences.ts';
import { reconcile } from './reconcile.ts';
import { findTrace, hasOlderCheck } from './trace.ts';
import { isTaskEffect, workOnTask } from './task/perform-task.ts';
import { createTurns, type Turns } from './task/turns.ts';

/** How sure it is that nothing of an effect was done before. */
export interface Attempt {
  /** Nobody can have begun it before, and it was decided just now. */
  isFirst: boolean;
  /** Nobody can have begun it before, however old it is; as `isFirst` when absent. */
  isUntouched?: boolean;
}

export type Perform = (effect: Effect, attempt: Attempt) => Promise<Performed>;

/** Binds the effects to the outside world, for whoever has so many of them in hand at once. */
export function createPerform(ports: ActPorts, hands = Infinity): Perform {
  const readSettings = createSettings(ports);
  const fillProject = createProjects(ports);
  const turns = createTurns(hands);
  const bound = {
    ports,
    readSettings,
    look: createLook(ports, readSettings),
    teamNames: createTeamNames(ports, readSettings),
    readWhyUnsigned: createWhyUnsigned(ports),
    fillProject,
    countBase: createBaseTests(ports, { fillProject }),
    turns,
  };
  return async (decided, { isFirst, isUntouched = isFirst }) => {
    const effect = await whereItIsNow(decided, ports);
    const isNew = isFirst && 'isNew' in effect.data;
    const trace = (name?: string): Promise<Trace> =>
      findTrace(effect, { records: ports.store.records, mayHaveBegun: !isUntouched }, name);
    return carryOut(effect, { ...bound, isFirst, isUntouched, isNew, trace, at: effect.at });
  };
}

interface Bound {
  ports: ActPorts;
  readSettings: ReadSettings;
  look: Look;
  teamNames: TeamNames;
  readWhyUnsigned: WhyUnsigned;
  countBase: CountBase;
  fillProject: FillProject;
  turns: Turns;
  /** Whether nothing can be there yet of what is written: then it need not be looked for. */
  isNew: boolean;
  isFirst: boolean;
  isUntouched: boolean;
  /** What earlier writes under the same marker have left, by the store; of a check run by its name. */
  trace: (name?: string) => Promise<Trace>;
  /** When it was decided, ISO 8601. */
  at: string;
}

async function carryOut(effect: Effect, bound: Bound): Promise<Performed> {
  const { ports, readSettings } = bound;
  const { data } = effect;
  if (isTaskEffect(data))
    return workOnTask(data, { ...bound, run: effect.run, effectId: effect.id });
  if (isWrite(data)) return write(effect, data, bound);
  const context = { ports, readSettings };
  if (data.kind === 'ask') return askPersona(effect, data, ports);
  if (data.kind === 'propose') return proposePlan(effect, data, ports);
  if (data.kind === 'name-label') return nameLabel(data, context);
  if (data.kind === 'reconcile') return reconcile(data, context);
  if (data.kind === 'suite-preferences') return setSuitePreferences(data, ports);
  return lookAt(data, { ...bound, at: effect.at });
}

type LookData = Exclude<
  EffectData,
  | Write
  | TaskEffect
  | { kind: 'ask' | 'propose' | 'name-label' | 'reconcile' | 'suite-preferences' }
>;

async function lookAt(data: LookData, bound: Bound & { at: string }): Promise<Performed> {
  const { ports, readSettings, look, teamNames, at } = bound;
  switch (data.kind) {
    case 'look':
      return look(data);
    case 'look-comment':
      return lookAtComment(data, { ports, readSettings, teamNames, at });
    case 'look-pull':
      return lookAtPull(data, bound);
    case 'look-build':
      return lookAtBuild(data, { ports, readSettings });
    case 'look-plan':
      return lookAtPlan(data, bound);
    case 'look-rest':
      return lookAtRest(data, { ports, readSettings });
    case 'look-feedback':
      return lookAtFeedback(data, ports);
    case 'look-code':
      return lookAtCode(data, { ports, look });
  }
}

const REVIEW_WRITES = ['review', 'review-check', 'reply', 'fold'] as const;
type ReviewWrite = Extract<EffectData, { kind: (typeof REVIEW_WRITES)[number] }>;
type Write =
  | ReviewWrite
  | Extract<EffectData, { kind: 'comment' | 'issue' | 'labels' | 'react' | 'close' | 'check' }>;

const WRITES: ReadonlySet<string> = new Set<Write['kind']>([
  'comment',
  'issue',
  'labels',
  'react',
  'close',
  'check',
  ...REVIEW_WRITES,
]);

function isWrite(data: EffectData): data is Write {
  return WRITES.has(data.kind);
}

async function write(effect: Effect, data: Write, bound: Bound): Promise<Performed> {
  if (isReviewWrite(data)) return writeReview(effect, data, bound);
  const { ports, isFirst, isNew, trace, at } = bound;
  const { write: to, counts: githubCalls } = ports.github.at(
    'repository' in data ? data.repository : data.thread,
  );
  switch (data.kind) {
    case 'comment': {
      const { marker, body } = data;
      const result = await to.ensureComment(data.thread, { marker, body, isNew, trace });
      return { effectKind: 'comment', result, githubCalls };
    }
    case 'issue': {
      const result = await to.ensureIssue(data.repository, { ...data, at, trace });
      return { effectKind: 'issue', result, githubCalls };
    }
    case 'labels':
      if (data.authority !== undefined) await refuseWithoutAuthority(data, data.authority, ports);
      await to.ensureLabels(data.thread, data);
      return { effectKind: 'labels', result: null, githubCalls };
    case 'react':
      await to.ensureReaction(data.thread, data);
      return { effectKind: 'react', result: null, githubCalls };
    case 'close': {
      const result = await to.ensureClosed(data.thread, data.reason);
      return { effectKind: 'close', result, githubCalls };
    }
    case 'check': {
      const known = isFirst ? data.checks : data.checks.map(toKnown);
      const checks = known.map((check) => ({ ...check, trace: () => trace(check.name) }));
      const ids = await to.ensureChecks({ ...data, checks });
      return { effectKind: 'check', result: { ids }, githubCalls };
    }
  }
}

/** It may have been written by an earlier try. */
function toKnown({ name, conclusion, title, summary }: CheckWanted): CheckWanted {
  return { name, conclusion, title, summary };
}

function isReviewWrite(data: Write): data is ReviewWrite {
  return REVIEW_WRITES.some((kind) => kind === data.kind);
}

async function writeReview(
  effect: Effect,
  data: ReviewWrite,
  { ports, isNew, trace }: Bound,
): Promise<Performed> {
  const at = 'repository' in data ? data.repository : data.thread;
  const { reviews, counts: githubCalls } = pullsAt(ports, at);
  switch (data.kind) {
    case 'reply': {
      const { thread, commentId, marker, body } = data;
      const result = await reviews.ensureReply(thread, { commentId }, { marker, body, trace });
      return { effectKind: 'reply', result, githubCalls };
    }
    case 'review': {
      const result = await reviews.ensureReview(data.thread, { ...data.review, isNew, trace });
      return { effectKind: 'review', result, githubCalls };
    }
    case 'review-check': {
      const hasOlder = await hasOlderCheck(effect, data.check, ports.store.records);
      const check = { ...data.check, isNew, trace, ...(hasOlder && { hasOlder }) };
      const { id } = await reviews.ensureReviewCheck(data.repository, check);
      return { effectKind: 'review-check', result: { id }, githubCalls };
    }
    case 'fold':
      await reviews.fold(data.thread, data);
      return { effectKind: 'fold', result: null, githubCalls };
  }
}

/** CMD-02: a role can be taken away between the command and what it does. */
async function refuseWithoutAuthority(
  { thread }: Extract<EffectData, { kind: 'labels' }>,
  { user, needed }: Authority,
  { github }: ActPorts,
): Promise<void> {
  const held = await github.at(thread).read.permission(thread, user);
  if (hasPermission(held, needed)) return;
  throw new RefusedError({
    code: 'permission-lost',
    message: `@${user.login} does not have the ${needed} role any more.`,
  });
}
