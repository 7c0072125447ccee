/** A comment's text with its marker, always within GitHub's 65,536 characters. */
import { toShownText } from '../../../domain/text/cap-body.ts';
import { stripInvisible } from '../../../domain/text/invisible.ts';
import { redactSecrets } from '../../../domain/secrets/secret-text.ts';

/** Body as it may be shown, an empty line, marker. */
export function assembleComment(body: string, marker: string): string {
  return `${toShownText(body)}\n\n${marker}`;
}

/** A title or another short text, without what nobody sees or what looks like a credential. */
export function shortText(text: string, limit: number): string {
  return redactSecrets(stripInvisible(text).text).slice(0, limit).toWellFormed();
}

/** Whether GitHub shows the same: it may have changed line ends and space at the end. */
export function isSameBody(a: string, b: string): boolean {
  return normal(a) === normal(b);
}

function normal(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}
