/** GitHub's rate limits, counted per caller on the injected clock. */
import { HttpError } from './http-error.ts';
import type { Actor } from '../world/tokens.ts';

/** Figures of docs.github.com "Rate limits for the REST API", as of November 2026. */
export interface LimitSettings {
  /** `false` counts and reports, but never refuses. */
  enforced: boolean;
  /** Requests per hour of an installation or a user. */
  primaryPerHour: number;
  anonymousPerHour: number;
  /** GET 1, writes 5, GraphQL query 1, mutation 5. */
  pointsPerMinute: number;
  graphqlPointsPerMinute: number;
  contentPerMinute: number;
  contentPerHour: number;
  /** Status of a secondary refusal; GitHub sends either. */
  secondaryStatus: 403 | 429;
}

const GITHUB_LIMITS: LimitSettings = {
  enforced: true,
  primaryPerHour: 5000,
  anonymousPerHour: 60,
  pointsPerMinute: 900,
  graphqlPointsPerMinute: 2000,
  contentPerMinute: 80,
  contentPerHour: 500,
  secondaryStatus: 403,
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

interface Window {
  startedAtMs: number;
  used: number;
}

interface Cost {
  points: number;
  isContent: boolean;
  isGraphql: boolean;
}

export interface Limits {
  readonly settings: LimitSettings;
  /** Refuses a call that is over a limit, else counts its secondary cost. */
  admit(caller: Caller, cost: Cost): void;
  /** Counts one request against the hourly limit; a 304 and `/rate_limit` are not counted. */
  charge(caller: Caller): void;
  /** The `x-ratelimit-*` headers of an answer. */
  headers(caller: Caller): Record<string, string>;
  /** Lets the next calls through again. */
  reset(): void;
}

/** Whose budget a call uses. */
interface Caller {
  key: string;
  actor: Actor;
  atMs: number;
}

export function createLimits(overrides: Partial<LimitSettings> = {}): Limits {
  const settings: LimitSettings = { ...GITHUB_LIMITS, ...overrides };
  const windows: Windows = new Map();
  const primary = (caller: Caller): Window =>
    windowOf(windows, `core:${caller.key}`, { ...caller, lengthMs: HOUR_MS });
  const total = (caller: Caller): number =>
    caller.actor.kind === 'anonymous' ? settings.anonymousPerHour : settings.primaryPerHour;
  return {
    settings,
    admit(caller, cost) {
      if (settings.enforced && primary(caller).used >= total(caller)) throw primaryRefusal(caller);
      const gates = gatesOf(settings, cost).map((gate) => ({
        ...gate,
        window: windowOf(windows, `${gate.name}:${caller.key}`, {
          ...caller,
          lengthMs: gate.lengthMs,
        }),
      }));
      const full = gates.find((gate) => gate.window.used + gate.amount > gate.cap);
      if (settings.enforced && full !== undefined)
        throw secondaryRefusal(
          settings.secondaryStatus,
          full.window.startedAtMs + full.lengthMs - caller.atMs,
        );
      for (const gate of gates) gate.window.used += gate.amount;
    },
    charge(caller) {
      primary(caller).used += 1;
    },
    headers: (caller) => toHeaders(primary(caller), total(caller)),
    reset() {
      windows.clear();
    },
  };
}

type Windows = Map<string, Window>;

/** A window opens with its first call and is forgotten when its time is over. */
function windowOf(windows: Windows, key: string, at: { atMs: number; lengthMs: number }): Window {
  const found = windows.get(key);
  if (found !== undefined && at.atMs < found.startedAtMs + at.lengthMs) return found;
  const fresh = { startedAtMs: at.atMs, used: 0 };
  windows.set(key, fresh);
  return fresh;
}

interface Gate {
  name: string;
  amount: number;
  cap: number;
  lengthMs: number;
}

/** The secondary limits that a call counts against. */
function gatesOf(settings: LimitSettings, cost: Cost): Gate[] {
  const points: Gate = cost.isGraphql
    ? {
        name: 'graphql',
        amount: cost.points,
        cap: settings.graphqlPointsPerMinute,
        lengthMs: MINUTE_MS,
      }
    : { name: 'rest', amount: cost.points, cap: settings.pointsPerMinute, lengthMs: MINUTE_MS };
  if (!cost.isContent) return [points];
  return [
    points,
    { name: 'content-minute', amount: 1, cap: settings.contentPerMinute, lengthMs: MINUTE_MS },
    { name: 'content-hour', amount: 1, cap: settings.contentPerHour, lengthMs: HOUR_MS },
  ];
}

function toHeaders(window: Window, limit: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(limit - window.used, 0)),
    'x-ratelimit-used': String(window.used),
    'x-ratelimit-reset': String(Math.ceil((window.startedAtMs + HOUR_MS) / 1000)),
    'x-ratelimit-resource': 'core',
  };
}

function primaryRefusal(caller: Caller): HttpError {
  const whom =
    caller.actor.kind === 'installation'
      ? `installation ID ${caller.actor.installation.id}`
      : caller.key;
  return new HttpError(403, `API rate limit exceeded for ${whom}.`);
}

function secondaryRefusal(status: 403 | 429, waitMs: number): HttpError {
  return new HttpError(
    status,
    'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    { headers: { 'retry-after': String(Math.max(Math.ceil(waitMs / 1000), 1)) } },
  );
}
