/** What the claim job of a sweep hands to the other jobs: the events that it reserved, before any model ran. */
import { z } from 'zod';
import { ConfigError } from '../../../domain/event/errors.ts';
import { ClaimTicket } from '../steps/claim-ticket.ts';

/** In the artifact of a pass: what a model said of a persona's memory. */
export const MEMORY_FILE = 'memory.json';

/** So many events in one pass; the next pass takes the rest. */
export const MOST_EVENTS = 5;

/** A search of the code at one commit, once. */
const Watch = z.object({
  claim: z.string().min(1).max(200),
  headSha: z.string().regex(/^[0-9a-f]{40,64}$/),
});
export type WatchTicket = z.infer<typeof Watch>;

/** What of a persona's memory is to be consolidated. */
const Memory = z.object({
  claim: z.string().min(1).max(200),
  /** When it was claimed first, ISO 8601: all jobs decide at this moment. */
  at: z.iso.datetime(),
  persona: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
  evidence: z.string().regex(/^[0-9a-f]{10}$/),
});
export type MemoryTicket = z.infer<typeof Memory>;

/** Plans that the apply job looks at. */
const Plans = z.object({
  numbers: z.array(z.int().positive()).min(1).max(50),
  /** The cursor that says so afterwards. */
  seen: z.string().regex(/^\S{1,100} \d{4}-[\d:.TZ-]{1,30}$/),
});
export type PlansTicket = z.infer<typeof Plans>;

/** A week that the apply job tells of. */
const Week = z.object({
  claim: z.string().min(1).max(200),
  /** Nobody had the claim before. */
  isNew: z.boolean(),
  /** When it was claimed first, ISO 8601: a rerun has the same ids. */
  at: z.iso.datetime(),
  /** Until when weeks were read before, ISO 8601. */
  since: z.iso.datetime(),
  /** As the settings say it. */
  setting: z.object({
    weekday: z.enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']),
    hour: z.int().min(0).max(23),
    timeZone: z.string().min(1).max(100),
  }),
});
export type WeekTicket = z.infer<typeof Week>;

const Ticket = z.object({
  version: z.literal(1),
  events: z.array(ClaimTicket).max(MOST_EVENTS),
  watch: Watch.optional(),
  memory: Memory.optional(),
  plans: Plans.optional(),
  week: Week.optional(),
  /** No event is begun after so much was spent in this pass, in US dollars. */
  maxUsd: z.number().nonnegative(),
});
export type SweepTicket = z.infer<typeof Ticket>;

/** @throws ConfigError `action-input-invalid` */
export function parseSweepTicket(text: string): SweepTicket {
  return parsed(Ticket, text, 'claim');
}

const Place = z.string().regex(/^[0-4]$/);
const Usd = z.number().nonnegative().max(100_000);

const Digest = z.string().regex(/^[0-9a-f]{64}$/);

/** What became of the question about a persona's memory. */
const AskedMemory = z.object({
  usd: Usd,
  /** Of the file with the answers; absent where there is nothing to propose. */
  digest: Digest.optional(),
  /** No model answered: it was not begun, was refused before, or its model was away. That is no try. */
  isLeft: z.literal(true).optional(),
});
export type MemoryDone = z.infer<typeof AskedMemory>;

const Done = z.object({
  /** Of the agent job; absent in what older versions wrote. */
  attempt: z.int().positive().optional(),
  memory: AskedMemory.optional(),
  /** Digests of the artifact's files, by the place of their event in the ticket. */
  files: z.record(Place, Digest),
  /** What events cost that brought no file, by their place. */
  lostUsd: z.record(Place, Usd).optional(),
  watchUsd: Usd.optional(),
  watchTokens: z.int().nonnegative().max(1_000_000_000).optional(),
  /** Events that were not begun, by their place: the pass had reached its limit. */
  left: z.array(Place).max(MOST_EVENTS).optional(),
  isWatchLeft: z.literal(true).optional(),
  /** The search did not end; what it cost is known. */
  isWatchFailed: z.literal(true).optional(),
});
export type SweepDone = z.infer<typeof Done>;

/** @throws ConfigError `action-input-invalid` */
export function parseSweepDone(text: string): SweepDone {
  return parsed(Done, text, 'digest');
}

function parsed<T extends z.ZodType>(schema: T, text: string, input: string): z.infer<T> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ConfigError({
      code: 'action-input-invalid',
      message: `The input \`${input}\` is not the output of an earlier job of this sweep.`,
      cause,
    });
  }
}
