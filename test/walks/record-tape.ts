/** Ports that write down every call that goes through them. The real ports do the work. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActPorts } from '../../src/act/ports.ts';
import type { Call, CallBack, Ending, Tape } from './tape.ts';
import { namesIn, toKey, toPlain } from './plain.ts';

type Fn = (...args: unknown[]) => unknown;

export interface Recording {
  now: number;
  random: (string | number)[];
  calls: Call[];
  /** Done when the effect has ended: what grows meanwhile, such as counts, is written down as it was then. */
  atEnd: (() => void)[];
}

/** The recording that the code under way belongs to. */
export const current = new AsyncLocalStorage<Recording>();

export function createRecording(now: number): Recording {
  return { now, random: [], calls: [], atEnd: [] };
}

/** Not recorded: logs say nothing to the code, memory is of the process, personas are kept once for all tapes. */
const AS_THEY_ARE = new Set(['log', 'memory', 'personas']);

export function recordPorts(ports: ActPorts): ActPorts {
  const wrapped = Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [
      name,
      AS_THEY_ARE.has(name) ? port : wrap(port, name),
    ]),
  ) as unknown as ActPorts;
  return {
    ...wrapped,
    clock: {
      now: () => current.getStore()?.now ?? ports.clock.now(),
      sleep: (ms, signal) => ports.clock.sleep(ms, signal),
    },
    random: { next: () => drawn(ports.random.next()), id: () => drawn(ports.random.id()) },
  };
}

function drawn<T extends string | number>(value: T): T {
  current.getStore()?.random.push(value);
  return value;
}

/** The ports' shape, for replays. */
export function shapeOf(ports: ActPorts): Tape['ports'] {
  const { log: _, caches: _memory, personas: _personas, ...rest } = ports;
  return toPlain(rest);
}

function hasFunction(value: unknown): boolean {
  let found = typeof value === 'function';
  toPlain(value, () => {
    found = true;
  });
  return found;
}

/** The value with its functions recorded; parts without functions stay the same objects. */
function wrap(value: unknown, name: string, owner?: unknown): unknown {
  if (typeof value === 'function') return recorded(value.bind(owner) as Fn, name);
  if (value === null || typeof value !== 'object' || !hasFunction(value)) return value;
  if (Array.isArray(value)) return value.map((each, index) => wrap(each, `${name}.${index}`));
  const copy: Record<string, unknown> = {};
  for (const key of namesIn(value))
    copy[key] = wrap((value as Record<string, unknown>)[key], `${name}.${key}`, value);
  return copy;
}

function recorded(real: Fn, fn: string): Fn {
  return (...args) => {
    const recording = current.getStore();
    if (recording === undefined) return real(...args);
    const call: Call = { fn, args: null };
    const back: CallBack[] = [];
    const watched = spyOn(args, back);
    call.args = toPlain(args);
    recording.calls.push(call);
    recording.atEnd.push(() => {
      if (back.length > 0) call.back = back;
    });
    const given = (result: unknown): unknown => {
      const live = wrap(result, `${fn}(${toKey(call.args)})`);
      call.ending = { returned: toPlain(result) };
      if (live !== result)
        recording.atEnd.push(() => {
          call.ending = { returned: toPlain(result) };
        });
      return live;
    };
    return watch(call, () => real(...watched), given);
  };
}

/** Runs it and writes down how it ends. */
function watch(
  record: { isAsync?: true; ending?: Ending },
  work: () => unknown,
  given: (result: unknown) => unknown,
): unknown {
  const failed = (error: unknown): never => {
    record.ending = { threw: toPlain(error) };
    throw error;
  };
  let result: unknown;
  try {
    result = work();
  } catch (error) {
    return failed(error);
  }
  if (!(result instanceof Promise)) return given(result);
  record.isAsync = true;
  return result.then(given, failed);
}

/** The arguments, with every function in them watched. */
function spyOn(args: unknown[], back: CallBack[]): unknown[] {
  return args.map((arg, index) => spy(arg, String(index), back));
}

function spy(value: unknown, path: string, back: CallBack[]): unknown {
  if (typeof value === 'function') return spied(value as Fn, path, back);
  if (value === null || typeof value !== 'object' || !hasFunction(value)) return value;
  if (value instanceof AbortSignal) return value;
  if (Array.isArray(value)) return value.map((each, index) => spy(each, `${path}.${index}`, back));
  const copy: Record<string, unknown> = {};
  for (const key of namesIn(value))
    copy[key] = spy((value as Record<string, unknown>)[key], `${path}.${key}`, back);
  return copy;
}

function spied(real: Fn, path: string, back: CallBack[]): Fn {
  return (...args) => {
    const record: CallBack = { path, args: toPlain(args) };
    back.push(record);
    return watch(
      record,
      () => real(...args),
      (result) => {
        record.ending = { returned: toPlain(result) };
        return result;
      },
    );
  };
}
