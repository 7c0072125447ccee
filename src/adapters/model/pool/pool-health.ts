/** What is known of the models of a pool: whose breakers are open, and which are out until the configuration changes. */
import type { ErrorCode } from '../../../domain/event/error-codes.ts';
import { QuorumError } from '../../../domain/event/errors.ts';
import { OFFLINE } from '../../../domain/run/model-pool.ts';
import type { Clock } from '../../../ports/clock.ts';
import { findBlame } from '../failure-meaning.ts';
import type { ModelBreak } from '../../../domain/run/model-breaks.ts';
import {
  adopt,
  breakerState,
  CLOSED,
  mayCall,
  recordCall,
  recordFailure,
  recordNoAnswer,
  recordSuccess,
  type Breaker,
  type KnownBreaks,
} from './breaker.ts';
import type { Member } from './members.ts';

export interface PoolNotice {
  kind: 'unusable' | 'breaker-open' | 'breaker-closed' | 'request-rejected' | 'unknown-name';
  name: string;
  /** Of one installation's own breaker, or of its request; absent where it is so for everybody. */
  installation?: number;
  /** Code and words of the failure that led to it. */
  code?: ErrorCode;
  message?: string;
  details?: string;
}

export interface MemberReport {
  state: 'ready' | 'open' | 'half-open' | 'unusable' | 'missing';
  /** Why it cannot be asked. */
  reason?: string;
}

/** For one installation; `undefined` is a host without any. */
type Who = number | undefined;

export interface Health {
  /** Code of why a model is not to be asked now; undefined when it may be. */
  refusalReason(member: Member, who: Who): ErrorCode | undefined;
  began(member: Member, who: Who): void;
  answered(member: Member, who: Who): void;
  failed(member: Member, who: Who, error: unknown): void;
  report(member: Member, who: Who): MemberReport;
  /** Takes over what other workers found of the models with these names: all that is open there now. */
  adopt(breaks: readonly ModelBreak[]): void;
}

/** Code of a model whose key, name or address is not there. */
const NOT_SET_UP = 'model-not-set-up';

interface Out {
  code: ErrorCode;
  message: string;
}

interface State {
  clock: Clock;
  notify: (notice: PoolNotice) => void;
  breakers: Map<string, Breaker>;
  /** Code of the last failure that counted, by model. */
  last: Map<string, ErrorCode>;
  /** Out until the configuration changes: members by name, clients by id. */
  unusable: Map<string, Out>;
  /** What was taken over from others, by model. */
  adopted: Map<string, KnownBreaks>;
  onBreak: (told: ModelBreak) => void;
}

/** @param onBreak - told of each breaker of this process that opens or closes, for other workers */
export function createHealth(
  clock: Clock,
  notify: (notice: PoolNotice) => void,
  onBreak: (told: ModelBreak) => void = () => undefined,
): Health {
  const state: State = {
    clock,
    notify,
    onBreak,
    breakers: new Map(),
    last: new Map(),
    unusable: new Map(),
    adopted: new Map(),
  };
  return {
    refusalReason: (member, who) => refusalReason(state, member, who),
    began: (member, who) =>
      changeBreaker(state, { member, who }, (b, id) => recordCall(b, id, clock.now())),
    answered: (member, who) => changeBreaker(state, { member, who }, recordSuccess),
    failed: (member, who, error) => noteFailure(state, { member, who }, error),
    report: (member, who) => report(state, member, who),
    adopt: (breaks) => adoptAll(state, breaks),
  };
}

const NOTHING_KNOWN: KnownBreaks = { all: undefined, own: {} };

function adoptAll(state: State, breaks: readonly ModelBreak[]): void {
  const names = new Set([...breaks.map(({ model }) => model), ...state.adopted.keys()]);
  for (const name of names) {
    const known = toKnown(breaks.filter(({ model }) => model === name));
    const before = state.adopted.get(name) ?? NOTHING_KNOWN;
    state.breakers.set(name, adopt(state.breakers.get(name) ?? CLOSED, known, before));
    state.adopted.set(name, known);
  }
}

function toKnown(breaks: readonly ModelBreak[]): KnownBreaks {
  return {
    all: breaks.find(({ installation }) => installation === undefined)?.openUntil,
    own: Object.fromEntries(
      breaks.flatMap(({ installation, openUntil }) =>
        installation === undefined || openUntil === undefined ? [] : [[installation, openUntil]],
      ),
    ),
  };
}

interface Subject {
  member: Member;
  who: Who;
  /** The failure that it is about. */
  words?: Out;
}

type Change = (breaker: Breaker, who: string) => Breaker;

function refusalReason(state: State, member: Member, who: Who): ErrorCode | undefined {
  if (member.model === undefined) return NOT_SET_UP;
  const out = findOut(state, member);
  if (out !== undefined) return out.code;
  if (isOffline(member) || mayCall(breakerOf(state, member), idOf(who), state.clock.now()))
    return undefined;
  return state.last.get(member.name) ?? 'model-overloaded';
}

/** What a failure says about its model: nothing, one more failure in a row, or that it is out. */
function noteFailure(state: State, subject: Subject, error: unknown): void {
  const { member } = subject;
  const now = state.clock.now();
  const blame = findBlame(error);
  if (!(error instanceof QuorumError) || (blame === 'request' && error.retryable))
    return changeBreaker(state, subject, recordNoAnswer);
  const { code, message } = error;
  if (blame === 'request') {
    changeBreaker(state, subject, recordNoAnswer);
    tell(state, subject, { kind: 'request-rejected', code, message, ...detailsOf(error) });
    return;
  }
  if (blame === 'key' || blame === 'entry') {
    changeBreaker(state, subject, recordNoAnswer);
    const out = blame === 'key' ? member.client : member.name;
    if (state.unusable.has(out)) return;
    state.unusable.set(out, { code, message });
    state.notify({ kind: 'unusable', name: member.name, code, message });
    return;
  }
  state.last.set(member.name, code);
  const isWitness = blame === 'model';
  const words = { code, message };
  changeBreaker(state, { ...subject, words }, (b, id) => recordFailure(b, id, { now, isWitness }));
}

function detailsOf({ details }: QuorumError): { details?: string } {
  return details === undefined ? {} : { details };
}

/** Tells what opened or closed, for everybody or for this installation alone. */
function changeBreaker(state: State, subject: Subject, change: Change): void {
  const { member, who, words } = subject;
  const id = idOf(who);
  const before = breakerOf(state, member);
  const after = change(before, id);
  state.breakers.set(member.name, after);
  tellOthers(state, member.name, { before, after, id });
  const parts = [
    { ...whenChanged(before.openUntil, after.openUntil), isOwn: false },
    { ...whenChanged(before.own[id]?.openUntil, after.own[id]?.openUntil), isOwn: true },
  ];
  for (const { kind, isOwn } of parts) {
    if (kind === undefined) continue;
    if (isOwn) tell(state, subject, { kind, ...words });
    else state.notify({ kind, name: member.name, ...words });
  }
}

function tellOthers(
  { onBreak }: State,
  model: string,
  { before, after, id }: { before: Breaker; after: Breaker; id: string },
): void {
  if (before.openUntil !== after.openUntil)
    onBreak({ model, ...(after.openUntil !== undefined && { openUntil: after.openUntil }) });
  const openUntil = after.own[id]?.openUntil;
  if (before.own[id]?.openUntil !== openUntil)
    onBreak({ model, installation: id, ...(openUntil !== undefined && { openUntil }) });
}

function whenChanged(
  before: number | undefined,
  after: number | undefined,
): { kind?: 'breaker-open' | 'breaker-closed' } {
  if ((before === undefined) === (after === undefined)) return {};
  return { kind: after === undefined ? 'breaker-closed' : 'breaker-open' };
}

function tell(state: State, { member, who }: Subject, notice: Omit<PoolNotice, 'name'>): void {
  state.notify({ ...notice, name: member.name, ...(who !== undefined && { installation: who }) });
}

function report(state: State, member: Member, who: Who): MemberReport {
  if (member.missing !== undefined) return { state: 'missing', reason: member.missing };
  const out = findOut(state, member);
  if (out !== undefined) return { state: 'unusable', reason: out.message };
  const breaker = breakerState(breakerOf(state, member), idOf(who), state.clock.now());
  return { state: breaker === 'closed' ? 'ready' : breaker };
}

function findOut(state: State, member: Member): Out | undefined {
  return state.unusable.get(member.name) ?? state.unusable.get(member.client);
}

function breakerOf(state: State, member: Member): Breaker {
  return state.breakers.get(member.name) ?? CLOSED;
}

/** How breakers and turns call an installation. */
export function idOf(who: Who): string {
  return who === undefined ? 'host' : String(who);
}

/** Whether a model is made of rules: it is always there. */
export function isOffline(member: Member): boolean {
  return member.entry.provider === OFFLINE;
}
