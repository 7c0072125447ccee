/** The words of a heading on one line, without the marks that may close it: https://spec.commonmark.org/0.31.2/#atx-headings */
export function plainHeading(heading: string): string {
  const words = heading.split(/\s/).filter((word) => word !== '');
  const closes = /^#+$/.test(words.at(-1) ?? '');
  return words.slice(0, closes ? -1 : undefined).join(' ');
}
