/** Ties a test to the requirements it proves; test/requirements.test.ts reads the citations from the sources. */
import { test } from 'vitest';

/**
 * Declares a test that proves one requirement, or several: `'CB-4'`, or of a row that lists what
 * it expects, `'INJ-04: branch'`. Citations are literals, so that they can be read from the source.
 */
export function verifies(
  ids: string | readonly string[],
  title: string,
  body: () => void | Promise<void>,
): void {
  const list = typeof ids === 'string' ? [ids] : ids;
  const plain = new Set(list.map((cited) => cited.split(':', 1).join('')));
  test(`${[...plain].join(', ')} › ${title}`, body);
}
