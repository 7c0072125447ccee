/** The files that `quorum init` makes: configuration, workflows and two issue templates. Pure: same choices, same bytes. */
import { CONFIG_FILE } from '../config/config-file.ts';
import type { DetectedProject } from './detect-project.ts';
import { pageAddress, schemaAddress, workflowAddress, type ProductPin } from './product-pin.ts';
import { sealText } from './seal.ts';

export const WORKFLOW_FILE = '.github/workflows/quorum.yml';
const TASK_FILE = '.github/workflows/quorum-task.yml';
const MERGE_FILE = '.github/workflows/quorum-merge.yml';
/** The workflow that the App starts; it looks for this path. */
export const CODE_FILE = '.github/workflows/quorum-code.yml';
const SWEEP_FILE = '.github/workflows/quorum-sweep.yml';
const PLAN_TEMPLATE = '.github/ISSUE_TEMPLATE/quorum-plan.yml';
const TOPIC_TEMPLATE = '.github/ISSUE_TEMPLATE/quorum-deliberate.yml';
/** Every path that `quorum init` may make, and `quorum uninstall` may remove. */
export const SETUP_PATHS: readonly string[] = [
  CONFIG_FILE,
  WORKFLOW_FILE,
  TASK_FILE,
  MERGE_FILE,
  SWEEP_FILE,
  CODE_FILE,
  PLAN_TEMPLATE,
  TOPIC_TEMPLATE,
];

export const MODEL_SECRETS = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'] as const;
export type ModelSecret = (typeof MODEL_SECRETS)[number];

/** Workflows that not every repository needs. */
export const MORE_WORKFLOWS = ['tasks', 'sweeps', 'code'] as const;
export type MoreWorkflow = (typeof MORE_WORKFLOWS)[number];

export interface SetupChoices {
  pin: ProductPin;
  /** Secrets of the repository that its models need; with none, Quorum answers by offline rules. */
  secrets: readonly ModelSecret[];
  /** Most that discussions may cost in a day, in US dollars. */
  perDayUsd: number;
  hasTemplates: boolean;
  /** None by default: the one workflow does what events ask for. */
  more?: readonly MoreWorkflow[];
  /** Number of the account of the App that `code` works for; a placeholder when absent. */
  appId?: string;
  /** Of the pull request that brings the workflow. */
  branch: string;
}

export interface SetupFile {
  path: string;
  text: string;
}

export function setupFiles(choices: SetupChoices, project: DetectedProject): SetupFile[] {
  const files = [
    { path: CONFIG_FILE, text: sealText(configText(choices, project), 1) },
    { path: WORKFLOW_FILE, text: sealText(workflowText(choices)) },
    ...moreWorkflows(choices),
  ];
  if (!choices.hasTemplates) return files;
  return [
    ...files,
    { path: PLAN_TEMPLATE, text: sealText(PLAN_TEXT) },
    { path: TOPIC_TEMPLATE, text: sealText(TOPIC_TEXT) },
  ];
}

function configText({ pin, perDayUsd }: SetupChoices, project: DetectedProject): string {
  const reference = pageAddress(pin, 'docs/configuration-reference.md');
  return `# yaml-language-server: $schema=${schemaAddress(pin)}
# Every key is optional; these have the values that people change first. All of them: ${reference}
version: 1

council:
  mode: blind # in round 1 nobody sees the others; single: one reviewer

budget:
  council:
    perDayUsd: ${perDayUsd} # discussions stop for the day at this sum

merge:
  mode: command # a person comments /pm merge; auto: as soon as everything holds
${gatesText(project)}`;
}

function gatesText({ test, isEmpty, isMonorepo }: DetectedProject): string {
  if (test !== undefined)
    return `
# Found without a setting, and used to check each task: ${test}
# gates:
#   testCommand: ${test}
`;
  const why = isEmpty
    ? 'There is no code yet.'
    : isMonorepo
      ? 'No tests were found at the top of this repository.'
      : 'No tests were found.';
  return `
# ${why} A task needs a command that runs them, or the line \`tests: none\`:
# gates:
#   testCommand: make test
`;
}

/**
 * At most 15 lines with the seal, so that people read it whole before they merge it. Prettier would make more of them and
 * break the seal.
 */
function workflowText({ pin, secrets, branch }: SetupChoices): string {
  const lines = [
    'name: quorum',
    '# prettier-ignore',
    'on:',
    '  issues: { types: [opened, edited, labeled, closed, reopened] }',
    '  issue_comment: { types: [created, edited] }',
    '  pull_request: { types: [opened, synchronize, reopened, ready_for_review, labeled, closed] }',
    // The run for a fork's pull request gets no secrets; its review comes after that run.
    '  workflow_run: { workflows: [quorum], types: [completed] }',
    '# prettier-ignore',
    'jobs:',
    '  quorum:',
    // GitHub runs `pull_request` from the branch: its own pull request would start it before the merge.
    `    if: github.head_ref != '${branch}'`,
    // A called job has no more than its caller gives: the last one starts the workflow of a task.
    '    permissions: { actions: write, checks: write, contents: write, issues: write, pull-requests: write, statuses: read }',
    `    uses: ${workflowAddress(pin)}`,
    `    secrets: { ${passSecrets(secrets)} }`,
  ];
  return `${lines.join('\n')}\n`;
}

function passSecrets(secrets: readonly ModelSecret[]): string {
  return namesOf([...secrets, 'QUORUM_ENCRYPTION_KEY']);
}

function namesOf(secrets: readonly string[]): string {
  // In quotes: braces would end the mapping.
  return secrets.map((name) => `${name}: '\${{ secrets.${name} }}'`).join(', ');
}

function moreWorkflows({ more = [], pin, secrets, appId }: SetupChoices): SetupFile[] {
  // A task ends with its merge, so that one choice brings both.
  const texts: Readonly<Record<MoreWorkflow, readonly (readonly [path: string, text: string])[]>> =
    {
      tasks: [
        [TASK_FILE, taskText(pin, secrets)],
        [MERGE_FILE, mergeText(pin, secrets)],
      ],
      sweeps: [[SWEEP_FILE, sweepText(pin, secrets)]],
      code: [[CODE_FILE, codeText({ pin, secrets, appId: appId ?? NO_APP_ID })]],
    };
  return MORE_WORKFLOWS.filter((name) => more.includes(name))
    .flatMap((name) => texts[name])
    .map(([path, text]) => ({ path, text: sealText(text) }));
}

function taskText(pin: ProductPin, secrets: readonly ModelSecret[]): string {
  const lines = [
    'name: quorum-task',
    '# prettier-ignore',
    'on:',
    '  workflow_dispatch:',
    '    inputs:',
    '      plan: { description: Number of the issue that holds the plan, required: true, type: string }',
    '      task: { description: Number of the task in the plan, required: true, type: string }',
    '# prettier-ignore',
    'jobs:',
    '  task:',
    '    permissions: { actions: read, checks: write, contents: write, issues: write, pull-requests: write, statuses: read }',
    `    uses: ${workflowAddress(pin, 'quorum-task.yml')}`,
    "    with: { plan: '${{ inputs.plan }}', task: '${{ inputs.task }}' }",
    `    secrets: { ${passSecrets(secrets)} }`,
  ];
  return `${lines.join('\n')}\n`;
}

function mergeText(pin: ProductPin, secrets: readonly ModelSecret[]): string {
  const lines = [
    'name: quorum-merge',
    '# prettier-ignore',
    'on:',
    '  pull_request_review: { types: [submitted] }',
    '  workflow_dispatch:',
    '    inputs:',
    '      pr: { description: Number of the pull request, required: true, type: string }',
    '# prettier-ignore',
    'jobs:',
    '  merge:',
    '    permissions: { actions: write, checks: write, contents: write, issues: write, pull-requests: write, statuses: read }',
    `    uses: ${workflowAddress(pin, 'quorum-merge.yml')}`,
    "    with: { pr: '${{ inputs.pr }}' }",
    `    secrets: { ${passSecrets(secrets)} }`,
  ];
  return `${lines.join('\n')}\n`;
}

/** For a person to replace. The workflow refuses it. */
const NO_APP_ID = 'replace-this-with-the-id-that-quorum-doctor-shows';

/** The job gets the keys of models and nothing that signs: `quorum-code.yml` would refuse another secret. */
function codeText({
  pin,
  secrets,
  appId,
}: Required<Pick<SetupChoices, 'pin' | 'secrets' | 'appId'>>): string {
  const lines = [
    'name: quorum-code',
    '# The App finds the run of its dispatch by this title.',
    'run-name: quorum-code ${{ github.event.client_payload.key }}',
    '# prettier-ignore',
    'on:',
    '  repository_dispatch: { types: [quorum-code] }',
    '# prettier-ignore',
    'jobs:',
    '  code:',
    '    permissions: { contents: read, issues: read, pull-requests: read }',
    `    uses: ${workflowAddress(pin, 'quorum-code.yml')}`,
    `    with: { app: '${appId}' }`,
    ...(secrets.length === 0 ? [] : [`    secrets: { ${namesOf(secrets)} }`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** A minute that is not the full hour, when GitHub starts most schedules late. */
function sweepText(pin: ProductPin, secrets: readonly ModelSecret[]): string {
  const lines = [
    'name: quorum-sweep',
    '# prettier-ignore',
    'on:',
    "  schedule: [{ cron: '17 * * * *' }]",
    '  workflow_dispatch: { inputs: { loops: { type: string }, repository: { type: string }, dry-run: { type: boolean } } }',
    '# prettier-ignore',
    'jobs:',
    '  sweep:',
    '    permissions: { actions: write, checks: write, contents: write, issues: write, pull-requests: write }',
    `    uses: ${workflowAddress(pin, 'quorum-sweep.yml')}`,
    "    with: { loops: '${{ inputs.loops }}', repository: '${{ inputs.repository }}', dry-run: '${{ inputs.dry-run || false }}' }",
    `    secrets: { ${passSecrets(secrets)} }`,
  ];
  return `${lines.join('\n')}\n`;
}

const PLAN_TEXT = `name: Plan
description: Work cut into tasks that the team and people can take one by one.
# prettier-ignore
title: '[PLAN] '
labels: [plan]
body:
  - type: textarea
    id: plan
    attributes:
      label: Plan
      description: Keep the headings. A task needs a number and a title; everything else has a default.
      value: |
        # [PLAN] Title

        ## Goal

        One sentence.

        ## Context

        Background, links.

        ## Tasks

        ### Task 1: Short title

        **Status:** pending
        **Assignee:**
        **Estimate:** 2-5 min
        **Dependencies:** none
        **Files:**

        - \`path/to/file.ts\` - what changes

        **Description:**

        What to do, and how to tell that it is done.

        ## Verification

        - [ ] All tasks completed
        - [ ] Tests pass
    validations:
      required: true
`;

const TOPIC_TEXT = `name: Ask the team
description: A question or an idea that Quorum discusses. Starts when somebody with the triage role sets the label.
labels: [deliberate]
body:
  - type: textarea
    id: what
    attributes:
      label: What should change, or what do you want to know?
      description: Say what you see today and what you want instead.
    validations:
      required: true
  - type: textarea
    id: done
    attributes:
      label: How can somebody else tell that it is done?
`;
