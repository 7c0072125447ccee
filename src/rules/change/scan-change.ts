/** What code finds in a pull request that was read: every rule over its change and the texts at hand. */
import type { Diff } from '../../domain/diff/diff.ts';
import { readAttributes } from '../../domain/repository/git-attributes.ts';
import { compilePatterns } from '../../domain/repository/path-patterns.ts';
import { onlyChangedLines, type PullView } from '../../domain/review/review.ts';
import type { ReviewContext } from './context.ts';
import type { ChangeSignals, Scanned, ScannedChange } from '../../domain/run/scan.ts';
import { decideReview } from './decide-review-signals.ts';
import { readSides } from './sides.ts';

/** What rules find, for whomever it is. Pure; `diff` is the view's own, parsed. */
export function scanChange(view: Omit<ScannedChange, 'diff'>, diff: Diff): ChangeSignals {
  const { head, base, unfit } = readSides(diff, view.head);
  const { findings, notRead } = decideReview(diff, {
    ...(view.basePaths === undefined ? {} : { paths: headPaths(view.basePaths, diff) }),
    head,
    base,
    leftOut: leftOutBy(view),
    secrets: new Map(Object.entries(view.secrets)),
  });
  return { findings, notRead: [...notRead, ...unfit.map(onlyChangedLines)] };
}

export interface ReviewSignals extends ChangeSignals {
  /** The rules have not read the change: no findings mean nothing then. */
  isUnread: boolean;
}

/**
 * The signals of the look's own scan, reduced to those that concern the personas that were asked. An older worker
 * recorded its result without a scan; the same scan is made here then.
 */
export function signalsOf(
  { view, scan }: { view: Read; scan?: Scanned<ChangeSignals> },
  diff: Diff,
): ReviewSignals {
  if (scan?.kind === 'not-read')
    return { findings: [], notRead: [`what the rules read: ${scan.reason}`], isUnread: true };
  const { findings, notRead } = scan?.found ?? scanChange(view, diff);
  const { concerns } = view;
  const counted =
    concerns === undefined
      ? findings
      : findings.filter(({ personas }) => personas.some((handle) => concerns.includes(handle)));
  return { findings: counted, notRead, isUnread: false };
}

type Read = Omit<ScannedChange, 'diff'> & Pick<PullView, 'concerns'>;

/** What the repository itself says that nobody has to read: its configuration, then its attributes. */
export function leftOutBy({
  config,
  attributes,
}: Pick<ScannedChange, 'config' | 'attributes'>): NonNullable<ReviewContext['leftOut']> {
  // A pattern that cannot be used leaves nothing out.
  const ignored = compilePatterns(config.paths.ignored, { ignoresCase: false });
  const declared = readAttributes(attributes ?? '');
  return (path) => (ignored.fits(path) ? 'ignored' : declared(path));
}

/** What the head has: the branch it goes to, with what the change adds, moves and removes. */
function headPaths(basePaths: readonly string[], { files }: Diff): string[] {
  const gone = new Set(
    files.flatMap((file) => {
      if (file.status === 'deleted') return [file.path];
      return file.status === 'renamed' && file.oldPath !== undefined ? [file.oldPath] : [];
    }),
  );
  const paths = new Set(basePaths.filter((path) => !gone.has(path)));
  for (const file of files) if (file.status !== 'deleted') paths.add(file.path);
  return [...paths];
}
