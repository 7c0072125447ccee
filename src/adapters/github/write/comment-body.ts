/** A comment's text with its marker, always within GitHub's 65,536 characters. */
import { BODY_LIMIT, capBody } from '../../../domain/text/cap-body.ts';
import { stripInvisible } from '../../../domain/text/invisible.ts';
import { redactSecrets } from '../../../domain/secrets/secret-text.ts';

/** Body without what nobody sees or what looks like a credential, an empty line, marker; what is too long is shortened with a notice. */
export function assembleComment(body: string, marker: string): string {
  const text = capBody(redactSecrets(stripInvisible(body).text)).trimEnd();
  // Closing thousands of elements can take more room than there is: then the limit goes before good form.
  const fitting = text.length <= BODY_LIMIT ? text : text.slice(0, BODY_LIMIT).toWellFormed();
  return `${fitting}\n\n${marker}`;
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
