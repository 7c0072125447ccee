/** The part of .github/quorum.yml about how the team talks, remembers and looks back. */
import * as z from 'zod';
import { Handle } from '../persona/persona.ts';

export const count = (min: number, max: number, about: string) =>
  z.number().int().min(min).max(max).describe(about);
export const flag = (value: boolean, about: string) => z.boolean().default(value).describe(about);
export const text = (max: number, about: string) =>
  z.string().trim().min(1).max(max).describe(about);
export const list = (about: string, max = 200) =>
  z.array(z.string().trim().min(1).max(300)).max(max).default([]).describe(about);

/** A time zone by its IANA name. */
export const timeZone = (usual: string) =>
  text(60, 'IANA name').refine(isTimeZone, 'an IANA name such as Europe/Madrid').default(usual);

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

const relativePath = (about: string) =>
  text(300, about).refine(
    (path) => !path.startsWith('/') && !path.includes('\\') && !path.split('/').includes('..'),
    'a path inside the repository',
  );

export const CouncilConfig = z.strictObject({
  mode: z
    .enum(['blind', 'sequential', 'single'])
    .default('blind')
    .describe(
      'blind: nobody sees the others in round 1; sequential: each sees those before; single: one reviewer',
    ),
  style: z
    .enum(['live', 'thread'])
    .default('live')
    .describe('live: one comment that is edited; thread: one comment a contribution'),
  maxRounds: count(1, 1_000, 'Rounds in one run (at most 2)').default(2),
  maxContributions: count(
    2,
    1_000,
    'Contributions in one run, one of them the lead’s (at most 6)',
  ).default(6),
  maxContributors: count(1, 1_000, 'Contributors in one round (at most 3)').default(3),
  debounceSeconds: count(0, 3_600, 'Wait after a person’s comment before the lead goes on').default(
    60,
  ),
  cooldownMinutes: count(
    0,
    1_440,
    'The same trigger does not start again within this time',
  ).default(30),
  pauseSeconds: count(0, 600, 'Pause between contributions on GitHub').default(0),
  chatPauseSeconds: z
    .strictObject({
      min: count(0, 600, 'Shortest pause').default(20),
      max: count(0, 600, 'Longest pause').default(60),
    })
    .prefault({})
    .describe('Pause between contributions in chat'),
  secondVoice: z
    .strictObject({
      chat: z.number().min(0).max(1).default(0.4).describe('Probability in chat'),
      github: z.number().min(0).max(1).default(0).describe('Probability on GitHub'),
    })
    .prefault({})
    .describe('How often a second persona speaks up unasked'),
  builds: z
    .enum(['all', 'own-pulls', 'off'])
    .default('all')
    .describe(
      'Failed builds that the team looks into: of the default branch and of its own pull requests, of these only, or none',
    ),
  fallBackToSingle: flag(
    false,
    'After 20 runs in which the council changed nothing, use one reviewer',
  ),
  linkHosts: list('Web hosts whose links may be read besides GitHub; none by default'),
});

export const ReviewConfig = z.strictObject({
  event: z
    .enum(['comment', 'request-changes'])
    .default('comment')
    .describe('What a review with findings is on GitHub'),
  drafts: flag(false, 'Review draft pull requests too'),
  maxComments: count(0, 1_000, 'Line comments in one review (at most 15)').default(15),
  minSeverity: z
    .enum(['critical', 'high', 'medium', 'low', 'info'])
    .default('low')
    .describe('Findings below this are left out (at most `high`)'),
  maxParts: count(
    1,
    100,
    'Parts in which a change too large for one prompt is read (at most 8)',
  ).default(3),
  settleSeconds: count(0, 3_600, 'Wait after a push before reviewing the new head').default(60),
  muteBelow: z
    .number()
    .min(0)
    .max(1)
    .default(0.3)
    .describe(
      'A persona or rule whose findings people accept more rarely than this, for sure, gets no line comments below high (at most 0.5; 0 mutes nobody)',
    ),
  muteAfter: count(
    0,
    1_000,
    'Findings that people must have judged before a persona or rule is muted (at least 10)',
  ).default(10),
  requiredPersonas: z
    .array(Handle)
    .max(4)
    .default([])
    .describe(
      'Personas whose approval Quorum needs for a merge, besides the verdict: at most three and the lead',
    ),
});

const ThinkingLevel = z.enum(['off', 'minimal', 'low', 'medium', 'high']);

const BoardAgent = z.strictObject({
  role: Handle.describe('Role of the seat, for example finance'),
  name: text(60, 'Display name').optional(),
  emoji: text(16, 'Shown beside the name').optional(),
  soul: relativePath('Persona file of the seat, relative to .github/quorum/personas').optional(),
  model: text(60, 'Name or alias from the model pool').optional(),
  thinking: ThinkingLevel.default('off').describe('Thinking level'),
  topicId: count(1, 2_147_483_647, 'Telegram forum topic').optional(),
});

export const BoardConfig = z.strictObject({
  enabled: flag(false, 'Whether the board exists at all'),
  agents: z.array(BoardAgent).max(20).default([]).describe('Settings by seat'),
  meetings: z
    .strictObject({
      enabled: flag(true, 'Whether meetings can be called'),
      maxDurationMs: count(1_000, 86_400_000, 'Deadline of a meeting, in milliseconds').default(
        600_000,
      ),
      maxTurnsPerAgent: count(1, 1_000, 'Turns of one persona in a meeting').default(3),
      mode: z.enum(['parallel', 'sequential']).default('parallel').describe('How questions go out'),
    })
    .prefault({})
    .describe('Board meetings'),
  consultation: z
    .strictObject({
      enabled: flag(true, 'Whether personas may consult one another'),
      maxDepth: count(0, 1_000, 'How deep consultations may nest').default(2),
      timeoutMs: count(1_000, 3_600_000, 'How long one answer may take, in milliseconds').default(
        120_000,
      ),
    })
    .prefault({})
    .describe('Consultation between personas'),
});

export const StandupConfig = z.strictObject({
  enabled: flag(true, 'Hold a standup when a plan or a single task ended'),
  maxInsightsPerAgent: count(1, 1_000, 'Insights of one participant (at most 3)').default(3),
  maxWordsPerInsight: count(20, 1_000, 'Words of one insight (at most 200)').default(200),
  model: text(60, 'Name or alias from the model pool').default('cheap'),
  personality: flag(true, 'Participants speak in their own voice; false keeps to plain sentences'),
  weekly: flag(true, 'Hold one a week over what no other standup looked at, in the status issue'),
  digest: flag(true, 'Write the status issue each week; closing it does the same for good'),
  week: z
    .strictObject({
      weekday: z
        .enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])
        .default('monday')
        .describe('Day on which a week ends'),
      hour: count(0, 23, 'Hour at which it ends').default(9),
      timeZone: timeZone('UTC'),
    })
    .prefault({})
    .describe('When the weekly standup and the status issue are due'),
  voice: flag(false, 'Speak the messages, where a speech provider is set'),
  liveMessages: flag(true, 'Agents may message a running teammate'),
  adaptivePlan: z
    .enum(['off', 'ask', 'apply'])
    .default('ask')
    .describe('What happens with a change to the remaining tasks that the PM proposes'),
});

/** Where memory is kept unless the configuration names another branch. */
export const MEMORY_BRANCH = 'quorum/memory';

export const MemoryConfig = z.strictObject({
  enabled: flag(true, 'Personas remember between threads'),
  branch: z
    .string()
    .regex(/^quorum\/[\w.-]{1,100}$/, 'a branch under quorum/')
    .default(MEMORY_BRANCH)
    .describe('Where memory lives; always under quorum/'),
  proposals: flag(
    true,
    'Propose entries for memory/pm.md and memory/artist.md after a pull request',
  ),
  // Off, and absent where nobody sets it.
  self: z
    .boolean()
    .optional()
    .describe(
      'Each persona keeps what it experienced, and proposes to rewrite its own file, self.md, in a pull request onto the memory branch',
    ),
  // 90 where nobody sets it.
  expireDays: z
    .number()
    .int()
    .positive()
    .optional()
    .describe(
      'Days after which an entry that was neither verified nor learned again is not used; 90 when not set. What a person said does not expire',
    ),
  // Off, and absent where nobody sets it.
  embeddings: z
    .boolean()
    .optional()
    .describe(
      'Order what is remembered by its meaning as well, where the host has an embedding model. Its provider gets texts of entries and of the matter at hand',
    ),
});

export const JournalConfig = z.strictObject({
  enabled: flag(true, 'Write the journal of each plan to journal/<thread>.md on the memory branch'),
  // Off, and absent where nobody sets it.
  inPullRequests: z
    .boolean()
    .optional()
    .describe(
      'Add a copy, .quorum/journal/<plan>-<task>.md, to the pull request of each task; checks of your repository see this Markdown file',
    ),
});

/** Where the roadmap is unless the configuration names another file. */
export const ROADMAP_FILE = 'ROADMAP.md';

export const RoadmapConfig = z.strictObject({
  file: relativePath('Path of the roadmap').default(ROADMAP_FILE),
  milestones: flag(false, 'Use the milestones instead of a file'),
});

/** Settings for one persona without replacing its file. */
const PersonaSetting = z.strictObject({
  active: z.boolean().optional().describe('false takes the persona out of the team'),
  model: text(60, 'Name or alias from the model pool').optional(),
});

export const PersonasConfig = z
  .record(Handle, PersonaSetting)
  .default({})
  .describe('Settings by handle');
