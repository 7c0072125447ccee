/** What a public issue tells of an effect that was given up. */
import { ERROR_CODES } from '../event/error-codes.ts';

const CODES: ReadonlySet<string> = new Set(Object.values(ERROR_CODES).flat());

/** `reason`: the code, a colon and a message. A message may name hosts and paths, so it is not told. */
export function tellDeadEffect(kind: string, reason: string | undefined): string {
  const [code = ''] = (reason ?? '').split(':');
  return `${kind} was given up: ${CODES.has(code) ? code : 'no error code is kept'}`;
}
