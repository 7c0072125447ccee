/** What people do in a repository of a stored world. */
import type { NewTask } from '../../../src/domain/plan/body/render-plan.ts';
import { aPlanOf } from '../say-task.ts';
import { READY_ISSUE } from '../tidy-project.ts';
import type { Place } from './moment.ts';

/** A choice that only a person can make. */
export const UNDECIDED = {
  title: 'Should we drop the --legacy flag of the tidy command?',
  body: 'Undecided: should we remove `--legacy` from `main` in `src/cli.ts` now, or keep it for one release? We need to decide first.',
};

export const comment =
  (number: number, body: string, by = 'ana') =>
  ({ emulator, repo }: Place): Promise<unknown> =>
    emulator.as(by).comment(repo, number, body);

export const approve = (number: number) => comment(number, '/pm approve', 'tom');

export const opens =
  (issue: { title: string; body: string }) =>
  ({ emulator, repo }: Place): Promise<unknown> =>
    emulator.as('tom').openIssue(repo, issue);

export const labels =
  (label: string, number = 1) =>
  ({ emulator, repo }: Place): Promise<unknown> =>
    emulator.as('ana').label(repo, number, [label]);

export const asks =
  (label: string, issue = READY_ISSUE) =>
  async (place: Place): Promise<void> => {
    await opens(issue)(place);
    await labels(label)(place);
  };

export const plans =
  (...tasks: NewTask[]) =>
  async ({ emulator, repo }: Place): Promise<void> => {
    const ana = emulator.as('ana');
    const { number } = await ana.openIssue(repo, { title: '[PLAN] More', body: aPlanOf(tasks) });
    await ana.label(repo, number, ['plan']);
  };

export const setState =
  (number: number, state: 'open' | 'closed') =>
  ({ emulator, repo }: Place): Promise<unknown> =>
    emulator.as('ana').request('PATCH', `/repos/${repo}/pulls/${number}`, { state });

/** One commit of `ana`; on the default branch when no other one is named. */
export const pushes =
  (path: string, text: string, branch = 'main') =>
  async ({ emulator, repo }: Place): Promise<void> => {
    const ana = emulator.as('ana');
    const at = `/repos/${repo}/contents/${path}`;
    const known = (await ana.request('GET', `${at}?ref=${branch}`).catch(() => undefined)) as
      { sha: string } | undefined;
    await ana.request('PUT', at, {
      message: `change ${path}`,
      branch,
      content: Buffer.from(text).toString('base64'),
      ...(known === undefined ? {} : { sha: known.sha }),
    });
  };

/** A pull request of `ana` that adds one file. */
export const proposes =
  (path: string, text: string) =>
  async (place: Place): Promise<void> => {
    const ana = place.emulator.as('ana');
    const main = (await ana.request('GET', `/repos/${place.repo}/git/ref/heads/main`)) as {
      object: { sha: string };
    };
    const ref = { ref: 'refs/heads/change', sha: main.object.sha };
    await ana.request('POST', `/repos/${place.repo}/git/refs`, ref);
    await pushes(path, text, 'change')(place);
    const pull = { title: 'Change it', body: 'As agreed.', head: 'change' };
    await ana.openPull(place.repo, pull);
  };
