/** The part of .github/quorum.yml about plans, code, gates, merging and paths. */
import * as z from 'zod';
import { patterns } from './config-paths.ts';
import { count, flag, list, text } from './config-team.ts';
import { DEFAULT_LABELS, Label } from '../repository/labels.ts';

export const PlansConfig = z.strictObject({
  leaseNamespace: z
    .enum(['refs/quorum/leases', 'refs/heads/quorum-lease'])
    .default('refs/quorum/leases')
    .describe('Where claims are held; the second for hosts that refuse the first'),
  leaseMinutes: count(1, 100_000, 'How long an unrenewed claim lasts').default(30),
  docsTasks: flag(false, 'Add tasks for an agents’ guide and SCENARIOS.md where they are missing'),
  qualityLoop: flag(
    false,
    'When a plan is complete, hold SCENARIOS.md against the code and propose a plan of what is missing',
  ),
  synthesise: flag(false, 'Make a plan from the open issues when there is no plan'),
  workspace: flag(
    false,
    'This repository belongs to the team: when nothing is left to do it opens an issue FINISHED, and begins nothing unasked while that is open',
  ),
  maxAttempts: count(1, 1_000, 'Attempts at one task (at most 3)').default(3),
  reviewers: list('GitHub logins asked to review the team’s pull requests', 20),
  askCollaborator: flag(
    true,
    'Ask one collaborator with write access, other than who asked for the work, where neither CODEOWNERS nor `reviewers` name anybody',
  ),
  conflicts: z
    .strictObject({ semantic: flag(false, 'Ask the PM model where paths alone show no conflict') })
    .prefault({})
    .describe('Warnings about threads that touch the same code'),
});

export const GatesConfig = z.strictObject({
  tests: z
    .enum(['required', 'none'])
    .default('required')
    .describe('none: a repository without a test command may go on'),
  testCommand: text(300, 'Replaces the command that is found by project type').optional(),
  testTimeoutSeconds: count(1, 1_000_000, 'How long the tests may take').default(120),
  testNetwork: flag(false, 'Tests may use the network'),
  maxChangedLines: count(1, 1_000_000_000, 'Largest diff of one task').default(2_000),
  maxBinaryKb: count(0, 1_000_000_000, 'Largest binary file of one task, in kilobytes').default(
    500,
  ),
});

export const MergeConfig = z.strictObject({
  mode: z
    .enum(['command', 'auto', 'never'])
    .default('command')
    .describe('command: a person says /pm merge; auto: as soon as everything holds'),
  method: z.enum(['squash', 'merge', 'rebase']).default('squash').describe('GitHub’s merge method'),
  requesterMayApprove: z
    .boolean()
    .optional()
    .describe(
      'Whether who asked for the work may approve it; unset: only in a personal repository',
    ),
  deleteBranch: flag(true, 'Delete the branch after the merge'),
});

const McpServer = z.strictObject({
  environment: list('Names of the environment variables that the server gets', 50),
  hosts: list('Hosts that the server may reach', 50),
});

export const CoderConfig = z.strictObject({
  runner: z
    .enum(['actions', 'local', 'off'])
    .optional()
    .describe(
      'Where code is written: in a workflow of this repository, or on the machine of the App; unset: as QUORUM_CODER says',
    ),
  sandbox: z
    .enum(['on', 'off'])
    .default('on')
    .describe('off, where the host says QUORUM_SANDBOX=off too: nothing is sandboxed'),
  maxTurns: count(1, 1_000_000, 'Turns of one task').default(10),
  timeoutMinutes: count(1, 1_000_000, 'Time of one task').default(30),
  model: text(120, 'Name from the model pool').optional(),
  initCommand: text(300, 'Replaces how dependencies are installed').optional(),
  preBuildCommand: text(300, 'Runs before the build').optional(),
  worktreeLimitMb: count(
    10,
    1_000_000_000,
    'Disk that worktrees of the installation may use, in megabytes',
  ).default(2_000),
  mcp: z
    .record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), McpServer)
    .default({})
    .describe('Servers declared by the repository that the Coder may use'),
});

export const PathsConfig = z.strictObject({
  protected: patterns(
    'Paths that agents may not change, besides the built-in ones (patterns as in .gitignore, letters of any case)',
  ),
  unprotected: patterns(
    'Built-in protected paths that agents may change without being named in the plan; never what only people change',
  ),
  ignored: patterns('Paths that reviews leave out (patterns as in .gitignore)'),
});

// GitHub refuses names over 50 characters.
const labelName = text(50, 'Name of the label in this repository');

/** Renames of labels; each key is a default name. */
export const LabelsConfig = z
  .partialRecord(Label, labelName)
  .default({})
  .describe('Renamed labels, by their default names')
  .transform((renamed): Readonly<Record<Label, string>> => ({ ...DEFAULT_LABELS, ...renamed }));
