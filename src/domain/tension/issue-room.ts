/** How many issues of agents may be open in a repository, and which of them wait (spec 08, flow). */

/** An issue that agents opened or want to open: a code watch's find, a tension, a proposal. */
export interface AgentIssue {
  /** A person asked for it: a tick, `/pm tension accept`, a plan, an incident. It takes no room. */
  isAsked: boolean;
}

export interface OpenIssue extends AgentIssue {
  number: number;
}

export interface Placed<T> {
  /** To be opened now, in the order in which they were wanted. */
  now: T[];
  /** With the reason that people read. */
  waiting: { wanted: T; why: string }[];
}

/** Of all sources together (LOOP rules, spec 12). */
export const MAX_UNASKED = 3;

/** Opens what people asked for, and of the rest as many as there is room for. */
export function placeIssues<T extends AgentIssue>(
  wanted: readonly T[],
  open: readonly OpenIssue[],
  most: number = MAX_UNASKED,
): Placed<T> {
  const unasked = open.filter(({ isAsked }) => !isAsked).toSorted((a, b) => a.number - b.number);
  const placed: Placed<T> = { now: [], waiting: [] };
  let room = Math.max(0, Math.min(most, MAX_UNASKED) - unasked.length);
  for (const each of wanted) {
    if (!each.isAsked && room === 0)
      placed.waiting.push({ wanted: each, why: whyWaiting(unasked) });
    else placed.now.push(each);
    if (!each.isAsked && room > 0) room -= 1;
  }
  return placed;
}

function whyWaiting(unasked: readonly OpenIssue[]): string {
  if (unasked.length === 0) return 'others go first; it is opened when one of them is closed';
  const names = unasked.map(({ number }) => `#${number}`).join(', ');
  return `${names} ${unasked.length === 1 ? 'is' : 'are'} open; it is opened when one of them is closed`;
}
