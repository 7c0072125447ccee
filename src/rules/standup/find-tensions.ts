/** Finds the tensions of a run by rules, and says whose each of them is to tell. */
import type { StandupVoice } from '../../domain/run/scan.ts';
import type { StandupAnswer } from '../../domain/standup/standup-answer.ts';
import { inventionFinder } from '../../domain/standup/inventions.ts';
import { recordTexts } from '../../domain/standup/look-back/record.ts';
import { tokenise } from '../../domain/text/words.ts';
import { CHANGE_LENSES } from './change-lenses.ts';
import { LENSES, type Lens, type LensInput, type Sighted } from './lens.ts';
import { PROCESS_LENSES } from './process-lenses.ts';

/** A sighting with who tells it. */
export interface Told extends Sighted {
  from: string;
}

const ALL: readonly Lens[] = [...PROCESS_LENSES, ...CHANGE_LENSES];

/** Of one lens: repeated tensions are reported at their worst. */
const MOST_OF_A_LENS = 2;

/** Every tension that rules see, each with one teller, worst first within a lens. Nothing for a clean run. */
export function findTensions(input: LensInput, team: readonly StandupVoice[]): Told[] {
  const { record, viewed } = input;
  // What rules say is held to what models are held to (LS-12).
  const material = [...(viewed.record ?? []), ...recordTexts(record)];
  const findInvention = inventionFinder({ ...viewed, record: material });
  return ALL.flatMap((lens) => {
    const found = lens
      .find(input)
      .filter((sighted) => findInvention(sighted) === undefined)
      .toSorted((a, b) => b.weight - a.weight || (a.message < b.message ? -1 : 1))
      .slice(0, MOST_OF_A_LENS);
    const ranked = rankFor(lens, team);
    return found.flatMap((sighted) => {
      // Who did it sees it last.
      const from = ranked.find(({ handle }) => handle !== sighted.about) ?? ranked[0];
      return from === undefined ? [] : [{ ...sighted, from: from.handle }];
    });
  });
}

/** One participant's answer, in the form that models answer in: both go the same way from here. */
export function answerOf(told: readonly Told[], handle: string): StandupAnswer {
  return {
    insights: told
      .filter(({ from }) => from === handle)
      .toSorted((a, b) => LENSES.indexOf(a.lens) - LENSES.indexOf(b.lens))
      .map(({ about, type, message, actionable }) => ({
        to: about === undefined || about === handle ? 'none' : about,
        insight_type: type,
        message,
        actionable,
      })),
  };
}

/** What somebody looks for past their own task says most, then the lens, then domains and role. */
function scoreOf(lens: Lens, { overwatch, lens: own, domains, role }: StandupVoice): number {
  const wanted = new Set(tokenise(lens.words));
  const share = (text: string): number =>
    new Set(tokenise(text)).values().reduce((sum, word) => sum + (wanted.has(word) ? 1 : 0), 0);
  return 3 * share(overwatch) + 2 * share(own) + share(domains.join(' ')) + share(role);
}

/** Most concerned first; among equals the one who took part first. */
function rankFor(lens: Lens, team: readonly StandupVoice[]): StandupVoice[] {
  return team
    .map((onlooker) => ({ onlooker, score: scoreOf(lens, onlooker) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ onlooker }) => onlooker);
}
