/** Builds as values: runs, what was read of a failure, and views of one place. */
import type { BuildPlace, BuildRun } from '../../src/domain/build/build.ts';
import type { BuildReading, BuildState, BuildView } from '../../src/domain/build/build-view.ts';
import type { BuildLookResult } from '../../src/domain/event/result.ts';
import type { Run } from '../../src/domain/run/state/run-record.ts';
import { aRun } from './a-run.ts';
import { aView, TEAM } from './an-issue.ts';

export const BRANCH: BuildPlace = {
  kind: 'branch',
  source: { kind: 'workflow', id: 31 },
  branch: 'main',
};
export const PULL: BuildPlace = { kind: 'pull', number: 12 };

export function aBuildRun(over: Partial<BuildRun> = {}): BuildRun {
  return {
    id: 501,
    source: { kind: 'workflow', id: 31 },
    attempt: 1,
    number: 17,
    name: 'CI',
    path: '.github/workflows/ci.yml',
    event: 'push',
    branch: 'main',
    headSha: 'c'.repeat(40),
    conclusion: 'failure',
    url: 'https://github.test/acme/tidy/actions/runs/501',
    endedAt: '2026-03-02T08:50:00Z',
    ...over,
  };
}

export function aReading(over: Partial<BuildReading> = {}): BuildReading {
  return {
    key: '501/1',
    fingerprint: 'first',
    causes: [{ job: 'test', kind: 'test', says: 'expected 1 to be 2' }],
    jobs: [
      {
        run: 'CI',
        name: 'test',
        conclusion: 'failure',
        url: 'https://github.test/acme/tidy/actions/runs/501/job/1',
        steps: ['Test'],
        log: 'expected 1 to be 2',
        leftOut: 0,
        notes: [],
      },
    ],
    files: [],
    secrets: 0,
    notRead: [],
    ...over,
  };
}

export function aBuildState(over: Partial<BuildState> = {}): BuildState {
  return {
    where: PULL,
    reading: aReading(),
    runs: [aBuildRun()],
    green: undefined,
    times: 1,
    isTold: true,
    ...over,
  };
}

export function aBuildView(over: Partial<BuildView> = {}): BuildView {
  const { repository, issue, config, self } = aView({ issue: { labels: [] } });
  return {
    repository,
    where: PULL,
    verdict: 'red',
    runs: [aBuildRun()],
    failed: [],
    green: undefined,
    headSha: 'c'.repeat(40),
    thread: issue,
    comments: [],
    notRead: [],
    config,
    problems: [],
    personas: TEAM,
    self,
    ...over,
  };
}

export function lookOf(
  view: BuildView,
  over: Partial<Omit<BuildLookResult, 'view'>> = {},
): BuildLookResult {
  return { view, nonce: 'a1b2c3d4e5f6a7b8c9d0e1f2', unchangedRuns: 0, githubCalls: 3, ...over };
}

/** A look into a failed build; concluded unless something else is said. */
export function aBuildLook(over: Partial<Run<'build_failure'>> = {}): Run<'build_failure'> {
  return aRun('build_failure', { label: '', isRequested: false, build: aBuildState(), ...over });
}
