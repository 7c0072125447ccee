/** What the pull requests of `quorum init`, `upgrade` and `uninstall` say: what was found, what happens, how to leave. */
import { codeSpan } from '../text/code-span.ts';
import { counted } from '../text/counted.ts';
import type { DetectedProject } from './detect-project.ts';
import { ROLE_PATHS } from '../memory/role/role-memory.ts';
import { isChange, type FileStep } from './plan-steps.ts';
import { pageAddress, type ProductPin } from './product-pin.ts';
import type { MoreWorkflow, SetupChoices } from './setup-files.ts';

export interface SetupFacts {
  project: DetectedProject;
  defaultBranch: string | undefined;
  /** The path of a configuration that is there already. */
  configFile: string | undefined;
  hasApp: boolean | undefined;
}

export interface SetupMessage {
  title: string;
  body: string;
}

/** Packages that are named one by one. */
const MAX_PACKAGES = 10;

const LANGUAGES: Readonly<Record<string, string>> = {
  node: 'Node.js',
  python: 'Python',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  ruby: 'Ruby',
};

/** One sentence a line, for the terminal and the pull request. */
export function detectedLines({ project, ...facts }: SetupFacts): string[] {
  const { defaultBranch, configFile, hasApp } = facts;
  return [
    kindLine(project),
    project.test === undefined
      ? 'Tests: none found; `gates.testCommand` names them'
      : `Tests: ${codeSpan(project.test)}`,
    ...(defaultBranch === undefined ? [] : [`Default branch: ${codeSpan(defaultBranch)}`]),
    configFile === undefined
      ? 'Configuration: none yet'
      : `Configuration: ${codeSpan(configFile)} is there and stays as it is`,
    ...(hasApp === undefined ? [] : [`The Quorum App: ${hasApp ? APP_WORKS : 'not seen here'}`]),
  ];
}

const APP_WORKS = 'works here already. It does the work, and the workflow then does nothing';

function kindLine({ types, packages, isMonorepo, isEmpty }: DetectedProject): string {
  if (isEmpty) return 'Project: no code yet';
  const languages = types.map((type) => LANGUAGES[type] ?? type).join(', ') || 'unknown language';
  if (!isMonorepo) return `Project: ${languages}`;
  const named = packages.slice(0, MAX_PACKAGES).map(codeSpan).join(', ');
  const more = packages.length - MAX_PACKAGES;
  const which = named === '' ? '' : `: ${named}${more > 0 ? ` and ${more} more` : ''}`;
  return `Project: monorepo, ${languages}, ${counted(packages.length, 'package')}${which}`;
}

function moreLines({ more = [] }: SetupChoices): string[] {
  const lines: Readonly<Record<MoreWorkflow, string>> = {
    tasks:
      'A person starts the workflow `quorum-task` for a task of a plan. It becomes a pull request, which `quorum-merge` merges once a person has approved it.',
    sweeps:
      'Every hour a sweep does what was lost, takes approved plans further, releases stale claims and searches new commits. It spends nothing when nothing changed.',
    code: 'The App starts the workflow `quorum-code` for the code of a task, and tests and pushes what it wrote. Dispatches of everybody else are refused.',
  };
  return more.map((name) => lines[name]);
}

/** Of the onboarding pull request. */
export function initMessage(
  choices: SetupChoices,
  facts: SetupFacts,
  steps: readonly FileStep[],
): SetupMessage {
  const { pin, secrets } = choices;
  const body = [
    'This pull request sets up [Quorum](' +
      pageAddress(pin, 'README.md') +
      '), a team of AI agents that discusses issues and reviews pull requests, while people decide. It runs in GitHub Actions; there is no server.',
    '### What was detected',
    list(detectedLines(facts)),
    '### What this adds',
    stepTable(steps),
    '### What happens after the merge',
    list([
      'Somebody with the `triage` role sets the label `deliberate` on an issue: the team discusses it in one comment and gives a verdict.',
      'Each pull request gets one review. A clean one gets a check and no comment. No run that starts in a fork gets a secret.',
      'People steer with comments such as `/pm help`, `/pm ask` and `/pm review`.',
      ...moreLines(choices),
      ...memoryLines(steps),
      secretLine(secrets),
      `Discussions cost at most $${choices.perDayUsd} a day.`,
    ]),
    '### What does not happen',
    list([
      'Nothing runs before you merge this: the workflow leaves out the branch of this pull request.',
      'Quorum never merges by itself unless you set `merge.mode: auto`.',
      'The job in which a model runs gets a read-only token. Other jobs write, and run neither a model nor code of the repository.',
      'Comments and labels of people without the `triage` role start nothing that costs money.',
    ]),
    '### Before you merge',
    beforeMerge(secrets),
    '### How to leave',
    'Close this pull request, and nothing has changed. After the merge, `quorum uninstall --pr` opens a pull request that removes these files again, except those that you edited.' +
      leaveMemory(steps),
    footer(pin),
  ].join('\n\n');
  return { title: 'Set up Quorum', body };
}

/** What is in the files of the PM and the Artist, where this adds them. */
function memoryLines(steps: readonly FileStep[]): string[] {
  const added = addedMemory(steps);
  if (added.length === 0) return [];
  const said = added.map((path) =>
    path === ROLE_PATHS.pm
      ? `The PM follows the workflows in ${codeSpan(path)} when it plans.`
      : `${codeSpan(path)} keeps what people decide about images.`,
  );
  return [
    `${said.join(' ')} Edit them like any other file. Quorum proposes new lines, and opens a pull request with those that a person approved.`,
  ];
}

function leaveMemory(steps: readonly FileStep[]): string {
  const added = addedMemory(steps);
  if (added.length === 0) return '';
  return ` Delete ${added.map(codeSpan).join(' or ')} at any time: Quorum then uses the text of its own version.`;
}

function addedMemory(steps: readonly FileStep[]): string[] {
  const paths: readonly string[] = Object.values(ROLE_PATHS);
  return steps.flatMap(({ kind, path }) =>
    kind === 'create' && paths.includes(path) ? [path] : [],
  );
}

function secretLine(secrets: readonly string[]): string {
  return secrets.length === 0
    ? 'Without the key of a model, Quorum answers by offline rules and says so.'
    : `Models are paid with your key: ${secrets.map(codeSpan).join(' or ')}.`;
}

function beforeMerge(secrets: readonly string[]): string {
  const wanted = [
    ...(secrets.length === 0
      ? []
      : [
          `Add ${secrets.map(codeSpan).join(' or ')} under _Settings_, _Secrets and variables_, _Actions_. Without it the offline rules answer.`,
        ]),
    'Optional, but tasks need it: add the secret `QUORUM_ENCRYPTION_KEY`, any long random text. It signs what Quorum keeps.',
  ];
  return wanted.map((line) => `- [ ] ${line}`).join('\n');
}

/** Of the pull request that moves pins. */
export function upgradeMessage(pin: ProductPin, steps: readonly FileStep[]): SetupMessage {
  const body = [
    `This pull request moves Quorum to \`${pin.ref}\`. Only the lines that name a version change; your edits stay.`,
    stepTable(steps),
    `[What changed](${pageAddress(pin, 'CHANGELOG.md')})`,
    footer(pin),
  ].join('\n\n');
  return { title: `Move Quorum to ${pin.ref}`, body };
}

/** What no pull request can remove. */
export const LEFT_BEHIND: readonly string[] = [
  'the branch `quorum/memory` with what the team remembers, and refs below `refs/quorum/`',
  'labels, comments, checks and open pull requests that Quorum made',
  'secrets of the repository, such as `ANTHROPIC_API_KEY`',
  'the Quorum App, where it is installed: uninstall it under _Settings_, _GitHub Apps_',
];

export function uninstallMessage(steps: readonly FileStep[]): SetupMessage {
  const body = [
    'This pull request removes what `quorum init` made. After the merge Quorum does nothing here any more.',
    stepTable(steps),
    '### What stays',
    list(LEFT_BEHIND),
  ].join('\n\n');
  return { title: 'Remove Quorum', body };
}

const VERBS = {
  create: 'added',
  update: 'changed',
  delete: 'removed',
  unchanged: 'unchanged',
  kept: 'kept',
} as const;

function stepTable(steps: readonly FileStep[]): string {
  const rows = steps.map((step) => {
    const why = isChange(step) ? '' : `: ${step.why}`;
    return `| ${codeSpan(step.path)} | ${VERBS[step.kind]}${why} |`;
  });
  return ['| file | |', '| --- | --- |', ...rows].join('\n');
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function footer(pin: ProductPin): string {
  return `<sub>[Guide](${pageAddress(pin, 'docs/onboarding.md')}) · [configuration](${pageAddress(pin, 'docs/configuration-reference.md')}) · [security](${pageAddress(pin, 'docs/security.md')})</sub>`;
}
