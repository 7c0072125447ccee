/** Fenced code in Markdown, line by line. */

/** The text without fenced blocks; one that is never closed reaches to the end, as on GitHub. */
export function withoutFences(text: string): string {
  let fence = '';
  return text
    .split('\n')
    .filter((line) => {
      const run = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
      if (fence === '') {
        fence = run;
        return run === '';
      }
      if (run.startsWith(fence)) fence = '';
      return false;
    })
    .join('\n');
}
