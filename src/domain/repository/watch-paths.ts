/** Which files of a repository the code watch reads, most needed first. */
import {
  isDocumentPath,
  isGeneratedPath,
  isLockfile,
  isSourcePath,
  isTestPath,
  nameOf,
} from './paths.ts';

/** What rules look things up in: without these they cannot tell what is declared, mapped or ignored. */
const LOOKED_UP =
  /^(?:package\.json|\.gitignore|go\.mod|pyproject\.toml|requirements[\w.-]*\.txt|[jt]sconfig[\w.-]*\.json|deno\.jsonc?)$/;
/** Texts besides sources, tests and documents. */
const TEXT =
  /\.(?:json|ya?ml|toml|html?|css|scss|less|sql|dockerfile|pem|key|proto|graphql|sh|bash|mk)$|(?:^|\/)(?:Dockerfile|Containerfile|Makefile|\.env(?:\.\w+)?|id_[a-z0-9]+)(?:\.\w+)?$/i;
/** Whose files are somebody else's, or data of tests. */
const NOT_OWN =
  /(?:^|\/)(?:node_modules|vendor|third_party|third-party|bower_components|\.yarn|fixtures?|__fixtures__|testdata|__snapshots__|snapshots|recordings|cassettes)\//;

/** Whether a path is the one that was asked about, or below it; everything is, when nothing was. */
export function isBelow(path: string, asked: string): boolean {
  return asked === '' || path === asked || path.startsWith(`${asked}/`);
}

/** Paths to read, most needed first; among equals those below `asked` come before the others. */
export function codeToRead(paths: readonly string[], asked: string): string[] {
  const ranked = paths.flatMap((path) => {
    const rank = rankOf(path);
    return rank === undefined ? [] : [{ path, rank: rank * 2 + (isBelow(path, asked) ? 0 : 1) }];
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ path }) => path);
}

/** Whether rules about missing names must have read the file: programs, tests, and files that declare names. */
export function holdsNames(path: string): boolean {
  return (rankOf(path) ?? OTHER) < OTHER;
}

/** The rank of documents and of texts that no program is written in. */
const OTHER = 3;

function rankOf(path: string): number | undefined {
  if (NOT_OWN.test(path) || isLockfile(path) || isGeneratedPath(path)) return undefined;
  if (LOOKED_UP.test(nameOf(path))) return 0;
  if (isSourcePath(path)) return 1;
  if (isTestPath(path)) return knownText(path) ? 2 : undefined;
  return isDocumentPath(path) || TEXT.test(path) ? OTHER : undefined;
}

function knownText(path: string): boolean {
  return (
    isSourcePath(path.replace(/^.*\//, '').replace(/[._-](?:test|spec)\b|^test_|_test\b/gi, '')) ||
    TEXT.test(path)
  );
}
