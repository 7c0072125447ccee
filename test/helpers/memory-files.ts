/** What the memory branch holds. */
import { REPO, type TestWorld } from './a-world.ts';

/** Files of the memory branch, by path; undefined where there is no branch. */
export async function memoryOf(world: TestWorld): Promise<Record<string, string> | undefined> {
  const ana = world.emulator.as('ana');
  const ref = (await ana
    .request('GET', `/repos/${REPO}/git/ref/heads/quorum/memory`)
    .catch(() => undefined)) as { object: { sha: string } } | undefined;
  if (ref === undefined) return undefined;
  const { tree } = (await ana.request(
    'GET',
    `/repos/${REPO}/git/trees/${ref.object.sha}?recursive=1`,
  )) as { tree: { path: string; type: string; sha: string }[] };
  const files = tree.filter(({ type }) => type === 'blob');
  const texts = await Promise.all(
    files.map(async ({ path, sha }) => {
      const blob = (await ana.request('GET', `/repos/${REPO}/git/blobs/${sha}`)) as {
        content: string;
      };
      return [path, Buffer.from(blob.content, 'base64').toString()] as const;
    }),
  );
  return Object.fromEntries(texts);
}
