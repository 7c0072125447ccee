/** Runs the base's tests on a pull request's head that nobody here wrote, after a person allowed exactly that commit. */
import type { EffectData } from '../../domain/event/effect.ts';
import type { CheckWanted } from '../../domain/event/effect-values.ts';
import type { Config } from '../../domain/config/config.ts';
import type { Judgement } from '../../domain/gates/receipt.ts';
import { HEAD_TESTS_CHECK } from '../../domain/task/check-names.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import { pullsAt, type ActPorts, type Performed } from '../ports.ts';
import type { ReadSettings } from '../settings/read-settings.ts';
import { settingsNow } from '../read/survey.ts';
import { commandsOf } from './gates.ts';
import { testCommit } from './test-commit.ts';
import type { FillProject } from './coder/project.ts';
import type { ConcurrencyLimit } from './coder/concurrency-limit.ts';
import { workAt, type CodingRuntime } from './coder/coding-runtime.ts';

type TestHead = Extract<EffectData, { kind: 'test-head' }>;

interface Context {
  ports: ActPorts;
  readSettings: ReadSettings;
  fillProject: FillProject;
  turns: ConcurrencyLimit;
}

type Said = Pick<Judgement, 'result' | 'sentence' | 'log'>;

/**
 * The result is a check on that head. If the pull request has moved on, nothing runs. The code runs in the sandbox without
 * credentials, and its tests run without the network, whatever `gates.testNetwork` says. Only fetching dependencies uses
 * the network.
 */
export async function testHead(data: TestHead, context: Context): Promise<Performed<'test-head'>> {
  const { thread, headSha } = data;
  const { ports } = context;
  const session = workAt(ports, thread);
  const repository = toRepositoryRef(thread);
  const pull = await pullsAt(ports, thread).pulls.pull(thread);
  const isIt = pull.state === 'open' && pull.headSha === headSha;
  if (isIt) {
    const said = await runHere(data, pull.baseSha, context);
    await session.write.ensureChecks({ repository, headSha, checks: [toCheck(said, data)] });
  }
  const result = { outcome: isIt ? ('told' as const) : ('moved' as const) };
  return { effectKind: 'test-head', result, githubCalls: session.counts };
}

async function runHere(data: TestHead, baseSha: string, context: Context): Promise<Said> {
  const { ports, readSettings } = context;
  const { codingRuntime } = ports;
  if (codingRuntime === undefined)
    return failed('The tests could not run: this host runs no code (QUORUM_CODER is not set).');
  const session = workAt(ports, data.thread);
  const { config } = await settingsNow(data.thread, session, { readSettings });
  if (config.coder.sandbox === 'off')
    return failed(
      'The tests did not run: `coder.sandbox` is off, and a head that a person allowed runs only in the sandbox.',
    );
  return runInSandbox(data, { baseSha, config, codingRuntime }, context);
}

interface Place {
  baseSha: string;
  config: Config;
  codingRuntime: CodingRuntime;
}

async function runInSandbox(
  { thread, headSha: sha }: TestHead,
  { baseSha, config: given, codingRuntime }: Place,
  context: Context,
): Promise<Said> {
  const { git } = codingRuntime;
  const repository = toRepositoryRef(thread);
  const config: Config = { ...given, gates: { ...given.gates, testNetwork: false } };
  const found = await commandsOf(repository, { git, baseSha, config });
  if (found.test === undefined)
    return failed('There is no test command at the base (`gates.testCommand`).');
  const commit = {
    repository,
    kind: 'head' as const,
    number: thread.number,
    sha,
    baseSha,
    found,
    config,
  };
  return testCommit(commit, codingRuntime, context);
}

function failed(sentence: string): Said {
  return { result: 'failed', sentence };
}

function toCheck({ result, sentence }: Said, { by }: TestHead): CheckWanted {
  return {
    name: HEAD_TESTS_CHECK,
    conclusion: result === 'passed' ? 'success' : 'failure',
    title: sentence.replaceAll('`', ''),
    summary: `\`${by}\` allowed this commit to run. It ran in the sandbox without credentials; the tests had no network.`,
  };
}
