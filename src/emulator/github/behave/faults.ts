/** Knobs that make the embedded GitHub misbehave on the n-th matching call, as networks and servers do. */

/** What goes wrong with one REST, GraphQL or git call. */
export type Fault =
  /** Answers with a status instead of the operation; nothing happens. */
  | { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string> }
  /** The operation happens, then the caller gets a failure (or the connection is reset). */
  | { kind: 'effect-then-fail'; status?: number; reset?: boolean }
  /** Nothing happens and the caller gets a failure (502 unless `status` says otherwise). */
  | { kind: 'fail-without-effect'; status?: number }
  /** The operation happens after a wait on the emulator's clock. */
  | { kind: 'latency'; ms: number }
  /** The connection is cut before anything happens. */
  | { kind: 'reset' }
  /** The operation happens; the body is cut in the middle. */
  | { kind: 'truncated' }
  /** The operation happens; the answer keeps its status and is another, as from a proxy or a broken cache. */
  | { kind: 'wrong-body'; body: WrongBody }
  /**
   * A GET gets the same caller's last answer again. With `behindMs`, it gets the answer of a replica that lags by so
   * much: newer things are missing for all callers, also after a restart.
   */
  | { kind: 'stale'; behindMs?: number };

/**
 * A page of `html`; an `empty` body with the media type of the answer. For `other-json`, an object that no operation
 * answers with. For `short-list`, the first list with entries loses its last one; counts beside it stay as they are.
 */
export type WrongBody = 'html' | 'empty' | 'other-json' | 'short-list';

interface FaultRule {
  method?: string;
  /** The path without `/api/v3`, the route's template, or a pattern on the path. */
  path?: string | RegExp;
  /** The first matching call that is hit, counted from 1 when the rule is added. Default 1. */
  nth?: number;
  /** How many calls are hit from there. Default 1; `Infinity` for all. */
  times?: number;
  fault: Fault;
}

/** What goes wrong with the n-th matching webhook delivery. */
export interface HookFaultRule {
  event?: string;
  action?: string;
  nth?: number;
  times?: number;
  fault:
    /** Sent twice with the same delivery id. */
    | { kind: 'duplicate' }
    /** Never sent; the deliveries API shows it as failed unless `recorded` is false. */
    | { kind: 'lost'; recorded?: boolean }
    /** Sent after a wait on the emulator's clock; later deliveries overtake it. */
    | { kind: 'delay'; ms: number }
    /** Held back until the next delivery to the same App has been sent. */
    | { kind: 'reorder' };
}

interface CallFacts {
  method: string;
  path: string;
  route: string;
}

interface Armed<R> {
  rule: R;
  seen: number;
  hits: number;
}

export interface Faults {
  /** Arms a rule and returns what disarms it. */
  add(rule: FaultRule): () => void;
  addHook(rule: HookFaultRule): () => void;
  clear(): void;
  /** How often each armed rule was hit, in the order of adding. */
  hits(): number[];
  /** The fault for this call, if a rule says so; counts the call for every rule it matches. */
  next(call: CallFacts): Fault | undefined;
  nextHook(event: string, action: string | null): HookFaultRule['fault'] | undefined;
}

export function createFaults(): Faults {
  let rules: Armed<FaultRule>[] = [];
  let hookRules: Armed<HookFaultRule>[] = [];
  return {
    add(rule) {
      const armed = { rule, seen: 0, hits: 0 };
      rules.push(armed);
      return () => {
        rules = rules.filter((one) => one !== armed);
      };
    },
    addHook(rule) {
      const armed = { rule, seen: 0, hits: 0 };
      hookRules.push(armed);
      return () => {
        hookRules = hookRules.filter((one) => one !== armed);
      };
    },
    clear() {
      rules = [];
      hookRules = [];
    },
    hits: () => [...rules, ...hookRules].map((one) => one.hits),
    next: (call) => firstHit(rules, (rule) => matchesCall(rule, call))?.fault,
    nextHook: (event, action) =>
      firstHit(
        hookRules,
        (rule) => (rule.event ?? event) === event && (rule.action ?? action) === action,
      )?.fault,
  };
}

function firstHit<R extends { nth?: number; times?: number }>(
  armed: Armed<R>[],
  matches: (rule: R) => boolean,
): R | undefined {
  let hit: R | undefined;
  for (const one of armed) {
    if (!matches(one.rule)) continue;
    one.seen += 1;
    const first = one.rule.nth ?? 1;
    if (hit !== undefined || one.seen < first || one.seen >= first + (one.rule.times ?? 1))
      continue;
    one.hits += 1;
    hit = one.rule;
  }
  return hit;
}

function matchesCall(rule: FaultRule, call: CallFacts): boolean {
  if (rule.method !== undefined && rule.method.toUpperCase() !== call.method) return false;
  if (rule.path === undefined) return true;
  if (rule.path instanceof RegExp) return rule.path.test(call.path);
  return rule.path === call.path || rule.path === call.route;
}
