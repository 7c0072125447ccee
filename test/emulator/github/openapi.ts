/** Checks every exchange of a running emulator against the committed slice of GitHub's OpenAPI description. */
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { GitHubEmulator } from '../../../src/emulator/github/emulator-interface.ts';
import type { Exchange } from '../../../src/emulator/github/listener.ts';

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null;
type Dict = { [key: string]: Json };

/** Where an exchange departs from GitHub's description. */
export interface Violation {
  operation: string;
  status: number;
  /** `request`, `query` or `response`. */
  side: string;
  problem: string;
}

/** GitHub's own servers and its description disagree here; each row says why it is left alone. */
export const ALLOWED: readonly { operation: RegExp; problem: RegExp; reason: string }[] = [
  {
    operation: /./,
    problem: /^status (401|403|404|405|406|409|410|422|429|500|502|503) not described/,
    reason: 'GitHub refuses in more ways than it describes for each operation',
  },
  {
    operation: /./,
    problem: /^status (301|307|308|304) not described/,
    reason:
      'redirects after a rename and conditional requests are described in general, not per operation',
  },
  {
    operation: /^GET \/app\/installations$/,
    problem: /^\/\d+\/account /,
    reason:
      'the list asks an account to be a user and an enterprise at once; one installation asks for either',
  },
  {
    operation: /^(PUT|DELETE) .*\/contents\/\{path\}$/,
    problem: /must match exactly one schema in oneOf/,
    reason: 'the 409 of contents is described as one of two shapes, and the plain error fits both',
  },
  {
    operation: /\/pulls/,
    problem: /\/(line|position) must be integer/,
    reason:
      'both are null once the line is not in the diff any more, which is described as never so',
  },
  {
    operation: /\/pulls/,
    problem: /\/head\/(user|repo) must be object/,
    reason: 'null for the head of a fork that was deleted',
  },
];

/** Operations that the emulator serves as GitHub does although GitHub does not describe them. */
const UNDESCRIBED = new Set([
  'GET /repositories/{repository_id}',
  'GET /repos/{owner}/{repo}/contents',
  'POST /graphql',
]);

function isDict(value: Json | undefined): value is Dict {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function at(value: Json | undefined, key: string): Dict {
  const inner = isDict(value) ? value[key] : undefined;
  return isDict(inner) ? inner : {};
}

/** OpenAPI 3.0's `nullable` in JSON Schema's words, and references into one registered document. */
function convert(value: Json): Json {
  if (Array.isArray(value)) return value.map(convert);
  if (!isDict(value)) return value;
  const out: Dict = {};
  for (const [key, one] of Object.entries(value)) {
    const converted = convertKey(key, one);
    if (converted !== undefined) out[key] = converted;
  }
  return value['nullable'] === true ? withNull(out) : out;
}

/** Keywords that ajv does not know, or that hold data rather than schemas. */
const DROPPED = new Set(['nullable', 'discriminator', 'xml']);
const DATA = new Set(['enum', 'default', 'required']);

function convertKey(key: string, value: Json): Json | undefined {
  if (DROPPED.has(key)) return undefined;
  if (DATA.has(key)) return value;
  if (key === '$ref' && typeof value === 'string')
    return value.replace('#/components/', 'github.json#/');
  if (key !== 'properties' || !isDict(value)) return convert(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, convert(schema)]));
}

function withNull(schema: Dict): Dict {
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(null))
    schema['enum'] = [...schema['enum'], null];
  if (typeof schema['type'] !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [schema['type'], 'null'] };
}

export type Check = (exchange: Exchange) => Violation[];

let shared: Check | undefined;

/** One for all emulators of a process: compiling the schemas costs more than most tests. */
export function openApiCheck(): Check {
  shared ??= createCheck();
  return shared;
}

/** Compiles lazily: the first use of an operation costs some milliseconds, the next almost nothing. */
function createCheck(): Check {
  const text = readFileSync(
    new URL('../../fixtures/github-openapi/slice.json', import.meta.url),
    'utf8',
  );
  const document = JSON.parse(text) as Dict;
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  for (const name of ['timestamp', 'repo.nwo', 'ssh-key', 'ssh-key-fingerprint'])
    ajv.addFormat(name, true);
  const components = at(document, 'components');
  ajv.addSchema({
    $id: 'github.json',
    schemas: Object.fromEntries(
      Object.entries(at(components, 'schemas')).map(([name, schema]) => [name, convert(schema)]),
    ),
  });
  const compiled = new Map<string, ValidateFunction>();
  const validate = (key: string, schema: Json): ValidateFunction => {
    const found = compiled.get(key) ?? ajv.compile(convert(schema) as object);
    compiled.set(key, found);
    return found;
  };
  const deref = (value: Json | undefined): Dict => {
    const ref = isDict(value) ? value['$ref'] : undefined;
    if (typeof ref !== 'string') return isDict(value) ? value : {};
    const [, , kind = '', name = ''] = ref.split('/');
    return at(at(components, kind), name);
  };
  const paths = new Map(
    Object.entries(at(document, 'paths')).map(([path, item]) => [
      path.replaceAll(/\{[^}]+\}/g, '{}'),
      item,
    ]),
  );
  return (exchange) => {
    const operation = at(
      paths.get(exchange.route.replaceAll(/\{[^}]+\}/g, '{}')),
      exchange.method.toLowerCase(),
    );
    const name = `${exchange.method} ${exchange.route === '' ? exchange.path : exchange.route}`;
    if (operation['responses'] === undefined)
      return UNDESCRIBED.has(name) || exchange.status === 404
        ? []
        : [
            {
              operation: name,
              status: exchange.status,
              side: 'request',
              problem: 'no such operation',
            },
          ];
    const found = [
      ...checkRequest(exchange, { operation, name, validate, deref }),
      ...checkResponse(exchange, { operation, name, validate, deref }),
    ];
    return found.filter(
      (one) =>
        !ALLOWED.some((row) => row.operation.test(one.operation) && row.problem.test(one.problem)),
    );
  };
}

interface Tools {
  operation: Dict;
  name: string;
  validate: (key: string, schema: Json) => ValidateFunction;
  deref: (value: Json | undefined) => Dict;
}

/** Bad requests that were refused are not held against the caller: tests send them on purpose. */
function checkRequest(exchange: Exchange, tools: Tools): Violation[] {
  if (exchange.status >= 400) return [];
  const { operation, name, validate, deref } = tools;
  const facts = { operation: name, status: exchange.status };
  const content = atPath(deref(operation['requestBody']), 'content', 'application/json');
  const found = checkQuery(exchange, tools).map((problem) => ({
    ...facts,
    side: 'query',
    problem,
  }));
  if (content['schema'] === undefined || exchange.requestBody === undefined) return found;
  const check = validate(`${name} body`, content['schema']);
  if (check(exchange.requestBody)) return found;
  return [...found, ...messages(check).map((problem) => ({ ...facts, side: 'request', problem }))];
}

function atPath(value: Json | undefined, ...keys: string[]): Dict {
  return keys.reduce<Dict>((inner, key) => at(inner, key), isDict(value) ? value : {});
}

function checkQuery(exchange: Exchange, { operation, name, validate, deref }: Tools): string[] {
  const query = new URLSearchParams(exchange.query);
  const listed = operation['parameters'];
  const found: string[] = [];
  for (const one of Array.isArray(listed) ? listed.map((item) => deref(item)) : []) {
    const parameter = typeof one['name'] === 'string' ? one['name'] : '';
    const value = one['in'] === 'query' ? query.get(parameter) : null;
    if (value === null || one['schema'] === undefined) continue;
    const check = validate(`${name} ?${parameter}`, one['schema']);
    if (!check(coerce(value, deref(one['schema']))))
      found.push(`${parameter}: ${messages(check).join('; ')}`);
  }
  return found;
}

function coerce(value: string, schema: Dict): unknown {
  if (schema['type'] === 'integer' || schema['type'] === 'number') return Number(value);
  if (schema['type'] === 'boolean') return value === 'true' || value === '1';
  if (schema['type'] === 'array') return value.split(',');
  return schema['oneOf'] !== undefined && /^\d+$/.test(value) ? Number(value) : value;
}

function checkResponse(exchange: Exchange, tools: Tools): Violation[] {
  const { operation, name, validate, deref } = tools;
  const { status } = exchange;
  const described = at(operation, 'responses')[String(status)];
  const add = (problem: string): Violation => ({
    operation: name,
    status,
    side: 'response',
    problem,
  });
  if (described === undefined) return [add(`status ${status} not described`)];
  const schema = at(at(deref(described), 'content'), 'application/json')['schema'];
  if (schema === undefined || exchange.responseBody === undefined) return [];
  const check = validate(`${name} ${status}`, schema);
  return check(exchange.responseBody) ? [] : messages(check).map(add);
}

function messages(check: ValidateFunction): string[] {
  return (check.errors ?? []).map(
    (one) => `${one.instancePath} ${one.message ?? ''} ${JSON.stringify(one.params)}`,
  );
}

export interface OpenApiWatch {
  /** Grows as exchanges are checked; a test asserts that it is empty. */
  readonly violations: readonly Violation[];
  /** How many exchanges were looked at, so that an empty list means something. */
  readonly checked: () => number;
  stop(): void;
}

/** Watches an emulator from now on. Exchanges whose answer a fault replaced are left out. */
export function withOpenApiCheck(emulator: Pick<GitHubEmulator, 'onExchange'>): OpenApiWatch {
  const check = openApiCheck();
  const violations: Violation[] = [];
  let checked = 0;
  const stop = emulator.onExchange((exchange) => {
    if (exchange.fault !== undefined && exchange.fault !== 'latency') return;
    checked += 1;
    violations.push(...check(exchange));
  });
  return { violations, checked: () => checked, stop };
}
