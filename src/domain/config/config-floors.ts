/** The floors and ceilings that no configuration can go past (spec 12, rule 9), and what an unknown value means. */
import type { Config } from './config.ts';
import { PERMISSION_FLOOR } from './config.ts';
import { reachesForPeople } from '../gates/protected-paths.ts';
import { hasPermission, PERMISSIONS } from '../run/thread-ref.ts';
import { isRecord } from './yaml.ts';

/** A configured value that was too weak or too large, and what holds instead. */
export interface Raised {
  key: string;
  from: string;
  to: string;
  why: string;
}

interface Bound {
  key: string;
  least?: number;
  most?: number;
  why: string;
}

const SPEC_ROUNDS = 'a discussion that goes on does not get better';
const RUNAWAY = 'a runaway agent must end by itself';
const MONEY = 'more than this is a slip of the keyboard';
const NUISANCE = 'a team that speaks more often is a nuisance';

const BOUNDS: readonly Bound[] = [
  { key: 'council.maxRounds', most: 2, why: SPEC_ROUNDS },
  { key: 'council.maxContributions', most: 6, why: SPEC_ROUNDS },
  { key: 'council.maxContributors', most: 3, why: SPEC_ROUNDS },
  { key: 'council.cooldownMinutes', least: 1, why: 'the same trigger must not loop' },
  { key: 'review.maxComments', most: 15, why: NUISANCE },
  { key: 'review.maxParts', most: 8, why: 'every voice reads every part' },
  { key: 'review.muteBelow', most: 0.5, why: 'who is right half of the time is worth reading' },
  { key: 'review.muteAfter', least: 10, why: 'fewer judgements say too little of anybody' },
  { key: 'board.meetings.maxTurnsPerAgent', most: 10, why: RUNAWAY },
  { key: 'board.meetings.maxDurationMs', most: 3_600_000, why: RUNAWAY },
  { key: 'board.consultation.maxDepth', most: 5, why: RUNAWAY },
  { key: 'plans.maxAttempts', most: 3, why: RUNAWAY },
  {
    key: 'plans.leaseMinutes',
    least: 5,
    most: 720,
    why: 'a dead worker must not hold a task for days',
  },
  { key: 'gates.testTimeoutSeconds', most: 7_200, why: RUNAWAY },
  { key: 'gates.maxChangedLines', most: 50_000, why: 'nobody can review more' },
  { key: 'gates.maxBinaryKb', most: 50_000, why: 'binaries stay in the history for ever' },
  { key: 'coder.maxTurns', most: 200, why: RUNAWAY },
  { key: 'coder.timeoutMinutes', most: 360, why: RUNAWAY },
  { key: 'coder.worktreeLimitMb', most: 200_000, why: 'the disk is shared' },
  { key: 'budget.pm.perThreadUsd', most: 100, why: MONEY },
  { key: 'budget.council.perThreadUsd', most: 100, why: MONEY },
  { key: 'budget.coder.perThreadUsd', most: 500, why: MONEY },
  { key: 'budget.standup.perThreadUsd', most: 10, why: MONEY },
  { key: 'budget.pm.perDayUsd', most: 1_000, why: MONEY },
  { key: 'budget.council.perDayUsd', most: 1_000, why: MONEY },
  { key: 'budget.coder.perDayUsd', most: 5_000, why: MONEY },
  { key: 'budget.standup.perDayUsd', most: 100, why: MONEY },
  { key: 'budget.perDayUsd', most: 5_000, why: MONEY },
  {
    key: 'memory.expireDays',
    least: 7,
    most: 730,
    why: 'a shorter time drops notes that are still true, and a longer one keeps outdated notes in use',
  },
  { key: 'access.maxConcurrentThreads', most: 200, why: RUNAWAY },
  { key: 'access.codeRunsPerHour', most: 500, why: RUNAWAY },
  { key: 'access.codeRunsPerUserPerHour', most: 200, why: RUNAWAY },
  { key: 'sweeps.maxOpenCodeWatchIssues', most: 3, why: NUISANCE },
  { key: 'sweeps.proactive.everySeconds', least: 5_400, why: NUISANCE },
  { key: 'sweeps.codeWatch.everySeconds', least: 600, why: NUISANCE },
  { key: 'sweeps.expression.everySeconds', least: 3_600, why: NUISANCE },
  { key: 'sweeps.awareness.everySeconds', least: 10, why: 'platforms block those who poll faster' },
  {
    key: 'sweeps.planAwareness.everySeconds',
    least: 30,
    why: 'platforms block those who poll faster',
  },
];

/** Lifts what is below its floor and lowers what is above its ceiling; changes nothing else. */
export function applyFloors(config: Config): { config: Config; raised: Raised[] } {
  const copy = structuredClone(config);
  const raised = BOUNDS.flatMap((bound) => applyBound(copy, bound));
  return {
    config: copy,
    raised: [...raised, ...applySeverity(copy), ...applyPermissions(copy), ...keptForPeople(copy)],
  };
}

/** What holds while a configuration cannot be trusted: the team may talk, and nothing merges or runs code. */
export function lockDown(config: Config): Config {
  return {
    ...config,
    merge: { ...config.merge, mode: 'never' },
    coder: { ...config.coder, runner: 'off', sandbox: 'on' },
    gates: { ...config.gates, tests: 'required', testNetwork: false },
    plans: { ...config.plans, qualityLoop: false, synthesise: false, workspace: false },
  };
}

/** The most restrictive value of a key whose configured value means nothing (spec 12, rule 9); the rest falls to its default. */
const RESTRICTIVE: readonly { key: RegExp; value: unknown }[] = [
  { key: /^enabled$/, value: false },
  { key: /^merge\.mode$/, value: 'never' },
  { key: /^merge\.requesterMayApprove$/, value: false },
  { key: /^coder\.runner$/, value: 'off' },
  { key: /^council\.builds$/, value: 'off' },
  { key: /^standup\.adaptivePlan$/, value: 'off' },
  { key: /^access\.(read|spend|change|commands\.[^.]+)$/, value: 'admin' },
  { key: /^access$/, value: { spend: 'admin', change: 'admin' } },
  { key: /^access\.(maxConcurrentThreads)$/, value: 1 },
  { key: /^access\.codeRunsPer(User)?(PerHour|Hour)$/, value: 0 },
  { key: /^budget\.([a-z]+\.)?per(Day|Thread)Usd$/, value: 0 },
  { key: /^budget$/, value: { perDayUsd: 0 } },
  { key: /^sweeps\.[A-Za-z]+\.enabled$/, value: false },
  { key: /^sweeps\.[A-Za-z]+\.dailyTokens$/, value: 0 },
  // Protects everything, since nobody knows what was meant.
  { key: /^paths$/, value: { protected: ['**'] } },
  { key: /^paths\.protected(\.\d+)?$/, value: ['**'] },
  { key: /^channels\.[a-z]+\.events(\.\d+)?$/, value: [] },
];

/** The most restrictive value of a key, or undefined where the default is as strict as it gets. */
export function restrictiveValue(key: string): unknown {
  return RESTRICTIVE.find((each) => each.key.test(key))?.value;
}

function applyBound(config: Config, bound: Bound): Raised[] {
  const path = bound.key.split('.');
  const last = path.at(-1) ?? '';
  const parent = parentOf(config, path);
  const value = parent?.[last];
  if (parent === undefined || typeof value !== 'number') return [];
  const to = Math.min(Math.max(value, bound.least ?? -Infinity), bound.most ?? Infinity);
  if (to === value) return [];
  parent[last] = to;
  return [{ key: bound.key, from: String(value), to: String(to), why: bound.why }];
}

function parentOf(config: Config, path: readonly string[]): Record<string, unknown> | undefined {
  let node: unknown = config;
  for (const segment of path.slice(0, -1)) node = isRecord(node) ? node[segment] : undefined;
  return isRecord(node) ? node : undefined;
}

/** The gates enforce this floor themselves; here it is reported. */
function keptForPeople({ paths }: Config): Raised[] {
  return paths.unprotected.filter(reachesForPeople).map((pattern) => ({
    key: 'paths.unprotected',
    from: pattern,
    to: 'protected where only people make changes',
    why: 'what GitHub runs, Quorum’s settings and the team stay with people',
  }));
}

/** The check of a review rests on these findings, so they are never left out. */
function applySeverity({ review }: Config): Raised[] {
  if (review.minSeverity !== 'critical') return [];
  review.minSeverity = 'high';
  const why = 'a high finding of a rule holds the review’s check';
  return [{ key: 'review.minSeverity', from: 'critical', to: 'high', why }];
}

const STRANGERS = 'no setting makes strangers able to execute';

function applyPermissions({ access }: Config): Raised[] {
  const raised: Raised[] = [];
  for (const kind of ['read', 'spend', 'change'] as const) {
    const floor = PERMISSION_FLOOR[kind];
    if (hasPermission(access[kind], floor)) continue;
    raised.push({ key: `access.${kind}`, from: access[kind], to: floor, why: STRANGERS });
    access[kind] = floor;
  }
  for (const [command, permission] of Object.entries(access.commands)) {
    if (permission !== PERMISSIONS[0]) continue;
    const key = `access.commands.${command}`;
    raised.push({ key, from: permission, to: PERMISSION_FLOOR.read, why: STRANGERS });
    access.commands[command] = PERMISSION_FLOOR.read;
  }
  return raised;
}
