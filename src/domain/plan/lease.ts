/** A lease on a task: a git ref that points to an empty commit whose message says who holds what until when (TG-4). */

export interface Lease {
  /** The plan's issue and the task in it. */
  issue: number;
  task: number;
  /** Who holds it: an instance and one of its attempts, so that its own hold is known again after a lost answer. */
  holder: string;
  /** Digest of the task as it was approved. */
  digest: string;
  /** Grows with every new holder: what an earlier one still sends is refused by its lower number. */
  fence: number;
  /** Milliseconds since the epoch. */
  issuedAt: number;
  expiresAt: number;
  /** Given back: anybody may take it at once, unless what its end says forbids it. */
  isReleased: boolean;
  /** What the task has been since it was given back, whatever the plan's text shows: absent in older ones. */
  end?: LeaseEnd;
}

/** A task's words when its hold ended. */
export interface LeaseEnd {
  status: 'pending' | 'blocked' | 'completed';
  /** One line; may be empty. */
  reason: string;
}

/** What a lease's ref pointed to when it was read. */
export interface HeldLease {
  sha: string;
  /** Undefined when the commit's message is not a lease: its holder is then unknown. */
  lease: Lease | undefined;
}

/** Clocks of machines that share nothing may differ by so much: an expired lease is left alone a little longer. */
export const CLOCK_SKEW_MS = 2 * 60_000;

/** The ref's full name; `namespace` is `refs/quorum/leases`, or another one where a host refuses that. */
export function leaseRef(
  namespace: string,
  { issue, task }: Pick<Lease, 'issue' | 'task'>,
): string {
  return `${namespace}/${issue}-${task}`;
}

const HEADER = 'quorum lease v1';
const LINE = /^([a-z]+): (.*)$/gm;

/** The commit's message. */
export function renderLease(lease: Lease): string {
  const { issue, task, holder, digest, fence, issuedAt, expiresAt, isReleased, end } = lease;
  return [
    HEADER,
    '',
    `issue: ${issue}`,
    `task: ${task}`,
    `holder: ${holder.replaceAll(/\s+/g, ' ')}`,
    `digest: ${digest}`,
    `fence: ${fence}`,
    `issued: ${new Date(issuedAt).toISOString()}`,
    `expires: ${new Date(expiresAt).toISOString()}`,
    ...(isReleased ? ['released: yes'] : []),
    ...(end === undefined ? [] : [`ended: ${end.status}`]),
    ...(end === undefined || end.reason === ''
      ? []
      : [`why: ${end.reason.replaceAll(/\s+/g, ' ')}`]),
    '',
  ].join('\n');
}

/** Undefined when the text is no lease, or lacks anything. */
export function parseLease(message: string): Lease | undefined {
  if (message.split('\n')[0]?.trim() !== HEADER) return undefined;
  const words = new Map(
    Array.from(message.matchAll(LINE), ([, name = '', value = '']) => [name, value]),
  );
  const numbers = ['issue', 'task', 'fence'].map((name) => Number(words.get(name)));
  const times = ['issued', 'expires'].map((name) => Date.parse(words.get(name) ?? ''));
  const [issue = NaN, task = NaN, fence = NaN] = numbers;
  const [issuedAt = NaN, expiresAt = NaN] = times;
  const holder = words.get('holder') ?? '';
  const isWhole =
    [...numbers, ...times].every((value) => Number.isSafeInteger(value)) && holder !== '';
  if (!isWhole) return undefined;
  const digest = words.get('digest') ?? '';
  return {
    issue,
    task,
    holder,
    digest,
    fence,
    issuedAt,
    expiresAt,
    isReleased: words.get('released') === 'yes',
    ...endIn(words),
  };
}

function endIn(words: ReadonlyMap<string, string>): Pick<Lease, 'end'> {
  const status = ENDS.find((word) => word === words.get('ended'));
  return status === undefined ? {} : { end: { status, reason: words.get('why') ?? '' } };
}

const ENDS = ['pending', 'blocked', 'completed'] as const;
