/**
 * A rule about a whole repository. It is like a review's rule, but it sees every file and can report what is missing.
 */
import type { RuleWords, Sighting } from '../change/change-rule.ts';
import type { Repository } from './repository-links.ts';

/** Path → text of every file of a small repository. */
export type WatchExample = Readonly<Record<string, string>>;

/** What candidates are made with. */
export interface SureWords extends RuleWords {
  /** How often what it says is so, from 0 to 1: an estimate, by how much of it is certain from the text alone. */
  certainty: number;
}

export interface WatchRule extends SureWords {
  examples: { yes: readonly WatchExample[]; no: readonly WatchExample[] };
  /** Total and linear. Where something was not read, a rule about something missing stays silent. */
  find: (repository: Repository) => readonly Sighting[];
}
