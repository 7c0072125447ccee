/** What the actions of one job take and bring: none of them asks a model, and each has one power. */
import type { ActionName, ActionSpec, InputSpec } from './action-specs.ts';

export const TOKEN: InputSpec = {
  description: 'Token of this job. Give each job only the permissions that its step needs.',
  default: '${{ github.token }}',
};

type OneJob = Extract<ActionName, 'approval-gate' | 'memory' | 'announce'>;

export const ONE_JOB_ACTIONS: Readonly<Record<OneJob, ActionSpec>> = {
  'approval-gate': {
    name: 'Quorum approval gate',
    description: "Fails until enough people have approved an agent's pull request.",
    steps: [],
    events: [
      'pull_request',
      'pull_request_target',
      'pull_request_review',
      'workflow_run',
      'workflow_dispatch',
    ],
    inputs: {
      'github-token': TOKEN,
      pr: { description: 'Number of the pull request, where the event names none.' },
      approvals: {
        description: 'How many people with write access have to approve the head.',
        default: '1',
      },
      agents: {
        description:
          'Accounts that count as agents, separated by commas; `*` for every automated account.',
        default: 'github-actions[bot]',
      },
      siblings: {
        description:
          'Whether pull requests for tasks of one plan are counted `together` or `apart`. One approval of its own head is always needed.',
        default: 'together',
        values: ['together', 'apart'],
      },
      report: {
        description:
          'How the answer is reported: `exit` fails this job, `check` writes a check run on the head and needs `checks: write`.',
        default: 'exit',
        values: ['exit', 'check'],
      },
    },
    outputs: {
      passed: '`true` when the pull request passes.',
      approvals: 'Number of people whose approval counts.',
    },
  },
  memory: {
    name: 'Quorum memory',
    description: 'What a person decides about the memory of the team. Asks no model.',
    steps: [],
    events: ['workflow_dispatch'],
    inputs: {
      'github-token': TOKEN,
      do: {
        description:
          '`list` shows the entries, `approve` takes proposed ones into use, `reject` drops proposed ones, `forget` removes any.',
        default: 'list',
        values: ['list', 'approve', 'reject', 'forget'],
      },
      ids: { description: 'Ids of the entries, separated by commas.' },
    },
    outputs: { changed: 'Number of entries that were changed or removed.' },
  },
  announce: {
    name: 'Quorum announce',
    description: 'Tells the channels of a repository of something. Asks no model.',
    steps: [],
    events: ['workflow_dispatch', 'workflow_run', 'schedule', 'push', 'release'],
    inputs: {
      'github-token': TOKEN,
      event: {
        description: 'What happened; `channels` in the settings says which channel tells of it.',
        isRequired: true,
        values: ['verdict', 'merged', 'failed', 'needs-human', 'standup'],
      },
      text: { description: 'What to say about it, at most 2000 characters.', isRequired: true },
      number: { description: 'Number of the issue or pull request that it is about.' },
      title: { description: 'Its title.' },
      'dry-run': {
        description: 'Whether the summary shows the messages and none is sent.',
        default: 'false',
        values: ['true', 'false'],
      },
    },
    outputs: { sent: 'Number of channels that got the message.' },
  },
};
