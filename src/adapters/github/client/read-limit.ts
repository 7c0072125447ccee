/** Reads GitHub's rate limits out of an answer (docs.github.com "Rate limits for the REST API"). */
import { z } from 'zod';
import type { Answer } from '../github-answer.ts';

const MAX_WAIT_MS = 65 * 60_000;
const MAX_RETRY_AFTER_MS = 60 * 60_000;

export interface Limit {
  /** `primary`: the hour is used up. `secondary`: too much at once. */
  kind: 'primary' | 'secondary';
  /** Absent when GitHub named no time: then at least a minute, growing. */
  waitMs: number | undefined;
}

/** The limit that this answer tells of, if any; `nowMs` serves where the answer carries no date of its own. */
export function readLimit(answer: Answer, nowMs: number): Limit | undefined {
  const isRefusal = answer.status === 403 || answer.status === 429;
  const retryAfter = isRefusal
    ? readRetryAfter(answer.headers['retry-after'], serverTime(answer, nowMs))
    : undefined;
  if (retryAfter !== undefined) return { kind: 'secondary', waitMs: retryAfter };
  if (isUsedUp(answer)) return { kind: 'primary', waitMs: untilReset(answer, nowMs) };
  if (answer.status === 429) return { kind: 'secondary', waitMs: undefined };
  if (answer.status === 403 && namesSecondary(answer.data))
    return { kind: 'secondary', waitMs: undefined };
  return undefined;
}

/** Time by GitHub's clock: resets are given in it, and the local clock may be wrong. */
export function serverTime(answer: Answer, nowMs: number): number {
  const date = Date.parse(answer.headers['date'] ?? '');
  return Number.isNaN(date) ? nowMs : date;
}

function isUsedUp(answer: Answer): boolean {
  if (answer.headers['x-ratelimit-remaining'] !== '0') return false;
  const resource = answer.headers['x-ratelimit-resource'] ?? 'core';
  return resource === 'core' && Number(answer.headers['x-ratelimit-limit'] ?? 1) > 0;
}

function untilReset(answer: Answer, nowMs: number): number | undefined {
  const resetMs = Number(answer.headers['x-ratelimit-reset']) * 1000;
  if (!Number.isFinite(resetMs)) return undefined;
  return Math.min(Math.max(resetMs - serverTime(answer, nowMs), 1000), MAX_WAIT_MS);
}

/** Seconds or a date; what is neither, negative or zero is as good as absent. */
function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - nowMs;
  if (!(ms > 0)) return undefined;
  return Math.min(ms, MAX_RETRY_AFTER_MS);
}

const Refusal = z.object({
  message: z.string().catch(''),
  documentation_url: z.string().catch(''),
});

/** A secondary refusal without retry-after differs from a missing permission in these two fields only. */
function namesSecondary(data: unknown): boolean {
  const refusal = Refusal.safeParse(data);
  if (!refusal.success) return false;
  const { message, documentation_url: url } = refusal.data;
  return /rate-limits?\b/i.test(url) || /\bsecondary rate limit\b/i.test(message);
}
