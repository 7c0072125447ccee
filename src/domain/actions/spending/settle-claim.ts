/** The end of a claim that has no thread, or came to nothing: what was spent takes the place of what was reserved. */
import {
  holdsClaim,
  triesOf,
  type ActionClaim,
  type ActionsState,
  type ApplyRecord,
  type ClaimRequest,
} from '../actions-state.ts';
import { bookSpending, spentLastDay } from './book-spending.ts';

type Holder = Pick<ClaimRequest, 'workflowRun'>;

type DoneRecord = Pick<ApplyRecord, 'event' | 'usd' | 'now'> &
  Partial<Holder> & {
    /** Of a search of the code. */
    watchTokens?: number;
    /** Of the job that spent it; what another one reserved stays counted. */
    attempt?: number;
  };

/**
 * The end of work that has no thread. Made twice, the spending would count twice: what is counted changes nothing. A job
 * that a person ran again has spent more, though.
 */
export function recordDone(state: ActionsState, done: DoneRecord): ActionsState {
  const claim = Object.hasOwn(state.claims, done.event) ? state.claims[done.event] : undefined;
  if (claim === undefined) return state;
  const doneAt = claim.doneAt ?? new Date(done.now).toISOString();
  if (claim.doneAt !== undefined && !isSpentAgain(claim, done)) return state;
  return settle(state, claim, { ...done, ends: { doneAt } });
}

type LostRecord = DoneRecord &
  Holder & {
    /** It counts as no try: it says nothing about the event. */
    isUntried?: boolean;
  };

/** What models cost for an event that came to nothing. It stays claimed; made twice for one attempt, it counts once. */
export function recordLost(
  state: ActionsState,
  { workflowRun, isUntried = false, ...lost }: LostRecord,
): ActionsState {
  const claim = Object.hasOwn(state.claims, lost.event) ? state.claims[lost.event] : undefined;
  const spending = { workflowRun, ...lost };
  if (claim?.workflowRun !== workflowRun) return state;
  const { isUntried: wasUntried = false, ...tried } = claim;
  // A job that is run again may fail for another reason.
  if (claim.counted === countedAs(spending) && (isUntried || !wasUntried)) return state;
  return settle(state, tried, { ...spending, ends: isUntried ? { isUntried } : {} });
}

/** Dollars of the last 24 hours, without what this run of the workflow has only reserved. */
export function spentBeside(state: ActionsState, { workflowRun }: Holder, now: number): number {
  const own = Object.values(state.claims).filter((claim) => claim.workflowRun === workflowRun);
  const freed = own.reduce((at, { reserved }) => takeBack(at, reserved), state);
  return spentLastDay(freed, now);
}

/** Whether another attempt of the workflow that ended it has spent this. */
function isSpentAgain({ workflowRun, counted }: ActionClaim, spending: DoneRecord): boolean {
  const isOwn = spending.workflowRun === workflowRun && spending.attempt !== undefined;
  return isOwn && counted !== undefined && counted !== countedAs(spending);
}

function countedAs({ workflowRun = '', attempt }: DoneRecord): string {
  return attempt === undefined ? workflowRun : `${workflowRun}/${attempt}`;
}

/** Books what was spent in place of what was reserved. */
function settle(
  state: ActionsState,
  { reserved, ...claim }: ActionClaim,
  { ends, ...spending }: DoneRecord & { ends: Partial<ActionClaim> },
): ActionsState {
  const { event, usd, now, watchTokens: tokens = 0, attempt = claim.attempt } = spending;
  const counted = countedAs(spending);
  const isOwn = spending.workflowRun === claim.workflowRun && attempt === claim.attempt;
  // What another run or attempt reserved stays reserved, until that one ends.
  const kept = isOwn || reserved === undefined ? {} : { reserved };
  const ended = { ...claim, ...ends, ...kept, ...(counted !== '' && { counted }) };
  const claims = { ...state.claims, [event]: ended };
  if (counted !== '' && claim.counted === counted) return { ...state, claims };
  const freed = isOwn ? takeBack(state, reserved) : state;
  return { ...bookSpending(freed, new Date(now).toISOString(), { usd, tokens }), claims };
}

function takeBack(state: ActionsState, reserved: ActionClaim['reserved']): ActionsState {
  if (reserved === undefined) return state;
  const { at, usd, tokens } = reserved;
  return bookSpending(state, at, { usd: -usd, tokens: -tokens });
}

/**
 * Of an event that its workflow reserved and did not begin: another one may take it at once. That was no try, unless the
 * workflow was run again: its first run may have begun it. Made twice, it releases once.
 */
export function releaseUnbegun(
  state: ActionsState,
  { event, workflowRun, attempt, now }: Omit<ClaimRequest, 'lifeMs' | 'by'>,
): ActionsState {
  const claim = Object.hasOwn(state.claims, event) ? state.claims[event] : undefined;
  const isHeld = holdsClaim(state, { event, workflowRun, now });
  if (claim === undefined || claim.doneAt !== undefined || !isHeld) return state;
  const { [event]: _, ...others } = state.claims;
  const { reserved, isUntried = false, ...rest } = claim;
  const tries = triesOf(claim) - (attempt === 1 && !isUntried ? 1 : 0);
  const until = new Date(now).toISOString();
  const earlier = tries === 0 ? {} : { [event]: { ...rest, tries, until } };
  const freed = attempt === claim.attempt ? takeBack(state, reserved) : state;
  return { ...freed, claims: { ...others, ...earlier } };
}
