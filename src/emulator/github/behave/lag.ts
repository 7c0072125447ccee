/** What a copy of GitHub's data that lags behind answers: without anything that was made since. */
import type { ApiAnswer } from '../api.ts';
import type { Fault } from './faults.ts';

/** Fields that say when something was made, the first that is there counts. */
const MADE_AT = ['created_at', 'submitted_at', 'started_at'] as const;

/** The answer to a stale GET; `last` is the same caller's last answer. */
export function toStale(
  fresh: ApiAnswer,
  { behindMs }: Extract<Fault, { kind: 'stale' }>,
  { last, nowMs }: { last: ApiAnswer | undefined; nowMs: number },
): ApiAnswer {
  return behindMs === undefined ? (last ?? fresh) : toLagging(fresh, nowMs - behindMs);
}

/**
 * The answer to a GET as it was then, as far as lists are concerned. Newer entries are left out, and newer things are
 * not found. Changes to older things are not taken back.
 */
function toLagging(answer: ApiAnswer, sinceMs: number): ApiAnswer {
  const isJson = (answer.headers['content-type'] ?? '').startsWith('application/json');
  if (!isJson || answer.payload.length === 0) return answer;
  const body: unknown = JSON.parse(answer.payload.toString());
  if (isNewer(body, sinceMs)) return toAnswer(answer, 404, { message: 'Not Found' });
  return toAnswer(answer, answer.status, withoutNewer(body, sinceMs));
}

function withoutNewer(body: unknown, sinceMs: number): unknown {
  if (Array.isArray(body)) return body.filter((entry) => !isNewer(entry, sinceMs));
  if (!isRecord(body) || typeof body['total_count'] !== 'number') return body;
  const entries = Object.entries(body).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? value.filter((entry) => !isNewer(entry, sinceMs)) : value,
  ]);
  const total = entries.reduce((sum, [, value]) => (Array.isArray(value) ? value.length : sum), 0);
  return { ...Object.fromEntries(entries), total_count: total };
}

function isNewer(value: unknown, sinceMs: number): boolean {
  if (!isRecord(value)) return false;
  const at = MADE_AT.map((name) => value[name]).find((each) => typeof each === 'string');
  // GitHub's times are whole seconds, so what was made in the same second may be newer.
  return typeof at === 'string' && Date.parse(at) + 1000 > sinceMs;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of an earlier moment, so with a tag of its own. */
function toAnswer(answer: ApiAnswer, status: number, body: unknown): ApiAnswer {
  const payload = Buffer.from(JSON.stringify(body));
  const { etag: _, ...headers } = answer.headers;
  return { ...answer, status, headers, payload };
}
