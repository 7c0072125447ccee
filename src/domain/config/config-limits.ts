/** The part of .github/quorum.yml about models, money, access, channels and loops. */
import * as z from 'zod';
import { count, flag, list, text, timeZone } from './config-team.ts';
import { PERMISSIONS } from '../run/thread-ref.ts';

export const MODEL_ALIASES = [
  'cheap',
  'standard',
  'strong',
  'image',
  'embedding',
  'speech',
  'transcription',
  'memoryExtraction',
] as const;
export const ModelAlias = z.enum(MODEL_ALIASES);
export type ModelAlias = z.infer<typeof ModelAlias>;

const usd = (about: string) => z.number().min(0).max(1_000_000).describe(about);

/** Price in US dollars for a million tokens; what is left out is unknown, never zero. */
const Price = z.strictObject({
  input: usd('Input').optional(),
  output: usd('Output').optional(),
  cacheWrite: usd('Input written to the cache').optional(),
  cacheRead: usd('Input read from the cache').optional(),
});

const PROVIDERS = ['anthropic', 'openai', 'openai-compatible', 'offline'] as const;
/** Older versions offered it. Nothing answers for it: it stays valid, so that an upgrade stops nobody. */
export const UNANSWERED_PROVIDER = 'claude-cli';

export const PoolModel = z.strictObject({
  provider: z
    .enum([...PROVIDERS, UNANSWERED_PROVIDER])
    // What editors and the reference offer.
    .meta({ description: 'How the model is reached', enum: [...PROVIDERS] }),
  model: text(120, 'The provider’s name of the model').optional(),
  label: text(60, 'Shown to people').optional(),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !/^https?:\/\/[^/]*@/.test(url), 'an address without a user or a key in it')
    .optional()
    .describe('Endpoint of a compatible provider'),
  keyEnv: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'the name of an environment variable, never the key itself')
    .optional()
    .describe('Environment variable that holds the key'),
  price: Price.optional().describe('US dollars for a million tokens'),
  contextTokens: count(1_000, 100_000_000, 'Size of the context window').optional(),
  maxOutputTokens: count(16, 10_000_000, 'Most tokens in one answer').optional(),
  temperature: z.number().min(0).max(2).optional().describe('Sampling temperature'),
  requestsPerMinute: count(1, 1_000_000, 'Rate limit').optional(),
});
export type PoolModel = z.infer<typeof PoolModel>;

export interface ModelsConfig {
  /** Models by name. */
  pool: Readonly<Record<string, PoolModel>>;
  /** Alias to the name of a model in the pool. */
  aliases: Readonly<Partial<Record<ModelAlias, string>>>;
}

const POOL_NAME = /^[a-z][a-z0-9._-]{0,59}$/i;
const alias = text(60, 'Name of a model in this pool').optional();

/** Written flat: an alias names a model, any other key is a model. */
export const ModelsConfig = z
  .object({
    cheap: alias,
    standard: alias,
    strong: alias,
    image: alias,
    embedding: alias,
    speech: alias,
    transcription: alias,
    memoryExtraction: alias,
  } satisfies Record<ModelAlias, typeof alias>)
  .catchall(PoolModel)
  .prefault({})
  .describe('Models by name, and which of them each alias stands for')
  .superRefine((models, context) => {
    for (const name of Object.keys(models)) {
      if (POOL_NAME.test(name)) continue;
      const message = 'a model name of letters, digits, dots, hyphens and underscores';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .transform((models): ModelsConfig => {
    const pool: Record<string, PoolModel> = {};
    const aliases: Partial<Record<ModelAlias, string>> = {};
    for (const [name, value] of Object.entries(models)) {
      const known = ModelAlias.safeParse(name);
      if (typeof value === 'object') pool[name] = value;
      else if (known.success && value !== undefined) aliases[known.data] = value;
    }
    return { pool, aliases };
  });

const caps = (perThread: number, perDay: number, about: string) =>
  z
    .strictObject({
      perThreadUsd: usd('Most for one thread').default(perThread),
      perDayUsd: usd('Most in a day').default(perDay),
    })
    .prefault({})
    .describe(about);

export const BudgetConfig = z.strictObject({
  pm: caps(0.5, 5, 'Planning and answers'),
  council: caps(0.5, 5, 'Deliberations, reviews and meetings'),
  coder: caps(5, 25, 'Writing code'),
  standup: caps(0.05, 1, 'Standups'),
  perDayUsd: usd('Most in a day for the whole repository').default(25),
  warnAt: z
    .number()
    .min(0.05)
    .max(1)
    .default(0.8)
    .describe('Share of a cap from which an answer warns, once for each cap'),
  weeklyPost: flag(false, 'Post the costs every week'),
});

const Permission = z.enum(PERMISSIONS);

const Identity = z.strictObject({
  github: text(39, 'GitHub login'),
  slack: text(40, 'Slack member id, such as `U0123ABCD`').optional(),
  bluesky: text(253, 'Bluesky DID, such as `did:plc:…`').optional(),
  telegram: text(40, 'Telegram id').optional(),
});

export const AccessConfig = z.strictObject({
  owner: text(39, 'GitHub login of the owner, who is asked when the team stops').optional(),
  allowedUsers: list('Only these logins may command the team; empty: by permission'),
  allowedTeams: list('Only members of these teams may command the team'),
  allowedApps: z
    .array(z.number().int().min(1).max(2_147_483_647))
    .max(50)
    .default([])
    .describe('Numeric ids of foreign GitHub Apps that may command the team'),
  read: Permission.default('read').describe('Needed to ask for information'),
  spend: Permission.default('triage').describe('Needed for what costs money'),
  change: Permission.default('write').describe('Needed for what changes something'),
  commands: z
    .record(z.string().regex(/^[a-z][a-z-]{0,29}$/), Permission)
    .default({})
    .describe('Needed for one command, by its name'),
  identities: z.array(Identity).max(500).default([]).describe('Who is who on other platforms'),
  peers: list('Logins of other agents that take part here'),
  maxConcurrentThreads: count(
    1,
    1_000_000,
    'Tasks of all plans worked on at once, those in review included; the plan nearest to completion comes first',
  ).default(5),
  codeRunsPerHour: count(0, 1_000_000, 'Runs of the Coder in an hour').default(20),
  codeRunsPerUserPerHour: count(
    0,
    1_000_000,
    'Runs of the Coder in an hour on the approval of one person',
  ).default(10),
  dailyBudgetUsd: usd('Most that one person may spend in a day').optional(),
});

const CHANNEL_EVENTS = [
  'run-started',
  'verdict',
  'plan-proposed',
  'plan-approved',
  'plan-complete',
  'task-claimed',
  'task-released',
  'pr-opened',
  'merged',
  'failed',
  'standup',
  'weekly',
  'needs-human',
] as const;
export const ChannelEvent = z.enum(CHANNEL_EVENTS);
export type ChannelEvent = z.infer<typeof ChannelEvent>;

const events = (values: readonly ChannelEvent[]) =>
  z
    .array(ChannelEvent)
    .max(CHANNEL_EVENTS.length)
    .default([...values])
    .describe('What is announced');

/** For one repository. */
const MOST_MAPPED = 100;

export const ChannelsConfig = z.strictObject({
  slack: z
    .strictObject({
      channel: text(80, 'Channel id, or name with #').optional(),
      map: z
        .record(
          z.string().regex(/^[CG][A-Z0-9]{2,20}$/),
          z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/),
        )
        .refine((map) => Object.keys(map).length <= MOST_MAPPED, {
          error: `No more than ${MOST_MAPPED} channels`,
        })
        .default({})
        .describe(
          'Channels, by their id, in which people ask for work in this repository (`owner/name`)',
        ),
      events: events([
        'verdict',
        'plan-proposed',
        'plan-complete',
        'merged',
        'failed',
        'standup',
        'needs-human',
      ]),
      voiceProbability: z
        .number()
        .min(0)
        .max(1)
        .default(0.4)
        .describe('How often a second persona speaks up'),
    })
    .prefault({})
    .describe('Slack'),
  bluesky: z
    .strictObject({ events: events(['plan-complete', 'merged', 'standup']) })
    .prefault({})
    .describe('Bluesky; never for private repositories'),
  telegram: z
    .strictObject({
      groupId: z.number().int().optional().describe('Group with forum topics'),
      events: events(['verdict', 'needs-human']),
    })
    .prefault({})
    .describe('Telegram'),
});

/** Loops of spec 10 with their default intervals, in seconds; an interval of 0 is set by the host. */
const LOOPS = {
  awareness: { on: true, everySeconds: 45 },
  planAwareness: { on: true, everySeconds: 180 },
  commitments: { on: true, everySeconds: 15 },
  sessionRefresh: { on: true, everySeconds: 900 },
  heartbeat: { on: true, everySeconds: 300 },
  engagement: { on: true, everySeconds: 900 },
  expression: { on: false, everySeconds: 12_600 },
  reflection: { on: true, everySeconds: 21_600 },
  selfImprovement: { on: true, everySeconds: 86_400 },
  proactive: { on: true, everySeconds: 5_400 },
  codeWatch: { on: true, everySeconds: 10_800 },
  slicing: { on: true, everySeconds: 14_400 },
  versionCheck: { on: true, everySeconds: 300 },
} as const satisfies Record<string, { on: boolean; everySeconds: number }>;
type Loop = keyof typeof LOOPS;

const loop = (name: Loop) =>
  z
    .strictObject({
      enabled: flag(LOOPS[name].on, 'Whether the loop runs'),
      everySeconds: count(1, 2_592_000, 'Time between passes').default(LOOPS[name].everySeconds),
      dailyTokens: count(0, 1_000_000_000, 'Most tokens in a day').default(50_000),
    })
    .prefault({});

const loopShape = {
  awareness: loop('awareness').describe('Mentions and replies'),
  planAwareness: loop('planAwareness').describe('Claimable tasks, reviews, stale claims'),
  commitments: loop('commitments').describe('Promises kept'),
  sessionRefresh: loop('sessionRefresh').describe('Sessions of channels'),
  heartbeat: loop('heartbeat').describe('Liveness'),
  engagement: loop('engagement').describe('How posts were received'),
  expression: loop('expression').describe('A thought now and then'),
  reflection: loop('reflection').describe('Lessons from what happened'),
  selfImprovement: loop('selfImprovement').describe('Proposals about the team’s own files'),
  proactive: loop('proactive').describe('A question or concern when it is quiet'),
  codeWatch: loop('codeWatch').describe('Findings in the code'),
  slicing: loop('slicing').describe('Large roadmap items split'),
  versionCheck: loop('versionCheck').describe('A newer release is out'),
} satisfies Record<Loop, ReturnType<typeof loop>>;

export const SweepsConfig = z.strictObject({
  ...loopShape,
  exitOnNewVersion: flag(false, 'End the process when a newer release is out'),
  maxOpenCodeWatchIssues: count(0, 1_000, 'Open issues from the code watch (at most 3)').default(3),
});

export const QuietHoursConfig = z.strictObject({
  enabled: flag(true, 'Nothing speaks unprompted in these hours'),
  from: count(0, 23, 'First quiet hour').default(23),
  to: count(0, 23, 'First hour that is not quiet any more').default(7),
  timeZone: timeZone('UTC'),
});
