/** Reports on a merge queue's commit: GitHub asks again there for every check that the base branch requires. */
import type { CheckWanted, EffectData } from '../../domain/event/effect.ts';
import { gateCheck, type Judgement } from '../../domain/gates/receipt.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import type { OwnCheck } from '../../ports/work.ts';
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

const TESTS = gateCheck('2');

/**
 * What was said about the pull request's head holds for the group too, but for its tests: they were run on another tree.
 * Reports nothing for a pull request that has no checks of ours.
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
  const carried = said.filter(({ name }) => name !== TESTS);
  const from = `Reported for #${thread.number} at ${headSha.slice(0, 12)}.`;
  if (carried.length > 0) await report(carried.map((check) => carry(check, from)));
  const tests = said.find(({ name }) => name === TESTS);
  if (tests !== undefined) await report([await testGroup(data, tests, context)]);
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
  before: OwnCheck,
  { ports, readSettings, fillProject, turns }: Context,
): Promise<CheckWanted> {
  if (before.conclusion !== 'success') return carry(before, '');
  const { codingRuntime } = ports;
  if (codingRuntime === undefined) return toCheck(NO_CODING_RUNTIME);
  const { git } = codingRuntime;
  const repository = toRepositoryRef(thread);
  const { config } = await settingsNow(thread, workAt(ports, thread), { readSettings });
  const { baseSha, sha } = group;
  const found = await commandsOf(repository, { git, baseSha, config });
  // Somebody accepted that there are no tests; the group has none either.
  if (found.test === undefined) return carry(before, '');
  const commit = {
    repository,
    kind: 'group' as const,
    number: thread.number,
    sha,
    baseSha,
    found,
    config,
  };
  return toCheck(await testCommit(commit, codingRuntime, { fillProject, turns }));
}

const NO_CODING_RUNTIME: Pick<Judgement, 'result' | 'sentence'> = {
  result: 'failed',
  sentence: 'The tests could not run: this host runs no code (QUORUM_CODER is not set).',
};

function toCheck({ result, sentence }: Pick<Judgement, 'result' | 'sentence'>): CheckWanted {
  const conclusion = result === 'passed' ? 'success' : 'failure';
  return { name: TESTS, conclusion, title: sentence.replaceAll('`', ''), summary: '' };
}
