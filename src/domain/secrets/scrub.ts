/** Takes secrets out of text that leaves the process: log lines, error messages. A second line: secrets belong elsewhere. */
import { formsOf } from './secret-forms.ts';
import { replaceSecrets } from './secret-text.ts';

const GONE = '[redacted]';

/**
 * `text` without anything that looks like a credential. It also removes `known`, the values of this process's own
 * secrets, as they are or encoded. Secrets under 8 characters are left: they would hit ordinary words.
 */
export function scrubSecrets(text: string, known: readonly string[] = []): string {
  return scrubForms(text, known.flatMap(formsOf));
}

/**
 * As {@link scrubSecrets}, for many texts in turn. A private key has several hundred forms: they are made again only
 * when the known values change, and those of earlier values are not kept.
 */
export function createScrubber(): (text: string, known: readonly string[]) => string {
  let last: readonly string[] = [];
  let forms: readonly string[] = [];
  return (text, known) => {
    if (known.length !== last.length || known.some((value, at) => value !== last[at])) {
      last = [...known];
      forms = known.flatMap(formsOf);
    }
    return scrubForms(text, forms);
  };
}

function scrubForms(text: string, forms: readonly string[]): string {
  let clean = text;
  for (const form of forms) clean = clean.replaceAll(form, GONE);
  return replaceSecrets(clean, () => GONE);
}
