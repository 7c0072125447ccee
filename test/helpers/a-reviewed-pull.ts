/** A pull request that the team looks at after every push. */
import { REPO, type TestWorld } from './a-world.ts';

export interface Told {
  number: number;
  reviews: string[];
  comments: { path: string; body: string }[];
  /** Of the newest head, newest last. */
  checks: { conclusion: string; output: { title: string; summary: string } }[];
}

export interface ReviewedPull {
  /** One commit that writes these files; resolves when the team is done with it. */
  push(files: Record<string, string>): Promise<Told>;
}

/** On the branch `change`; it is opened with the first push. */
export async function aReviewedPull(world: TestWorld): Promise<ReviewedPull> {
  const ana = world.emulator.as('ana');
  const at = `/repos/${REPO}`;
  const refOf = async (name: string) =>
    (await ana.request('GET', `${at}/git/ref/heads/${name}`)) as { object: { sha: string } };
  const commit = async (from: string, files: Record<string, string>): Promise<string> => {
    const tree = (await ana.request('POST', `${at}/git/trees`, {
      base_tree: from,
      tree: Object.entries(files).map(([path, content]) => ({
        path,
        content,
        mode: '100644',
        type: 'blob',
      })),
    })) as { sha: string };
    const made = (await ana.request('POST', `${at}/git/commits`, {
      message: 'change',
      tree: tree.sha,
      parents: [from],
    })) as { sha: string };
    return made.sha;
  };
  let number: number | undefined;
  return {
    async push(files) {
      const sha = await commit(
        (await refOf(number === undefined ? 'main' : 'change')).object.sha,
        files,
      );
      if (number === undefined) {
        await ana.request('POST', `${at}/git/refs`, { ref: 'refs/heads/change', sha });
        ({ number } = await ana.openPull(REPO, {
          title: 'Change it',
          head: 'change',
          body: 'So.',
        }));
      } else await ana.request('PATCH', `${at}/git/refs/heads/change`, { sha });
      await world.idle();
      return told(world, number, sha);
    },
  };
}

async function told({ emulator }: TestWorld, number: number, sha: string): Promise<Told> {
  const ana = emulator.as('ana');
  const read = (path: string) => ana.request('GET', `/repos/${REPO}/${path}`);
  const reviews = (await read(`pulls/${number}/reviews`)) as { body: string }[];
  const { check_runs: checks } = (await read(`commits/${sha}/check-runs`)) as {
    check_runs: Told['checks'];
  };
  const comments = (await read(`pulls/${number}/comments`)) as Told['comments'];
  return { number, reviews: reviews.map(({ body }) => body), comments, checks };
}
