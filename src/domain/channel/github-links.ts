/** Addresses of GitHub in what people say elsewhere. */

const MAX_LINKS = 10;
const IN_TEXT = /https?:\/\/[^\s<>"'()[\]]{1,500}|(?<![\w./-])github\.com\/[\w./-]{1,300}/g;

/** Where a message may carry a link, most reliable first. */
export interface LinkSources {
  /** What the service marked as links. */
  marked: readonly string[];
  /** Cards and quoted things. */
  embedded: readonly string[];
  text: string;
}

/** Marked links first, then embedded ones, then those in the text; each once. */
export function findGitHubLinks(sources: LinkSources, host = 'github.com'): string[] {
  const found = sources.text.match(IN_TEXT) ?? [];
  const inText = found.map((each) => (each.startsWith('http') ? each : `https://${each}`));
  const all = [...sources.marked, ...sources.embedded, ...inText].flatMap((each) =>
    toGitHub(each, host),
  );
  return [...new Set(all)].slice(0, MAX_LINKS);
}

/** The address of a repository or something in it, without query, fragment and a sentence's end. */
function toGitHub(address: string, host: string): string[] {
  if (!URL.canParse(address)) return [];
  const url = new URL(address);
  const isThere = url.host === host || url.host === `www.${host}`;
  const [, owner, repo, kind, number] = url.pathname.split('/');
  if (!isThere || !isName(owner) || !isName(repo)) return [];
  const bare = `https://${host}/${owner}/${withoutDots(repo)}`;
  const digits = /^\d{1,10}/.exec(number ?? '')?.[0];
  const isThread = kind === 'issues' || kind === 'pull';
  return [isThread && digits !== undefined ? `${bare}/${kind}/${digits}` : bare];
}

/** A sentence may end behind a name. */
function withoutDots(name: string): string {
  return name.endsWith('.') ? withoutDots(name.slice(0, -1)) : name;
}

function isName(part: string | undefined): part is string {
  return part !== undefined && /^[\w.-]{1,100}$/.test(part);
}

/** A repository on GitHub, or an issue or pull request in it, as a link names it. */
export interface LinkedPlace {
  owner: string;
  repo: string;
  number?: number;
}

/** What a link of {@link findGitHubLinks} is to. */
export function readGitHubLink(link: string): LinkedPlace | undefined {
  if (!URL.canParse(link)) return undefined;
  const [, owner, repo, kind, number] = new URL(link).pathname.split('/');
  if (owner === undefined || repo === undefined) return undefined;
  return kind === undefined ? { owner, repo } : { owner, repo, number: Number(number) };
}
