/** `quorum init`: says what it found, writes what a repository needs, and never changes what a person wrote. */
import { readRoleDefaults } from '../../../adapters/files/role-defaults.ts';
import {
  CONFIG_FILES,
  chooseConfigFile,
  resolveConfig,
} from '../../../domain/config/config-file.ts';
import { ConfigError } from '../../../domain/event/errors.ts';
import { detectProject } from '../../../domain/setup/detect-project.ts';
import { MEMORY_FILES, planMemory } from '../../../domain/setup/memory-files.ts';
import { planInit } from '../../../domain/setup/plan-steps.ts';
import {
  CODE_FILE,
  setupFiles,
  WORKFLOW_FILE,
  type SetupChoices,
} from '../../../domain/setup/setup-files.ts';
import { detectedLines, initMessage, type SetupFacts } from '../../../domain/setup/setup-text.ts';
import type { SetupLook } from '../../../ports/setup-target.ts';
import type { InitFlags } from './flags.ts';
import { renderProblems } from '../render-problems.ts';
import type { ExitCode, Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';
import type { Prompts } from '../terminal/prompts.ts';
import { carryOut } from './carry-out.ts';
import { askChoices, choicesFrom } from './choose.ts';
import { askSource, findSource, type Source } from './find-source.ts';
import { branchOf, lookAt, openTarget } from './open-target.ts';

export async function init(given: InitFlags, io: Io): Promise<ExitCode> {
  const wants = choicesFrom(given);
  const prompts = given.yes === true || given.json === true ? undefined : await io.prompts?.();
  const flags = prompts === undefined ? given : await askWhere(given, prompts);
  const target = await openTarget(flags, io, 'init');
  const look = await lookAt(target, MEMORY_FILES);
  const found = findSource(flags, look.repository);
  const source = prompts === undefined ? found : await askSource(found, prompts);
  const facts = factsOf(look, flags.force === true);
  if (flags.json !== true) io.out(renderFacts(look, facts, io));
  const chosen = prompts === undefined ? wants : await askChoices(flags, prompts);
  const choices: SetupChoices = { ...chosen, pin: source, branch: branchOf(flags, 'init') };
  const steps = [
    ...planInit(setupFiles(choices, facts.project), look.texts, flags.force === true),
    ...planMemory(await readRoleDefaults(), look),
  ];
  return carryOut(
    target,
    {
      steps,
      ...initMessage(choices, facts, steps),
      nothing: 'Nothing to do: this repository is set up.',
      question: flags.pr === true ? 'Open the pull request?' : 'Write these files?',
      next: nextSteps(flags, choices, source),
      json: { repository: look.repository, source, detected: facts },
      needsYes: false,
    },
    { flags, io },
  );
}

async function askWhere(flags: InitFlags, prompts: Prompts): Promise<InitFlags> {
  if (flags.pr === true) return flags;
  const where = await prompts.select({
    message: 'Where should the files go?',
    options: [
      { value: 'disk', label: 'into this working tree', hint: 'you commit them' },
      { value: 'pull', label: 'into a pull request on GitHub', hint: 'with your own token' },
    ],
    initial: 'disk',
  });
  return where === 'pull' ? { ...flags, pr: true } : flags;
}

/** ConfigError `config-invalid` or `ambiguous-config`: a second file would not make a broken one work. */
function factsOf(look: SetupLook, isForced: boolean): SetupFacts {
  const choice = chooseConfigFile(CONFIG_FILES.filter((file) => look.texts.has(file)));
  if (choice.kind === 'refused')
    throw new ConfigError({
      code: choice.problem.code,
      message: `${choice.problem.file} ${choice.problem.message}.`,
    });
  const configFile = choice.kind === 'file' ? choice.file : undefined;
  if (configFile !== undefined && !isForced)
    assertSound(configFile, look.texts.get(configFile) ?? '');
  const project = detectProject({ paths: look.paths, texts: Object.fromEntries(look.texts) });
  return { project, defaultBranch: look.defaultBranch, configFile, hasApp: look.hasApp };
}

function assertSound(file: string, text: string): void {
  const { isValid, problems } = resolveConfig([{ origin: file, file, text }]);
  if (isValid) return;
  const plain = createPaint({ env: { NO_COLOR: '1' }, isTty: false });
  const errors = problems.filter(({ severity }) => severity === 'error');
  throw new ConfigError({
    code: 'config-invalid',
    message: `${file} has errors, so Quorum would not start. Correct it, or let --force replace it.`,
    details: renderProblems(errors, plain).trimEnd().replaceAll('\n', '\n  '),
  });
}

function renderFacts({ repository }: SetupLook, facts: SetupFacts, io: Io): string {
  const paint = createPaint(io);
  const lines = detectedLines(facts).map((line) => `  ${line.replaceAll('`', '')}\n`);
  return `${paint.bold(repository)}\n${lines.join('')}\n`;
}

function nextSteps(
  flags: InitFlags,
  { secrets, pin, more = [], appId }: SetupChoices,
  { certainty }: Source,
): string[] {
  const asked = `the workflow calls ${pin.repository}@${pin.ref}`;
  return [
    ...(certainty === 'guessed'
      ? [`check that ${pin.repository} is your copy of Quorum: ${asked}; --source names another`]
      : []),
    ...(certainty === 'unknown'
      ? [
          `name your copy of Quorum in ${WORKFLOW_FILE}, or run quorum init --force --source owner/name`,
        ]
      : []),
    ...(more.includes('code') && appId === undefined
      ? [`write the id that quorum doctor shows after app: in ${CODE_FILE}`]
      : []),
    ...secrets.map((name) => `add the secret ${name}: gh secret set ${name}`),
    flags.pr === true
      ? 'read and merge the pull request; nothing happens before'
      : 'commit the files and push them to the default branch',
    'then label an issue `deliberate`, or open a pull request',
  ];
}
