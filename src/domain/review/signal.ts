/** What a rule found, and where. */
export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';

/** A place in the repository at the commit that was read. */
export interface Place {
  path: string;
  line?: number;
  endLine?: number;
}

/** One fact, found by a rule, with where it was seen. */
export interface Signal {
  /** Stable id of the rule, kebab-case. */
  ruleId: string;
  severity: Severity;
  /** One sentence, concrete. */
  title: string;
  /** What was seen: quoted words, a name, a count. */
  evidence: string;
  place?: Place;
  /** A past issue this is about. */
  issue?: { number: number; title: string; state: 'open' | 'closed' };
  /** Persona handles or lenses whom it concerns. */
  concerns: string[];
  /** How often a rule like this is right, from 0 to 1, where that is known. */
  certainty?: number;
  /** What would settle it, where that is known. */
  suggestion?: string;
  /** It was reported for an earlier head and still applies. */
  isKnown?: true;
}
