/** Paths of a repository: what kind of file each is, which one a written path stands for, and which tests belong to it. */

const SOURCE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|kts|swift|c|cc|cpp|h|hpp|cs|php|scala|ex|exs|erl|sh|bash|ps1|lua|dart|vue|svelte|sql|zig)$/i;
const DOCUMENT = /\.(?:md|mdx|rst|adoc|txt)$/i;
const OTHER =
  /\.(?:json|jsonc|ya?ml|toml|ini|cfg|conf|lock|html?|css|scss|less|svg|png|jpe?g|gif|env|xml|csv|proto|graphql|gradle|tf|mod|sum|diff|patch|log)$/i;
const NO_ENDING =
  /^(?:Dockerfile|Makefile|LICENSE|CODEOWNERS|Procfile|Gemfile|Rakefile|\.gitignore|\.npmrc|\.env)$/;

const LOCKFILES = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'poetry.lock',
  'uv.lock',
  'Pipfile.lock',
  'go.sum',
  'Cargo.lock',
  'Gemfile.lock',
  'composer.lock',
]);

/** Whether a file name ends like a file that repositories hold. */
export function knownExtension(name: string): boolean {
  return SOURCE.test(name) || DOCUMENT.test(name) || OTHER.test(name) || NO_ENDING.test(name);
}

export function isSourcePath(path: string): boolean {
  return SOURCE.test(path) && !isTestPath(path) && !isGeneratedPath(path);
}

export function isDocumentPath(path: string): boolean {
  return DOCUMENT.test(path);
}

/** Whether a file holds tests, by the habits of the common languages. */
export function isTestPath(path: string): boolean {
  return (
    /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\//i.test(path) ||
    /(?:[._-](?:test|spec)(?:-d)?\.[a-z]+$)|(?:(?:^|\/)test_[^/]+\.py$)|(?:_test\.(?:go|py|rb|exs?)$)|Tests?\.(?:java|cs|kt|swift)$/i.test(
      path,
    )
  );
}

export function isGeneratedPath(path: string): boolean {
  return /(?:^|\/)(?:node_modules|dist|build|vendor|coverage|\.next|out|target)\/|\.min\.[a-z]+$|\.(?:lock|snap|map)$|(?:^|\/)(?:package-lock\.json|go\.sum)$/i.test(
    path,
  );
}

/** Whether a package manager writes the file. */
export function isLockfile(path: string): boolean {
  return LOCKFILES.has(nameOf(path));
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A file's name without endings and without what marks a test. */
export function stemOf(path: string): string {
  return nameOf(path)
    .replace(/^test_/i, '')
    .replace(/(?:[._-](?:test|spec)(?:-d)?)?\.[^.]+$/i, '')
    .replace(/_test$/i, '')
    .toLowerCase();
}

/** Paths of a repository, indexed by file name. */
export interface PathIndex {
  all: ReadonlySet<string>;
  byName: ReadonlyMap<string, readonly string[]>;
}

export function indexPaths(paths: readonly string[]): PathIndex {
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const name = nameOf(path).toLowerCase();
    byName.set(name, [...(byName.get(name)?.slice(0, 50) ?? []), path]);
  }
  return { all: new Set(paths), byName };
}

/**
 * The repository's path that a written path means. It is the same path, the one that ends in it (`parse.ts`), or the
 * one that it ends in (`/home/ana/app/src/parse.ts`). Undefined when no path fits, or several fit equally well.
 */
export function resolvePath(written: string, index: PathIndex): string | undefined {
  const path = written.replace(/^(?:\.{0,2}\/)+/, '');
  if (index.all.has(path)) return path;
  const candidates = (index.byName.get(nameOf(path).toLowerCase()) ?? []).filter(
    (known) => known.endsWith(`/${path}`) || path.endsWith(`/${known}`),
  );
  const inside = candidates.filter((known) => path.endsWith(`/${known}`));
  const [best, second] = inside.toSorted((a, b) => b.length - a.length);
  if (best !== undefined && (second === undefined || second.length < best.length)) return best;
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** Tests that stand for a source file: same name, test habits. */
export function testsFor(path: string, paths: readonly string[]): string[] {
  const stem = stemOf(path);
  return paths.filter((other) => other !== path && isTestPath(other) && stemOf(other) === stem);
}
