/** What each action takes and brings: `action.yml` is made from this, and inputs are checked against it. */
import { ONE_JOB_ACTIONS, TOKEN } from './one-job-specs.ts';

export interface InputSpec {
  description: string;
  default?: string;
  isRequired?: true;
  values?: readonly string[];
}

export interface ActionSpec {
  name: string;
  description: string;
  /** Which power this job uses; an action never uses two. None for an action of one job. */
  steps: readonly ActionStep[];
  /** Events of workflows that it acts on; it refuses others. */
  events: readonly string[];
  inputs: Readonly<Record<string, InputSpec>>;
  outputs: Readonly<Record<string, string>>;
}

export type ActionStep = 'claim' | 'agent' | 'verify' | 'apply';
export type ActionName =
  | 'review'
  | 'deliberate'
  | 'command'
  | 'task'
  | 'code'
  | 'merge'
  | 'approval-gate'
  | 'sweep'
  | 'memory'
  | 'announce'
  | 'standup';

const SHARED = {
  step: {
    description:
      'Which power this job uses: `claim` reserves the event, `agent` runs the models and writes nothing, `apply` writes what was checked.',
    isRequired: true,
    values: ['claim', 'agent', 'apply'],
  },
  'github-token': TOKEN,
  claim: { description: 'The output `claim` of the claim job. Needed by `agent` and `apply`.' },
  digest: { description: 'The output `digest` of the agent job. Needed by `apply`.' },
  artifact: {
    description: 'Name of the artifact that carries `intents.json` from `agent` to `apply`.',
    default: 'quorum-intents',
  },
  'time-limit-minutes': {
    description: 'Time limit of the whole workflow. The claim is held for so long.',
    default: '45',
  },
} as const satisfies Record<string, InputSpec>;

const JOB_MINUTES: InputSpec = {
  description:
    'Of `agent`: `timeout-minutes` of its job. The coder stops ten minutes earlier, so that the job can still hand over what it did.',
  default: '60',
};

const OUTPUTS = {
  proceed: 'Of `claim`: `true` when the following jobs have something to do.',
  claim: 'Of `claim`: what the other jobs work under, as JSON.',
  digest: 'Of `agent`: SHA-256 of `intents.json`.',
  verdict: 'Of `agent` and `apply`: what the team concluded, or `NONE`.',
  cost: 'Of `agent`: US dollars for models.',
  written: 'Of `apply`: number of writes that were carried out.',
} as const;

export const ACTIONS: Readonly<Record<ActionName, ActionSpec>> = {
  ...ONE_JOB_ACTIONS,
  review: {
    name: 'Quorum review',
    description: 'The team reviews a pull request.',
    steps: ['claim', 'agent', 'apply'],
    events: ['pull_request', 'workflow_run', 'workflow_dispatch'],
    inputs: {
      ...SHARED,
      pr: { description: 'Number of the pull request, where the event names none.' },
      personas: { description: 'Handles of the personas that review, separated by commas.' },
    },
    outputs: {
      ...OUTPUTS,
      findings: 'Of `agent`: number of findings.',
      sarif: 'Of `agent`: path of a SARIF file with the findings.',
    },
  },
  deliberate: {
    name: 'Quorum deliberate',
    description: 'The team discusses an issue and concludes with a verdict.',
    steps: ['claim', 'agent', 'apply'],
    events: ['issues', 'workflow_dispatch'],
    inputs: {
      ...SHARED,
      issue: { description: 'Number of the issue, where the event names none.' },
    },
    outputs: OUTPUTS,
  },
  command: {
    name: 'Quorum command',
    description: 'Answers a comment that addresses the team, such as `/pm status`.',
    steps: ['claim', 'agent', 'apply'],
    events: ['issue_comment', 'pull_request_review_comment'],
    inputs: SHARED,
    outputs: OUTPUTS,
  },
  task: {
    name: 'Quorum task',
    description: 'A task of a plan becomes a pull request whose tests pass.',
    steps: ['claim', 'agent', 'verify', 'apply'],
    events: ['workflow_dispatch'],
    inputs: {
      ...SHARED,
      step: {
        description:
          'Which power this job uses: `claim` takes the lease, `agent` lets the coder work, `verify` runs the tests of the repository, `apply` pushes and opens the pull request.',
        isRequired: true,
        values: ['claim', 'agent', 'verify', 'apply'],
      },
      digest: {
        description: 'The output `digest` of the agent job. Needed by `verify` and `apply`.',
      },
      artifact: {
        description: 'Name of the artifact that carries the change from `agent` to the other jobs.',
        default: 'quorum-task',
      },
      'time-limit-minutes': {
        description: 'Time limit of the whole workflow. The lease is held for so long.',
        default: '120',
      },
      'job-minutes': JOB_MINUTES,
      plan: { description: 'Number of the issue that holds the plan. Needed by `claim`.' },
      task: { description: 'Number of the task in the plan. Needed by `claim`.' },
      proof: { description: 'The output `proof` of the verify job. Needed by `apply`.' },
    },
    outputs: {
      proceed: OUTPUTS.proceed,
      claim: OUTPUTS.claim,
      digest: 'Of `agent`: SHA-256 of what it hands over.',
      cost: OUTPUTS.cost,
      session: 'Of `agent`: id of the session of the coder.',
      proof: 'Of `verify`: what the gates say, as JSON.',
      status: 'Of `apply`: `in-review`, or `given-back`.',
      pr: 'Of `apply`: number of the pull request.',
      review:
        'Of `apply`: what `action/review` works under to review the pull request, as JSON. Empty where there is nothing to review.',
      written: OUTPUTS.written,
    },
  },
  code: {
    name: 'Quorum code',
    description:
      'Writes the code of a task for the App, which asks for it by a repository dispatch.',
    steps: ['agent'],
    events: ['repository_dispatch'],
    inputs: {
      step: {
        description: 'Which power this job uses: `agent` lets the coder work and writes nothing.',
        isRequired: true,
        values: ['agent'],
      },
      'github-token': TOKEN,
      app: {
        description:
          'Numeric id of the account of the App, as `quorum doctor` shows it. Dispatches of everybody else are refused.',
        isRequired: true,
      },
      'job-minutes': JOB_MINUTES,
    },
    outputs: {
      digest: 'SHA-256 of what it hands over.',
      cost: 'US dollars for models.',
      session: 'Id of the session of the coder.',
    },
  },
  standup: {
    name: 'Quorum standup',
    description: 'The participants of a plan look back on it and say what conflicts.',
    steps: ['claim', 'agent', 'apply'],
    events: ['workflow_dispatch', 'pull_request_review'],
    inputs: {
      ...SHARED,
      step: {
        ...SHARED.step,
        description:
          'Which power this job uses: `claim` reserves the standup, `agent` asks the participants and writes nothing, `apply` checks and shows what they said.',
      },
      artifact: {
        description: 'Name of the artifact that carries the answers from `agent` to `apply`.',
        default: 'quorum-standup',
      },
      plan: { description: 'Number of the issue that holds the plan. Needed by `claim`.' },
      when: {
        description:
          '`ended` holds a standup once a plan has ended, `now` before that or once more. Read by `claim`.',
        default: 'ended',
        values: ['ended', 'now'],
      },
    },
    outputs: {
      proceed: OUTPUTS.proceed,
      claim: OUTPUTS.claim,
      digest: 'Of `agent`: SHA-256 of the answers.',
      cost: OUTPUTS.cost,
      insights: 'Of `apply`: number of tensions that are shown.',
      written: OUTPUTS.written,
    },
  },
  sweep: {
    name: 'Quorum sweep',
    description:
      'One pass of the loops that the clock starts: lost events, stale claims, plans, the memory, the weekly digest, the code watch.',
    steps: ['claim', 'agent', 'apply'],
    events: ['schedule', 'workflow_dispatch'],
    inputs: {
      ...SHARED,
      digest: { description: 'The output `digest` of the agent job. Needed by `apply`.' },
      artifact: {
        description: 'Name of the artifact that carries the intents from `agent` to `apply`.',
        default: 'quorum-sweep',
      },
      'time-limit-minutes': {
        description: 'Time limit of the whole workflow. The claims are held for so long.',
        default: '60',
      },
      loops: {
        description:
          'Loops to run, separated by commas: `reconcile`, `stale-claims`, `plans`, `memory`, `weekly`, `code-watch`. All by default.',
      },
      repository: {
        description:
          'The repository to sweep, as `owner/name`. Only that of the workflow is possible.',
      },
      'dry-run': {
        description: 'Whether `claim` only tells what it would do.',
        default: 'false',
        values: ['true', 'false'],
      },
      'max-usd': {
        description: 'No event is begun after a pass has spent so much, in US dollars.',
        default: '5',
      },
    },
    outputs: {
      proceed: OUTPUTS.proceed,
      claim: OUTPUTS.claim,
      digest: 'Of `agent`: digests of what it hands over, as JSON.',
      cost: OUTPUTS.cost,
      written: OUTPUTS.written,
    },
  },
  merge: {
    name: 'Quorum merge',
    description:
      'The pull request of a task is merged when everything that its merge needs is there.',
    steps: ['claim', 'verify', 'apply'],
    events: ['pull_request_review', 'workflow_dispatch'],
    inputs: {
      step: {
        description:
          'Which power this job uses: `claim` finds out what the merge needs, `verify` runs the tests of the repository on its result, `apply` merges.',
        isRequired: true,
        values: ['claim', 'verify', 'apply'],
      },
      'github-token': TOKEN,
      claim: {
        description: 'The output `claim` of the claim job. Needed by `verify` and `apply`.',
      },
      'time-limit-minutes': {
        description: 'Time limit of the whole workflow. The claim is held for so long.',
        default: '60',
      },
      pr: { description: 'Number of the pull request, where the event names none.' },
      proof: { description: 'The output `proof` of the verify job. Needed by `apply`.' },
    },
    outputs: {
      proceed: OUTPUTS.proceed,
      claim: OUTPUTS.claim,
      retest: 'Of `claim`: `true` when the tests have to run on what the merge would give.',
      proof: 'Of `verify`: how the tests ended, as JSON.',
      status: 'Of `apply`: `merged`, `waiting`, `given-back`, `done-before` or `left-to-app`.',
      plan: "Of `apply`: number of the plan's issue.",
      written: OUTPUTS.written,
    },
  },
};

/** Where workflows keep their state. */
export const MEMORY_BRANCH = 'quorum/memory';
