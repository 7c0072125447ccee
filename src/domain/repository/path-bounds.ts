/** Bounds within which git's patterns are matched, so that neither a pattern nor a path can make that slow. */

/** Characters of a path; Linux takes no longer ones. */
const MAX_PATH = 4_096;
/** Parts of a path. Matching costs about parts to the power of {@link MAX_GLOBSTARS}: 50 ms at both bounds. */
const MAX_PARTS = 100;
const MAX_GLOBSTARS = 3;

/** Characters of a pattern. */
export const MAX_PATTERN = 200;

/** Whether a path can be matched at all: relative, and no longer or deeper than files of a repository are. */
export function isMatchable(path: string): boolean {
  return (
    path !== '' &&
    path.length <= MAX_PATH &&
    !path.startsWith('/') &&
    !/^\.{1,2}(?:\/|$)/.test(path) &&
    path.split('/').length <= MAX_PARTS
  );
}

/** What makes a pattern too costly to match; undefined where nothing does. */
export function costReason(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return `at most ${MAX_PATTERN} characters`;
  // Neighbours count as one: `**/**/` matches what `**/` does.
  const runs = pattern.match(/\*{2,}(?:\/\*{2,})*/g)?.length ?? 0;
  return runs > MAX_GLOBSTARS ? `at most ${MAX_GLOBSTARS} \`**\` in one pattern` : undefined;
}
