/** Reports on a merge queue's commit: GitHub asks again there for every check that the base branch requires. */
import type { EffectData } from '../../domain/event/effect.ts';
import type { CheckWanted } from '../../domain/event/effect-values.ts';
import { gateCheck, type Judgement } from '../../domain/gates/receipt.ts';
import { GATES_CHECK } from '../../domain/task/check-names.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import type { OwnCheck } from '../../ports/github/work.ts';
import { pullsAt, type ActPorts, type Performed } from '../ports.ts';
import type { ReadSettings } from '../settings/read-settings.ts';
import { settingsNow } from '../read/survey.ts';
import { commandsOf } from './gates.ts';
import { testCommit } from './test-commit.ts';
import type { FillProject } from './coder/project.ts';
import type { ConcurrencyLimit } from './coder/concurrency-limit.ts';
import { workAt } from './coder/coding-runtime.ts';

type ReportGroup = Extract<EffectData, { kind: 'report-group' }>;

interface Context {
  ports: ActPorts;
  readSettings: ReadSettings;
  fillProject: FillProject;
  turns: ConcurrencyLimit;
}

/** Those that speak of the tests, alone or among the other gates. */
const TESTED: readonly string[] = [GATES_CHECK, gateCheck('2')];

/**
 * The results for the pull request's head hold for the group too, except for its tests, which ran on another tree.
 * Reports nothing for a pull request without checks of Quorum.
 */
export async function reportGroup(
  data: ReportGroup,
  context: Context,
): Promise<Performed<'report-group'>> {
  const { thread, group } = data;
  const { ports } = context;
  const session = workAt(ports, thread);
  const repository = toRepositoryRef(thread);
  const { headSha } = await pullsAt(ports, thread).pulls.pull(thread);
  const said = await session.work.ownChecks(repository, headSha);
  const report = (checks: CheckWanted[]) =>
    session.write.ensureChecks({ repository, headSha: group.sha, checks });
  const carried = said.filter(({ name }) => !TESTED.includes(name));
  const from = `Reported for #${thread.number} at ${headSha.slice(0, 12)}.`;
  if (carried.length > 0) await report(carried.map((check) => carry(check, from)));
  const tested = said.filter(({ name }) => TESTED.includes(name));
  if (tested.length > 0) await report(await testGroup(data, tested, context));
  return {
    effectKind: 'report-group',
    result: { reported: said.length },
    githubCalls: session.counts,
  };
}

function carry({ name, conclusion, title }: OwnCheck, summary: string): CheckWanted {
  return { name, conclusion, title, summary };
}

/** The tested tree is the merged tree: what the queue merges has not been tested yet. */
async function testGroup(
  { thread, group }: ReportGroup,
  before: readonly OwnCheck[],
  { ports, readSettings, fillProject, turns }: Context,
): Promise<CheckWanted[]> {
  const asBefore = before.map((check) => carry(check, ''));
  if (before.some(({ conclusion }) => conclusion !== 'success')) return asBefore;
  const toChecks = ({ result, sentence }: Pick<Judgement, 'result' | 'sentence'>): CheckWanted[] =>
    before.map(({ name }) => ({
      name,
      conclusion: result === 'passed' ? 'success' : 'failure',
      title: sentence.replaceAll('`', ''),
      summary: '',
    }));
  const { codingRuntime } = ports;
  if (codingRuntime === undefined) return toChecks(NO_CODING_RUNTIME);
  const { git } = codingRuntime;
  const repository = toRepositoryRef(thread);
  const { config } = await settingsNow(thread, workAt(ports, thread), { readSettings });
  const { baseSha, sha } = group;
  const found = await commandsOf(repository, { git, baseSha, config });
  // Somebody accepted that there are no tests; the group has none either.
  if (found.test === undefined) return asBefore;
  const commit = {
    repository,
    kind: 'group' as const,
    number: thread.number,
    sha,
    baseSha,
    found,
    config,
  };
  return toChecks(await testCommit(commit, codingRuntime, { fillProject, turns }));
}

const NO_CODING_RUNTIME: Pick<Judgement, 'result' | 'sentence'> = {
  result: 'failed',
  sentence: 'The tests could not run: this host runs no code (QUORUM_CODER is not set).',
};
