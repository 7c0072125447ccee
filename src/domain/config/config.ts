/** The schema of .github/quorum.yml: every key is optional and has its default here (spec 13). */
import * as z from 'zod';
import {
  AccessConfig,
  BudgetConfig,
  ChannelsConfig,
  ModelsConfig,
  QuietHoursConfig,
  SweepsConfig,
} from './config-limits.ts';
import {
  BoardConfig,
  CouncilConfig,
  JournalConfig,
  MemoryConfig,
  PersonasConfig,
  ReviewConfig,
  RoadmapConfig,
  StandupConfig,
} from './config-team.ts';
import {
  CoderConfig,
  GatesConfig,
  LabelsConfig,
  MergeConfig,
  PathsConfig,
  PlansConfig,
} from './config-work.ts';
import { hasPermission } from '../run/thread-ref.ts';
import type { Permission } from '../run/thread-ref.ts';

/** The only version of the configuration so far. */
export const CONFIG_VERSION = 1;

/** Another repository whose configuration is the base, written as Probot does. */
export const Extends = z
  .string()
  .regex(/^([\w.-]+\/)?[\w.-]+(:[\w./-]+)?$/, 'repo, owner/repo or repo:path')
  .describe('Another repository whose configuration is the base: repo, owner/repo or repo:path');

/** One repository's configuration, with defaults filled in. Read from the default branch only (spec 12). */
export const Config = z.strictObject({
  version: z.literal(CONFIG_VERSION).default(CONFIG_VERSION).describe('Version of this format'),
  _extends: Extends.optional(),
  enabled: z.boolean().default(true).describe('false stops everything in this repository'),
  council: CouncilConfig.prefault({}).describe('How the team discusses'),
  review: ReviewConfig.prefault({}).describe('Reviews of pull requests'),
  plans: PlansConfig.prefault({}).describe('Plans, tasks and claims'),
  gates: GatesConfig.prefault({}).describe('What a task must pass'),
  merge: MergeConfig.prefault({}).describe('When and how pull requests merge'),
  coder: CoderConfig.prefault({}).describe('How code is written'),
  models: ModelsConfig,
  budget: BudgetConfig.prefault({}).describe('Caps in US dollars'),
  access: AccessConfig.prefault({}).describe('Who may do what'),
  board: BoardConfig.prefault({}).describe('The board of directors'),
  standup: StandupConfig.prefault({}).describe('Looking back after work'),
  memory: MemoryConfig.prefault({}).describe('What is kept between threads'),
  journal: JournalConfig.prefault({}).describe('The story of each thread'),
  roadmap: RoadmapConfig.prefault({}).describe('Where the project is going'),
  channels: ChannelsConfig.prefault({}).describe('Slack, Bluesky and Telegram'),
  sweeps: SweepsConfig.prefault({}).describe('Loops that nothing triggers'),
  personas: PersonasConfig,
  labels: LabelsConfig,
  paths: PathsConfig.prefault({}).describe('Paths with rules of their own'),
  quietHours: QuietHoursConfig.prefault({}).describe('When nothing speaks unprompted'),
});
export type Config = z.infer<typeof Config>;

/**
 * The configuration of a repository that has no configuration file.
 *
 * @example
 * ```ts
 * import { defaultConfig } from 'quorum';
 *
 * console.log(defaultConfig().version); // 1
 * ```
 */
export function defaultConfig(): Config {
  return Config.parse({});
}

/** What a command asks for: information, money, or a change. */
export type CommandKind = 'read' | 'spend' | 'change';

/** The least that each kind may ask for, whatever is configured (spec 12: no setting makes strangers able to execute). */
export const PERMISSION_FLOOR: Readonly<Record<CommandKind, Permission>> = {
  read: 'read',
  spend: 'triage',
  change: 'write',
};

/** The permission that a command needs: its own setting, else its kind's, and never less than the floor. */
export function requiredPermission(
  access: Config['access'],
  command: string,
  kind: CommandKind,
): Permission {
  const own = Object.hasOwn(access.commands, command) ? access.commands[command] : undefined;
  const wanted = own ?? access[kind];
  return hasPermission(wanted, PERMISSION_FLOOR[kind]) ? wanted : PERMISSION_FLOOR[kind];
}
