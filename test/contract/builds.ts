/** What every reader of builds must do for Quorum, whichever server is behind the port. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BuildRun } from '../../src/domain/build/build.ts';
import type { RepositoryRef } from '../../src/domain/run/thread-ref.ts';
import type { BuildReader, GitHubBuilds } from '../../src/ports/github/builds.ts';
import type { ContractFault } from './github.ts';

/** A job that ended as told. */
export interface JobTold {
  name: string;
  conclusion?: string;
  /** `null`: it is gone. */
  log?: string | null;
  steps?: Readonly<Record<string, string>>;
}

export interface RunTold {
  conclusion: string;
  workflow?: string;
  branch?: string;
  event?: string;
  jobs?: readonly JobTold[];
  /** In a fork's branch of the same name. */
  isFork?: boolean;
  again?: number;
}

/** A server with one repository, seen from outside the adapter. */
export interface BuildsWorld {
  repository: RepositoryRef;
  open(): GitHubBuilds;
  /** A workflow's run ends; returns its id. */
  endRun(run: RunTold): Promise<number>;
  /** A commit on the default branch; returns its sha. */
  commit(path: string, title: string): Promise<string>;
  headSha(): Promise<string>;
  /** Two commits with 204 others between them, `feat: 1` to `feat: 205`. */
  longRange(): Promise<{ baseSha: string; headSha: string }>;
  /** Another service's check at the tip of the default branch; returns the service's id. */
  check(check: {
    name: string;
    conclusion: string;
    text?: string;
    notes?: { path: string; line: number; message: string }[];
  }): Promise<number>;
  /** Our own App's check there. */
  ownCheck(name: string): Promise<void>;
  /** Takes the permission for actions away. */
  withoutActions(): void;
  breakNext(path: RegExp, fault: ContractFault['fault']): void;
  close(): Promise<void>;
}

const STAMP = '2026-11-05T10:00:00.0000000Z';
const LOG = [`${STAMP} ##[group]Run npm test`, `${STAMP} ##[endgroup]`, `${STAMP} Error: no`].join(
  '\n',
);

export function describeBuilds(server: string, make: () => Promise<BuildsWorld>): void {
  describe(`builds: ${server}`, () => {
    let world: BuildsWorld;
    beforeAll(async () => {
      world = await make();
    });
    afterAll(() => world.close());
    const builds = (): BuildReader => world.open().at(world.repository).builds;
    const ref = (): RepositoryRef => world.repository;
    const runOf = async (id: number): Promise<BuildRun> => {
      const found = (await builds().runsAt(ref(), await world.headSha())).find(
        (run) => run.id === id,
      );
      if (found === undefined) throw new Error(`no run ${id}`);
      return found;
    };
    const onMain = async (id: number, conclusion?: 'success'): Promise<BuildRun[]> => {
      const { source } = await runOf(id);
      const more = conclusion === undefined ? {} : { conclusion };
      return builds().runsOf(ref(), { source, branch: 'main', ...more });
    };

    test('a branch’s runs come newest first, those of one workflow only', async () => {
      const workflow = '.github/workflows/order.yml';
      const green = await world.endRun({ workflow, conclusion: 'success' });
      const red = await world.endRun({ workflow, conclusion: 'failure' });
      await world.endRun({ workflow: '.github/workflows/other.yml', conclusion: 'failure' });
      const runs = await onMain(red);
      expect(runs.map((run) => [run.id, run.conclusion, run.number])).toEqual([
        [red, 'failure', 2],
        [green, 'success', 1],
      ]);
      expect(runs[0]).toMatchObject({ path: workflow, branch: 'main', attempt: 1, event: 'push' });
      expect((await onMain(red, 'success')).map((run) => run.id)).toEqual([green]);
    });

    test('runs of forks and of pull requests do not count as the branch’s', async () => {
      const workflow = '.github/workflows/forks.yml';
      const own = await world.endRun({ workflow, conclusion: 'success' });
      await world.endRun({ workflow, conclusion: 'failure', isFork: true, event: 'pull_request' });
      await world.endRun({ workflow, conclusion: 'failure', event: 'pull_request' });
      expect((await onMain(own)).map((run) => run.id)).toEqual([own]);
    });

    test('sessions of a coder that the App asked for are no builds', async () => {
      const workflow = '.github/workflows/quorum-code.yml';
      const asked = { workflow, conclusion: 'failure', event: 'repository_dispatch' } as const;
      const id = await world.endRun(asked);
      const listed = await builds().runsAt(ref(), await world.headSha());
      expect(listed.map((run) => run.id)).not.toContain(id);
    });

    test('lists the failed jobs of one attempt with their failed steps', async () => {
      const id = await world.endRun({
        workflow: '.github/workflows/jobs.yml',
        conclusion: 'failure',
        jobs: [
          { name: 'lint', conclusion: 'success' },
          { name: 'test', steps: { Install: 'success', Test: 'failure', Upload: 'skipped' } },
        ],
      });
      await world.endRun({
        workflow: '.github/workflows/jobs.yml',
        conclusion: 'failure',
        again: id,
        jobs: [{ name: 'test', conclusion: 'timed_out' }],
      });
      const again = await runOf(id);
      const ask = async (attempt: number) =>
        (await builds().failedJobs(ref(), { ...again, attempt })).map((job) => [
          job.name,
          job.conclusion,
          job.steps.map((step) => step.name),
        ]);
      expect(again.attempt).toBe(2);
      expect(await ask(1)).toEqual([['test', 'failure', ['Test']]]);
      expect(await ask(2)).toEqual([['test', 'timed_out', [expect.any(String)]]]);
    });

    describe('a log', () => {
      const jobWith = async (log: string | null) => {
        const workflow = '.github/workflows/logs.yml';
        const id = await world.endRun({
          workflow,
          conclusion: 'failure',
          jobs: [{ name: 'test', log }],
        });
        const [job] = await builds().failedJobs(ref(), await runOf(id));
        if (job === undefined) throw new Error('no job');
        return job;
      };

      test('is read through the address that GitHub tells, and cut', async () => {
        const job = await jobWith(`${'all is well\n'.repeat(50_000)}${LOG}\n`);
        const cut = await builds().log(ref(), job);
        expect(cut).toMatchObject({ lines: 50_002 });
        expect(cut?.text).toContain('▸ Run npm test\nError: no');
        expect(cut?.text.length).toBeLessThan(12_001);
      });

      test('is undefined when it is gone', async () => {
        expect(await builds().log(ref(), await jobWith(null))).toBeUndefined();
      });

      test('is read again after a lost connection', async () => {
        const job = await jobWith(LOG);
        world.breakNext(/_logs/, { kind: 'reset' });
        expect((await builds().log(ref(), job))?.text).toContain('Error: no');
      });

      test('of more than one line’s worth keeps its letters whole', async () => {
        const job = await jobWith(`Error: ${'é'.repeat(70_000)}\nError: ö`);
        expect((await builds().log(ref(), job))?.text).toMatch(
          /^Error: é+ \(\d+ more characters\)\nError: ö$/,
        );
      });
    });

    test('checks of another service are one run of it; Quorum’s own do not count', async () => {
      const notes = [{ path: 'src/a.ts', line: 3, message: 'never returns' }];
      const appId = await world.check({
        name: 'deploy',
        conclusion: 'failure',
        text: 'no disk',
        notes,
      });
      await world.check({ name: 'preview', conclusion: 'success' });
      await world.ownCheck('quorum / review');
      const headSha = await world.headSha();
      const runs = await builds().runsAt(ref(), headSha);
      const checks = runs.filter((run) => run.source.kind === 'checks');
      expect(checks).toMatchObject([
        { source: { kind: 'checks', appId }, conclusion: 'failure', headSha },
      ]);
      const source = { kind: 'checks' as const, appId };
      const [run] = await builds().runsOf(ref(), { source, branch: 'main' });
      expect(run).toMatchObject({ conclusion: 'failure', branch: 'main' });
      const jobs = await builds().failedJobs(ref(), run ?? checks[0]!);
      expect(jobs).toMatchObject([
        { name: 'deploy', conclusion: 'failure', text: expect.stringContaining('no disk') },
      ]);
      expect(await builds().notes(ref(), jobs[0]?.id ?? 0)).toEqual(notes);
    });

    test('a range tells its commits, newest first, and the files', async () => {
      const baseSha = await world.headSha();
      await world.commit('src/one.ts', 'feat: one\n\nMore words.');
      const headSha = await world.commit('src/two.ts', 'feat: two');
      const range = await builds().range(ref(), { baseSha, headSha });
      expect(range.commits.map((commit) => commit.title)).toEqual(['feat: two', 'feat: one']);
      expect(range.commits[0]).toMatchObject({ sha: headSha, author: 'alice' });
      expect(range.total).toBe(2);
      expect(range.files.map((file) => file.path)).toEqual(['src/one.ts', 'src/two.ts']);
      expect(range.files[0]?.patch).toContain('+');
    });

    test('a long range tells its oldest and its newest commits', async () => {
      const { commits, total } = await builds().range(ref(), await world.longRange());
      expect([total, commits.length]).toEqual([205, 105]);
      expect([commits[0]?.title, commits.at(-1)?.title]).toEqual(['feat: 205', 'feat: 1']);
    });

    test('without the permission a log is refused, not empty', async () => {
      const id = await world.endRun({
        workflow: '.github/workflows/refused.yml',
        conclusion: 'failure',
        jobs: [{ name: 'test', log: LOG }],
      });
      const [job] = await builds().failedJobs(ref(), await runOf(id));
      world.withoutActions();
      await expect(builds().log(ref(), job ?? { id: 0, steps: [] })).rejects.toMatchObject({
        code: 'github-forbidden',
      });
    });
  });
}
