/** Values as plain JSON and back: maps, sets, bytes, errors and functions included, so that a call can be kept in a file. */
import {
  ConfigError,
  ConflictError,
  InvalidOutputError,
  QuorumError,
  RefusedError,
  TransientError,
} from '../../src/domain/event/errors.ts';
import { callsOf, withCalls } from '../../src/ports/model.ts';

export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };
/** Of a value inside another, as in `0.thread.number`. */
export type OnFunction = (fn: (...args: unknown[]) => unknown, path: string) => void;

/** Says what a tagged object stands for. */
const TAG = '$';
const ERRORS = {
  ConfigError,
  ConflictError,
  InvalidOutputError,
  QuorumError,
  RefusedError,
  TransientError,
};

export function toPlain(value: unknown, onFunction?: OnFunction, path = ''): Plain {
  if (value === undefined) return { [TAG]: 'undefined' };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number')
    return Number.isFinite(value) ? value : { [TAG]: 'number', v: String(value) };
  if (typeof value === 'function') {
    onFunction?.(value as (...args: unknown[]) => unknown, path);
    return { [TAG]: 'fn' };
  }
  if (typeof value !== 'object') return { [TAG]: typeof value };
  return objectToPlain(value, (inner, key) =>
    toPlain(inner, onFunction, path === '' ? key : `${path}.${key}`),
  );
}

type Inner = (value: unknown, key: string) => Plain;

function objectToPlain(value: object, inner: Inner): Plain {
  if (Array.isArray(value)) return value.map((each, index) => inner(each, String(index)));
  if (value instanceof Map)
    return { [TAG]: 'map', v: [...value].map((pair, index) => inner(pair, String(index))) };
  if (value instanceof Set)
    return { [TAG]: 'set', v: [...value].map((each, index) => inner(each, String(index))) };
  if (value instanceof Uint8Array)
    return { [TAG]: 'bytes', v: Buffer.from(value).toString('base64') };
  if (value instanceof AbortSignal) return { [TAG]: 'signal' };
  if (value instanceof Error) return errorToPlain(value, inner);
  const plain: { [key: string]: Plain } = {};
  for (const key of namesIn(value)) {
    const each = (value as Record<string, unknown>)[key];
    if (each !== undefined) plain[key] = inner(each, key);
  }
  return plain;
}

/** Fields, and the methods of its class. */
export function namesIn(value: object): string[] {
  const names = new Set(Object.keys(value));
  let kind: unknown = Object.getPrototypeOf(value);
  while (kind !== null && kind !== Object.prototype && typeof kind === 'object') {
    for (const name of Object.getOwnPropertyNames(kind)) names.add(name);
    kind = Object.getPrototypeOf(kind);
  }
  names.delete('constructor');
  return [...names];
}

function errorToPlain(error: Error, inner: Inner): Plain {
  const calls = callsOf(error);
  return {
    [TAG]: 'error',
    name: error.name,
    message: error.message,
    v: inner(Object.fromEntries(Object.entries(error).filter(([key]) => key !== 'name')), 'v'),
    ...(calls.length > 0 && { calls: inner(calls, 'calls') }),
  };
}

/** What {@link toPlain} made plain; `toFunction` makes the functions again. */
export function fromPlain(
  plain: Plain,
  toFunction: (path: string) => unknown = () => () => undefined,
  path = '',
): unknown {
  const inner = (value: Plain, key: string): unknown =>
    fromPlain(value, toFunction, path === '' ? key : `${path}.${key}`);
  if (plain === null || typeof plain !== 'object') return plain;
  if (Array.isArray(plain)) return plain.map((each, index) => inner(each, String(index)));
  if (TAG in plain) return plain[TAG] === 'fn' ? toFunction(path) : fromTagged(plain, inner);
  return Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, inner(value, key)]));
}

function fromTagged(
  plain: { [key: string]: Plain },
  inner: (value: Plain, key: string) => unknown,
): unknown {
  const list = (): unknown[] =>
    (plain['v'] as Plain[]).map((each, index) => inner(each, String(index)));
  const { $: tag = '' } = plain as { $?: string };
  switch (tag) {
    case 'map':
      return new Map(list() as [unknown, unknown][]);
    case 'set':
      return new Set(list());
    case 'bytes':
      return Buffer.from(plain['v'] as string, 'base64');
    case 'number':
      return Number(plain['v']);
    case 'signal':
      return new AbortController().signal;
    case 'error':
      return fromError(plain, inner);
    default:
      return undefined;
  }
}

function fromError(
  plain: { [key: string]: Plain },
  inner: (value: Plain, key: string) => unknown,
): Error {
  const { name, message } = plain as { name: string; message: string };
  const fields = inner(plain['v'] ?? {}, 'v') as object;
  const Kind = Object.entries(ERRORS).find(([each]) => each === name)?.[1];
  const error =
    Kind === undefined
      ? Object.assign(new Error(message), { name }, fields)
      : new Kind({ message, ...fields } as ConstructorParameters<typeof Kind>[0]);
  const calls = plain['calls'];
  return calls === undefined ? error : withCalls(error, inner(calls, 'calls') as []);
}

/** The same text for the same value, in whatever order its fields were written. */
export function toKey(plain: Plain): string {
  return JSON.stringify(plain, (_, value: Plain) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
