/** How people speak on the embedded GitHub, by browser and by gh, in lines to copy. */
import { gitEnvironment, HOST_OF_GH } from '../../../emulator/github/gh-config.ts';
import type { PersonWithToken } from '../../../demo/playground/people-of.ts';
import { renderTable } from '../terminal/table.ts';

export interface Speaking {
  /** Base of the pages. */
  url: string;
  /** `owner/repo`. */
  repository: string;
  people: readonly PersonWithToken[];
  ghConfigDir: string;
  columns: number;
}

/** Clear enough for the team to say `ready`. Without an apostrophe, because it is printed between single quotes. */
const EXAMPLE =
  '`csvpeek --count people.csv` prints `3` for a file with a header and 3 rows, and nothing else. Done when a test in `test/options.test.ts` shows it.';

/** What gh, and git when gh starts it, find in their environment, as one of the people. */
export function ghEnvironment(
  { url, repository, ghConfigDir }: Pick<Speaking, 'url' | 'repository' | 'ghConfigDir'>,
  token: string,
): Record<string, string> {
  return {
    GH_CONFIG_DIR: ghConfigDir,
    GH_HOST: HOST_OF_GH,
    GH_REPO: `${HOST_OF_GH}/${repository}`,
    GH_ENTERPRISE_TOKEN: token,
    ...gitEnvironment(url, token),
  };
}

export function renderHowToSpeak(speaking: Speaking): string {
  const { url, repository, people, columns } = speaking;
  const [first] = people;
  if (first === undefined) return '';
  const rows = people.map(({ login, role, token }) => [
    login,
    role === 'none' ? 'no role' : role,
    token,
  ]);
  const exported = Object.entries(ghEnvironment(speaking, first.token)).map(
    ([name, value]) => `  export ${name}=${value.includes(' ') ? `'${value}'` : value}\n`,
  );
  return `
In the browser, choose at the top of each page whom to act as:
  ${url}/${repository}/issues/new
${renderTable(rows, { columns: Math.max(columns, 100), indent: 2 })}
In another terminal, with GitHub's own command line, as ${first.login}:
${exported.join('')}  gh issue create --label deliberate --title 'Print the number of rows' --body '${EXAMPLE}'
  gh issue list
  gh pr list
  gh repo clone ${repository}

With any HTTP client:
  curl -H "authorization: token ${first.token}" ${url}/api/v3/repos/${repository}/issues

To stop: Ctrl-C. Nothing is kept.
`;
}
