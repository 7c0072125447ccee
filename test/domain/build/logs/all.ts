/** Every example. */
import { COMPILED } from './compiled.ts';
import type { LogExample } from './example.ts';
import { MACHINE } from './machine.ts';
import { NODE } from './node.ts';
import { PYTHON } from './python.ts';

export const EXAMPLES: readonly LogExample[] = [...NODE, ...PYTHON, ...COMPILED, ...MACHINE];

export function logOf(title: string): string {
  const found = EXAMPLES.find((example) => example.title === title);
  if (found === undefined) throw new Error(`no log of ${title}`);
  return found.log;
}
