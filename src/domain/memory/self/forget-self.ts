/** Forgetting reaches what personas experienced, and the file that rests on it (MEM-08). */
import type { ForgetTarget } from '../forget-memory.ts';
import { forgetExperiences } from './experience.ts';
import {
  ownerOfFile,
  experiencesPath,
  parseReflected,
  reflectedPath,
  selfPath,
} from './self-file.ts';

/**
 * The files that change. Prose cannot be taken apart: a `self.md` that rests on a forgotten experience is emptied, and
 * written again from what is left.
 */
export function forgetSelf(
  files: ReadonlyMap<string, string>,
  target: ForgetTarget,
): Map<string, string> {
  const personas = new Set([...files.keys()].flatMap((path) => ownerOfFile(path) ?? []));
  const changed = new Map<string, string>();
  for (const persona of personas) {
    const path = experiencesPath(persona);
    const { text, ids } = forgetExperiences(files.get(path) ?? '', target);
    if (ids.length === 0) continue;
    changed.set(path, text);
    const seen = new Set(parseReflected(files.get(reflectedPath(persona)) ?? '')?.seen);
    if (!ids.some((id) => seen.has(id))) continue;
    changed.set(selfPath(persona), '');
    changed.set(reflectedPath(persona), '');
  }
  return changed;
}
