/** GitHub's own example payloads of the events that Apps care about, each time about something that is new. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface SignedPayload {
  event: string;
  signature: string;
  body: Buffer;
}

/** Makes the next delivery: no two of them have the same body. */
export type NextPayload = () => SignedPayload;

interface Examples {
  name: string;
  examples: Json[];
}

type Json = Record<string, unknown>;

const EVENTS = new Set([
  'check_run',
  'check_suite',
  'installation',
  'installation_repositories',
  'issue_comment',
  'issues',
  'label',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'push',
  'workflow_run',
]);

/** Of the installation that every payload is given, as an App's deliveries have one. */
export const INSTALLATION_ID = 4242;

const REPOSITORIES = 40;
const THREADS = 500;

/** What changes from one delivery to the next, always as wide as its stand-in. */
interface Fresh {
  standIn: string;
  next: (count: number) => string;
}

const FRESH = {
  id: { standIn: '8800000001', next: (n) => String(1_000_000_000 + n) },
  repository: { standIn: '8800000', next: (n) => String(1_000_000 + (n % REPOSITORIES)) },
  thread: {
    standIn: '880001',
    next: (n) => String(100_001 + (Math.floor(n / REPOSITORIES) % THREADS)),
  },
  time: { standIn: '1970-01-01T00:00:01Z', next: (n) => `${isoOf(1_770_000_000 + n)}Z` },
  sha: { standIn: '88'.repeat(20), next: (n) => n.toString(16).padStart(40, '0') },
} as const satisfies Record<string, Fresh>;

/** Where the fields of an example are, by the name of the stand-in. */
const FIELDS: readonly (readonly [path: readonly string[], fresh: keyof typeof FRESH])[] = [
  ...['issue', 'pull_request', 'comment', 'review', 'check_run', 'check_suite', 'label'].map(
    (name) => [[name, 'id'], 'id'] as const,
  ),
  [['workflow_run', 'id'], 'id'],
  [['repository', 'id'], 'repository'],
  [['issue', 'number'], 'thread'],
  [['pull_request', 'number'], 'thread'],
  [['issue', 'updated_at'], 'time'],
  [['pull_request', 'updated_at'], 'time'],
  [['comment', 'updated_at'], 'time'],
  [['pull_request', 'head', 'sha'], 'sha'],
  [['after'], 'sha'],
];

/** An example with the places in its bytes that get a fresh value in each payload. */
interface Template {
  event: string;
  body: Buffer;
  places: { at: number; fresh: Fresh }[];
}

/**
 * All examples of the twelve events in an order that mixes them, over and over, about ever new comments, commits and
 * moments on 500 threads of each of 40 repositories. Signing costs the sender 20 µs, outside of what is timed.
 */
export function createPayloads(secret: string): NextPayload {
  const templates = mix(readTemplates());
  let count = 0;
  return () => {
    const { event, body: original, places } = templates[count % templates.length]!;
    const body = Buffer.from(original);
    for (const { at, fresh } of places) body.write(fresh.next(count), at, 'latin1');
    count += 1;
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    return { event, signature, body };
  };
}

function readTemplates(): Template[] {
  const file = fileURLToPath(import.meta.resolve('@octokit/webhooks-examples'));
  const all: Examples[] = JSON.parse(readFileSync(file, 'utf8'));
  return all
    .filter(({ name }) => EVENTS.has(name))
    .flatMap(({ name, examples }) => examples.map((example) => toTemplate(name, example)));
}

function toTemplate(event: string, example: Json): Template {
  const installation = example['installation'] ?? { id: INSTALLATION_ID };
  const copy: Json = structuredClone({ ...example, installation });
  for (const [path, name] of FIELDS) replace(copy, path, FRESH[name].standIn);
  let text = JSON.stringify(copy);
  // Ids and numbers are no strings in JSON.
  for (const name of ['id', 'repository', 'thread'] as const)
    text = text.replaceAll(`"${FRESH[name].standIn}"`, FRESH[name].standIn);
  const body = Buffer.from(text);
  const places = Object.values(FRESH).flatMap((fresh) =>
    placesOf(body, fresh.standIn).map((at) => ({ at, fresh })),
  );
  return { event, body, places };
}

/** Puts a value where the example has one; what it has not is not added. */
function replace(object: Json, path: readonly string[], value: string): void {
  const [name = '', ...rest] = path;
  const found = object[name];
  if (found === undefined || found === null) return;
  if (rest.length === 0) object[name] = value;
  else if (isObject(found)) replace(found, rest, value);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

function placesOf(body: Buffer, text: string): number[] {
  const places: number[] = [];
  for (let at = body.indexOf(text); at !== -1; at = body.indexOf(text, at + 1)) places.push(at);
  return places;
}

/** Without the fraction of a second and the zone. */
function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

/** The same mix in every run: walks the list in steps that share no factor with its length. */
function mix<T>(items: readonly T[]): T[] {
  let step = 37;
  while (items.length % step === 0) step += 1;
  return items.map((_, at) => items[(at * step) % items.length]!);
}
