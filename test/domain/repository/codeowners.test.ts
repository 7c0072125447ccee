/** CODEOWNERS as GitHub reads it: the cases are those of its documentation. */
import { expect, test } from 'vitest';
import { ownersOf } from '../../../src/domain/repository/codeowners.ts';
import { verifies } from '../../verifies.ts';

const EXAMPLE = `# This is a comment.
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/* docs@example.com @flat
apps/ @octocat
/docs/deep/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/github @doctocat
/apps/none
`;

const logins = (...paths: string[]): string[] => ownersOf(EXAMPLE, paths).logins;

verifies('TG-6', 'the last pattern that fits a path names its owners', () => {
  expect(logins('README.md')).toEqual(['global-owner1', 'global-owner2']);
  expect(logins('src/a/b.js')).toEqual(['js-owner']);
  expect(logins('build/logs/today/x.md')).toEqual(['octocat']);
  expect(logins('scripts/build.sh', 'scripts/x/y.sh')).toEqual(['doctocat', 'octocat']);
  expect(logins('deeply/nested/logs/x')).toEqual(['octocat']);
});

test.each([
  ['docs/getting-started.md', ['flat']],
  ['docs/build-app/troubleshooting.md', ['global-owner1', 'global-owner2']],
  ['docs/deep/er/x.md', ['doctocat']],
  ['tools/apps/x.md', ['octocat']],
  ['tools/apps', ['global-owner1', 'global-owner2']],
  ['apps/github', ['doctocat']],
  ['apps/github/deep/x.md', ['doctocat']],
  ['apps/none/x.md', []],
  ['main.go', []],
] as const)('%s belongs to %j', (path, owners) => {
  expect(logins(path)).toEqual(owners);
});

test('distinguishes teams from people, each once', () => {
  const text = '* @ana @acme/core-team @ana\n';
  expect(ownersOf(text, ['a', 'b'])).toEqual({ logins: ['ana'], teams: ['core-team'] });
});

test('what GitHub does not understand is left out, and what is escaped is meant', () => {
  const text = '* @ana\n!a.md @tom\n[ab].md @tom\nwith\\ space.md @eve\n\\#odd @tom\nc.md @-x @\n';
  expect(ownersOf(text, ['a.md']).logins).toEqual(['ana']);
  expect(ownersOf(text, ['with space.md']).logins).toEqual(['eve']);
  expect(ownersOf(text, ['c.md'])).toEqual({ logins: [], teams: [] });
});
