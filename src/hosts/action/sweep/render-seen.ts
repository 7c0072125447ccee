/** What the code watch of a sweep found, for the summary of the job. A public repository's summary is public. */
import type { WatchState } from '../../../domain/repository/watched-code.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';
import { counted } from '../../../domain/text/counted.ts';
import { isWorthAnIssue } from '../../cli/sweep/watch-json.ts';

const MOST_SHOWN = 10;

export function renderSeen(seen: WatchState, { isPrivate }: { isPrivate: boolean }): string[] {
  const worth = seen.candidates.filter(isWorthAnIssue);
  const shown = worth.filter(({ candidate }) => isPrivate || !candidate.isConfidential);
  const withheld = worth.length - shown.length;
  const lines = shown.slice(0, MOST_SHOWN).map(({ candidate, judgement }) => {
    const [place] = candidate.places;
    const where = place === undefined ? '' : ` at ${codeSpan(`${place.path}:${place.line}`)}`;
    const word = judgement?.word === 'HUMAN' ? 'A person decides' : 'Worth an issue';
    return `${word}: ${codeSpan(candidate.title)}${where}, ${candidate.severity}, rule ${codeSpan(candidate.ruleId)}.`;
  });
  return [
    ...lines,
    ...(withheld === 0
      ? []
      : [
          `${counted(withheld, 'finding')} may be confidential and this summary is public. Run \`quorum sweep\` to read it.`,
        ]),
    worth.length === 0
      ? `Nothing worth an issue in ${counted(seen.files, 'file')}.`
      : 'No issue is opened: only the App does that, after `/pm watch`.',
  ];
}
