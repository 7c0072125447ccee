/** Carries out a recorded effect again: the ports answer as they did, and only what was asked then may be asked. */
import { createPerform } from '../../src/act/perform.ts';
import type { ActPorts } from '../../src/act/ports.ts';
import type { PersonaFile } from '../../src/domain/persona/persona-file.ts';
import { fromPlain, toKey, toPlain, type Plain } from './plain.ts';
import type { Call, CallBack, Ending, Tape } from './tape.ts';

export interface Replayed {
  ending: Ending;
  /** Calls that the tape does not have, or no more of. */
  unknown: string[];
  /** Calls of the tape that were not made. */
  missing: string[];
  /** Callbacks that gave the port another answer than on the tape: `once` is the recorded answer. */
  answered: { path: string; now: Ending; once: Ending }[];
}

interface Deck {
  tape: Tape;
  used: Set<Call>;
  replayed: Replayed;
  /** Takes a call with other arguments for the one on the tape and writes it there; calls that are not made are left out. */
  isRewriting: boolean;
}

/** A lease is looked at as often as time passes, and no time passes here. */
const MAY_BE_MISSING = new Set(['store.load']);
/** Far longer than any replay takes: what waits then waits for ever. */
const LONGEST_MS = 10_000;

export async function replayTape(
  tape: Tape,
  personas: readonly PersonaFile[],
  { isRewriting = false } = {},
): Promise<Replayed> {
  const replayed: Replayed = {
    ending: { returned: null },
    unknown: [],
    missing: [],
    answered: [],
  };
  const deck: Deck = { tape, used: new Set(), replayed, isRewriting };
  const time = { now: tape.openedAt };
  const perform = createPerform(portsOf(deck, personas, time));
  time.now = tape.now;
  replayed.ending = await endingOf(() =>
    withinTime(perform(structuredClone(tape.effect), tape.attempt)),
  );
  const isMissing = (call: Call): boolean => !deck.used.has(call) && !MAY_BE_MISSING.has(call.fn);
  replayed.missing = tape.calls.filter(isMissing).map(describe);
  if (isRewriting) {
    tape.ending = replayed.ending;
    tape.calls = tape.calls.filter((call) => !isMissing(call));
  }
  return replayed;
}

/** Whether everything was asked, answered and ended as on the tape. */
export function isSame(tape: Tape, { ending, unknown, missing, answered }: Replayed): boolean {
  const isEndSame = toKey(ending) === toKey(tape.ending);
  return isEndSame && unknown.length + missing.length + answered.length === 0;
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('it waits for ever')), LONGEST_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function endingOf(work: () => unknown): Promise<Ending> {
  try {
    return { returned: toPlain(await work()) };
  } catch (error) {
    return { threw: toPlain(error) };
  }
}

function portsOf(deck: Deck, personas: readonly PersonaFile[], time: { now: number }): ActPorts {
  const { random } = deck.tape;
  let drawn = 0;
  /** Past the tape's end an id is still long enough for a delimiter, so that `again` can write it down. */
  const draw = (atEnd: string | number): string | number => {
    drawn += 1;
    return random[drawn - 1] ?? atEnd;
  };
  const plain = fromPlain(deck.tape.ports, (path) => player(deck, path)) as ActPorts;
  return {
    ...plain,
    personas,
    clock: { now: () => time.now, sleep: (_, signal) => sleepUntil(signal) },
    random: { next: () => Number(draw(0)), id: () => String(draw(`pastTheTape00000${drawn}`)) },
  };
}

/** Nothing waits in a replay, but what goes on until it is stopped. */
function sleepUntil(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return Promise.resolve();
  return new Promise((_, reject) => {
    const stop = (): void => reject(new Error('stopped'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
}

type Fn = (...args: unknown[]) => unknown;

function player(deck: Deck, fn: string): Fn {
  return (...args) => {
    const functions = new Map<string, Fn>();
    const plain = toPlain(args, (each, path) => functions.set(path, each));
    const call = takeCall(deck, fn, plain);
    const end = (): unknown => endOf(deck, call);
    const back = call.back ?? [];
    if (call.isAsync === true) return callBack(deck, back, functions).then(end);
    for (const each of back) compare(deck, each, endingNow(each, functions));
    return end();
  };
}

function endOf(deck: Deck, { fn, args, ending }: Call): unknown {
  if (ending === undefined) return new Promise(() => undefined);
  if ('threw' in ending) throw fromPlain(ending.threw);
  const name = `${fn}(${toKey(args)})`;
  return fromPlain(ending.returned, (path) => player(deck, path === '' ? name : `${name}.${path}`));
}

/**
 * The first unused call with the same arguments. Throws when the tape has no such call. That is
 * also noted in `unknown`, so that the replay fails even when the error is caught.
 */
function takeCall({ tape, used, replayed, isRewriting }: Deck, fn: string, args: Plain): Call {
  const wanted = toKey(args);
  const ofFn = tape.calls.filter((call) => call.fn === fn);
  const same = ofFn.filter((call) => toKey(call.args) === wanted);
  // To open a session again costs nothing and changes nothing.
  const again = fn === 'github.at' ? same[0] : undefined;
  const other = isRewriting ? ofFn.find((call) => !used.has(call)) : undefined;
  const found = same.find((call) => !used.has(call)) ?? again ?? other;
  if (found === undefined) {
    replayed.unknown.push(describe({ fn, args }));
    throw new Error(`This call is not on the tape: ${describe({ fn, args })}`);
  }
  used.add(found);
  if (found === other) rewrite(tape, found, args);
  return found;
}

/** What the call returned is called by its arguments. */
function rewrite({ calls }: Tape, call: Call, args: Plain): void {
  const before = `${call.fn}(${toKey(call.args)})`;
  call.args = args;
  const now = `${call.fn}(${toKey(args)})`;
  for (const each of calls)
    if (each.fn.startsWith(before)) each.fn = `${now}${each.fn.slice(before.length)}`;
}

async function callBack(deck: Deck, back: CallBack[], functions: Map<string, Fn>): Promise<void> {
  await Promise.all(
    back.map(async (each) => compare(deck, each, await endingOf(() => called(each, functions)))),
  );
}

function endingNow(each: CallBack, functions: Map<string, Fn>): Ending {
  try {
    return { returned: toPlain(called(each, functions)) };
  } catch (error) {
    return { threw: toPlain(error) };
  }
}

function called({ path, args }: CallBack, functions: Map<string, Fn>): unknown {
  return functions.get(path)?.(...(fromPlain(args) as unknown[]));
}

function compare({ replayed, isRewriting }: Deck, back: CallBack, now: Ending): void {
  const { path, ending: once } = back;
  if (once === undefined || toKey(once) === toKey(now)) return;
  if (isRewriting) back.ending = now;
  else replayed.answered.push({ path, now, once });
}

function describe({ fn, args }: Pick<Call, 'fn' | 'args'>): string {
  return `${fn} ${toKey(args)}`;
}
