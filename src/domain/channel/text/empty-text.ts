/** Whether a reader would see nothing. */
import { stripInvisible } from '../../text/invisible.ts';

/** Services refuse a message without a visible character. */
export function isEmptyText(text: string): boolean {
  return stripInvisible(text).text.trim() === '';
}
