/** What the pull request of `quorum init` rests on, where the command line cannot show it. */
import { expect, test } from 'vitest';
import { createPullTarget } from '../../../../src/adapters/github/setup/pull-target.ts';
import { NAME, start } from '../../../emulator/github/start.ts';

test('refuses a repository whose files GitHub does not list completely', async () => {
  const { github } = await start();
  const cut: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!answer.url.includes('/git/trees/')) return answer;
    const body = (await answer.json()) as object;
    return Response.json({ ...body, truncated: true }, answer);
  };
  const options = { apiUrl: github.apiUrl, token: github.createUserToken('alice') };
  const at = { repository: NAME, branch: 'quorum/init', isForced: false };
  const target = createPullTarget({ ...options, ...at, fetch: cut });
  await expect(target.look(() => true)).rejects.toMatchObject({ code: 'github-too-large' });
});

test('reads plain files only, and names what else is at a path that is wanted', async () => {
  const { github, as } = await start();
  const token = github.createUserToken('alice');
  const { git } = as(token).rest;
  const at = { owner: 'acme', repo: 'widgets' };
  const tree = [
    { path: '.github/quorum.yml', mode: '120000', type: 'blob', content: '../README.md' },
    { path: 'docs/a.md', mode: '100755', type: 'blob', content: '# A\n' },
  ] as const;
  const ref = 'heads/main';
  const parent = (await git.getRef({ ...at, ref })).data.object.sha;
  const made = await git.createTree({ ...at, base_tree: parent, tree: [...tree] });
  const commit = { message: 'Link', tree: made.data.sha, parents: [parent] };
  const { sha } = (await git.createCommit({ ...at, ...commit })).data;
  await git.updateRef({ ...at, ref, sha });
  const target = createPullTarget({
    apiUrl: github.apiUrl,
    token,
    repository: NAME,
    branch: 'quorum/init',
    isForced: false,
  });
  const { notFiles, texts, paths } = await target.look((path) => /quorum\.yml|a\.md/.test(path));
  expect(notFiles).toEqual(['.github/quorum.yml']);
  expect([...texts]).toEqual([['docs/a.md', '# A\n']]);
  expect(paths).toContain('src/a.ts');
});
