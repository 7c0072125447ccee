/** What a path may come to on file systems that take several spellings for one name. */

/** Characters that HFS+ passes over in names; git refuses `.git` written with them for the same reason. */
const PASSED_OVER = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g;
/** A name as Windows shortens it (`AGENTS~1.MD`): it may stand for any longer one. */
const SHORTENED = /^[^~.]{1,6}~\d{1,4}(?:\.[^.]{0,3})?$/;

/**
 * The path with one spelling for all that macOS and Windows read as the same name. Letters get one case and one form,
 * and ignored characters are removed. Each part loses its final dots and spaces, and everything from a colon on (a
 * stream of the file).
 */
export function foldPath(path: string): string {
  return path
    .normalize('NFKC')
    .replaceAll(PASSED_OVER, '')
    .toLowerCase()
    .split(/[\\/]/)
    .map(foldPart)
    .join('/');
}

function foldPart(part: string): string {
  const [name = ''] = part.split(':');
  let end = name.length;
  while (end > 0 && '. '.includes(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end);
}

/** Whether a part of the path may be the short form of any name. */
export function isShortened(path: string): boolean {
  return path.split('/').some((part) => SHORTENED.test(part));
}
