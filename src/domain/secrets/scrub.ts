/** Takes secrets out of text that leaves the process: log lines, error messages. A second line: secrets belong elsewhere. */
import { formsOf } from './secret-forms.ts';
import { replaceSecrets } from './secret-text.ts';

const GONE = '[redacted]';

/**
 * `text` without anything that looks like a credential. It also removes `known`, the values of this process's own
 * secrets, as they are or encoded. Secrets under 8 characters are left: they would hit ordinary words.
 */
export function scrubSecrets(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const form of known.flatMap(formsOf)) clean = clean.replaceAll(form, GONE);
  return replaceSecrets(clean, () => GONE);
}
