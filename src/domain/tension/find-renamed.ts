/** Files that a tension cites and that are called otherwise now: told by the lines that they still hold. */
import { nameOf } from '../repository/paths.ts';
import type { Viewed } from '../standup/inventions.ts';
import { isGone } from './tension-evidence.ts';
import { isUnsettled, type TensionBook } from './tension.ts';

/** Of files that are gone: those of the same name elsewhere, whose texts are worth reading. */
export function candidatesFor({ tensions }: TensionBook, paths: readonly string[]): string[] {
  const all = new Set(paths);
  const names = new Set(
    tensions
      .filter(isUnsettled)
      .flatMap(({ refs }) => refs)
      .filter(({ path }) => !all.has(path))
      .map(({ path }) => nameOf(path)),
  );
  return names.size === 0 ? [] : paths.filter((path) => names.has(nameOf(path)));
}

/** From the old path to the new one, where exactly one file of that name holds lines that were cited. */
export function findRenamed({ tensions }: TensionBook, viewed: Viewed): Record<string, string> {
  const all = new Set(viewed.paths);
  const places = tensions
    .filter(isUnsettled)
    .flatMap(({ evidence }) => evidence.places)
    .filter(({ path, lines }) => !all.has(path) && lines.length > 0);
  return Object.fromEntries(
    places.flatMap(({ path, lines }) => {
      const same = Object.keys(viewed.texts ?? {}).filter(
        (other) =>
          nameOf(other) === nameOf(path) &&
          !isGone({ digest: '', places: [{ path: other, lines }] }, viewed),
      );
      const [only] = same;
      return only !== undefined && same.length === 1 ? [[path, only] as const] : [];
    }),
  );
}
