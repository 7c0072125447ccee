/** Runs the base's tests on a pull request's head that nobody here wrote, after a person allowed exactly that commit. */
import type { CheckWanted, EffectData } from '../../domain/event/effect.ts';
import type { Config } from '../../domain/config/config.ts';
import type { Judgement } from '../../domain/gates/receipt.ts';
import { HEAD_TESTS_CHECK } from '../../domain/task/check-names.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import { pullsAt, type ActPorts, type Performed } from '../ports.ts';
import type { ReadSettings } from '../settings/read-settings.ts';
import { settingsNow } from '../read/survey.ts';
import { commandsOf, runTests } from './gates.ts';
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
 * The result is a check on that head, and nothing where the pull request has another head by now. The code runs in the
 * sandbox, without credentials and without the network, whatever the configuration says of tests of our own.
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
    return failed('The tests did not run: without a sandbox nobody else’s code is run here.');
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
  { fillProject, turns }: Context,
): Promise<Said> {
  const { git } = codingRuntime;
  const repository = toRepositoryRef(thread);
  const config: Config = { ...given, gates: { ...given.gates, testNetwork: false } };
  const found = await commandsOf(repository, { git, baseSha, config });
  if (found.test === undefined)
    return failed('There is no test command at the base (`gates.testCommand`).');
  const { signal } = new AbortController();
  const branch = `quorum/head-${thread.number}`;
  const name = `head-${repository.repositoryId}-${thread.number}-${sha.slice(0, 12)}`;
  return turns.build(found.type, async () => {
    const limitMb = config.coder.worktreeLimitMb;
    const worktree = await git.open(repository, { name, branch, sha, limitMb });
    const wanted = { name, branch, baseSha, found, config, repository, changed: [], signal };
    try {
      return await runTests({
        worktree,
        fill: () => fillProject(worktree, wanted),
        commands: codingRuntime.commands(config.coder),
        found,
        config,
        accepted: undefined,
        signal,
      });
    } finally {
      await worktree.close();
    }
  });
}

function failed(sentence: string): Said {
  return { result: 'failed', sentence };
}

function toCheck({ result, sentence }: Said, { by }: TestHead): CheckWanted {
  return {
    name: HEAD_TESTS_CHECK,
    conclusion: result === 'passed' ? 'success' : 'failure',
    title: sentence.replaceAll('`', ''),
    summary: `Run in the sandbox, without credentials and without the network, because \`${by}\` allowed it for this commit.`,
  };
}
