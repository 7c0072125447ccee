/** What a persona is: the schema of its front matter, its prose sections, and the words for the runs that it joins. */
import * as z from 'zod';
import type { ModelAlias } from '../config/config-limits.ts';
import { JOINED_TRIGGERS } from '../run/run-trigger.ts';
import type { PhraseName } from './phrases.ts';

/** The runs that a persona can have a mode for: the council's triggers, then those of the other strategies. */
const RUN_TRIGGERS = [...JOINED_TRIGGERS, 'meeting', 'standup', 'plan', 'task', 'image'] as const;
export const RunTrigger = z.enum(RUN_TRIGGERS);
export type RunTrigger = z.infer<typeof RunTrigger>;

const Team = z.enum(['engineering', 'board', 'crew']);

/** How a persona is addressed: lower case, digits and hyphens, at most 39 characters as a GitHub login. */
export const Handle = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,38}$/, 'lower-case letters, digits and hyphens, starting with a letter')
  .describe('Unique name by which the persona is addressed, as in @maya');

const line = (max: number, about: string) => z.string().trim().min(1).max(max).describe(about);
const words = (about: string) =>
  z.array(z.string().trim().min(1).max(120)).max(60).default([]).describe(about);
const minutes = (about: string) => z.number().min(1).max(1_440).optional().describe(about);
const unit = (about: string) => z.number().min(0).max(1).describe(about);

/** A model written into the persona's file instead of a name from the pool. Keys never stand here. */
const InlineModel = z.strictObject({
  provider: line(40, 'Provider, for example anthropic, openai or openai-compatible'),
  model: line(120, "The provider's name of the model"),
  temperature: z.number().min(0).max(2).optional().describe('Sampling temperature'),
  maxTokens: z.number().int().min(64).max(64_000).optional().describe('Most tokens in one answer'),
});

const EmojiPolicy = z.strictObject({
  policy: z.enum(['never', 'rare', 'some']).default('never').describe('How often emoji appear'),
  favourites: words('The emoji this persona would pick'),
  contexts: line(300, 'When an emoji is in place').optional(),
});

const Style = z.strictObject({
  principles: words('What the voice does, as short rules'),
  rhythm: line(400, 'Length and pace of sentences').optional(),
  tone: line(400, 'Attitude towards the reader').optional(),
  wordsUsed: words('Words this persona reaches for'),
  wordsAvoided: words('Words this persona never writes'),
  emoji: EmojiPolicy.prefault({}).describe('Emoji policy'),
  quickReactions: words('Short replies where a paragraph would be too much'),
  rhetoricalMoves: words('How this persona builds an argument'),
});

/** Seed values between two personas; they move with events and decay to neutral. */
export const Relationship = z.strictObject({
  trust: unit('How far the other is believed without proof'),
  rapport: unit('How easily the two work together'),
  tension: unit('How often they pull in opposite directions'),
});
export type Relationship = z.infer<typeof Relationship>;

const SpokenVoice = z.strictObject({
  pitch: z.enum(['low', 'medium', 'high']).default('medium').describe('Pitch when spoken'),
  speed: z.number().min(0.5).max(2).default(1).describe('Speed, 1 is normal'),
  accent: line(80, 'Hint for the speech provider').optional(),
  sample: line(300, 'A sentence to hear the voice with').optional(),
});

const Identities = z.strictObject({
  github: line(39, 'GitHub login').optional(),
  bluesky: line(253, 'Bluesky handle').optional(),
  slack: line(40, 'Slack user id').optional(),
  telegram: line(40, 'Telegram id').optional(),
});

/** When a conversation with this persona has gone on long enough; what is left out is as for everybody (TG-13). */
const ConversationLimits = z.strictObject({
  replies: z.number().int().min(1).max(20).optional().describe('Own replies in one exchange'),
  depth: z.number().int().min(2).max(40).optional().describe('Comments in one exchange'),
  silenceMinutes: minutes('A person who speaks after so many minutes begins a new exchange'),
  unansweredMinutes: minutes('After so many minutes without an answer the exchange is over'),
});

/** The structured part of a persona's file. */
export const PersonaFrontMatter = z.strictObject({
  handle: Handle,
  name: line(60, 'Display name'),
  role: line(80, 'What this persona does in the team; its words also find it'),
  team: Team.describe('engineering reviews, board advises, crew does the work'),
  active: z.boolean().default(true).describe('false takes the persona out of the team'),
  avatar: z
    .url({ protocol: /^https$/ })
    .optional()
    .describe('https address of a picture'),
  lens: line(400, 'What this persona checks for'),
  domains: words('Keywords that score how relevant this persona is to a change'),
  triggers: z.array(RunTrigger).default([]).describe('The runs that this persona joins'),
  lead: z.boolean().default(false).describe('true for the one that closes a discussion'),
  model: z
    .union([line(60, 'Name or alias from the model pool'), InlineModel])
    .default('standard')
    .describe('Name or alias from the model pool, or a model written out'),
  systemPromptOverride: z
    .string()
    .min(1)
    .max(20_000)
    .optional()
    .describe('Used instead of everything else; only the safety preamble is added'),
  style: Style.prefault({}).describe('How this persona writes'),
  relationships: z
    .record(Handle, Relationship)
    .default({})
    .describe('Seed values towards other personas, by handle'),
  conversation: ConversationLimits.optional().describe('When this persona stops replying'),
  voice: SpokenVoice.prefault({}).describe('How this persona sounds in spoken standups'),
  identities: Identities.prefault({}).describe('Who this persona is on each platform'),
});
export type PersonaFrontMatter = z.infer<typeof PersonaFrontMatter>;

interface Opinion {
  domain: string;
  text: string;
}

/** Something this persona would never write, and the reason. */
interface NeverSays {
  line: string;
  why: string;
}

/** The prose of a persona's file, section by section; an absent section is empty. */
export interface PersonaSections {
  whoIAm: string;
  worldview: string;
  opinions: readonly Opinion[];
  expertise: string;
  tensions: string;
  boundaries: string;
  petPeeves: string;
  wouldSay: readonly string[];
  wouldNeverSay: readonly NeverSays[];
  modes: Readonly<Partial<Record<RunTrigger, string>>>;
  /** What it looks for past its own task, in standups. */
  overwatch: string;
  /** Operational sentences with their placeholders; an absent one falls back to the built-in. */
  phrases: Readonly<Partial<Record<PhraseName, string>>>;
}

/** One agent identity: front matter and prose. Immutable to agents (spec TG-1). */
export type Persona = Readonly<PersonaFrontMatter> &
  PersonaSections & {
    /** The alias of its file, where a repository's settings put a model in its place. */
    readonly tier?: ModelAlias;
  };
