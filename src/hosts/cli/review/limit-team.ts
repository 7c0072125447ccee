/** Whom a review at a terminal asks: the terminal outranks the repository. */
import { nearest } from '../../../domain/text/nearest.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import type { PullView } from '../../../domain/review/review.ts';
import { activeTeam, findLead, resolvePersona } from '../../../domain/persona/roster.ts';
import { usageError } from '../report-failure.ts';

/** The handles that were asked for. ConfigError `persona-unknown`. */
export function chosenHandles(
  names: readonly string[] | undefined,
  personas: readonly Persona[],
): string[] | undefined {
  if (names === undefined) return undefined;
  const team = activeTeam(personas, { board: false });
  return names.map((name) => {
    const persona = resolvePersona(team, name);
    if (persona !== undefined) return persona.handle;
    const handles = team.map(({ handle }) => handle);
    const close = nearest(name, handles);
    const hint = close === undefined ? '' : ` Did you mean ${close}?`;
    throw usageError(
      'persona-unknown',
      `Nobody in the team is called ${JSON.stringify(name)}.${hint} There are ${handles.join(', ')}.`,
    );
  });
}

/** Leaves the chosen ones and the lead, who closes the review on what concerns them alone. */
export function limitTeam(view: PullView, handles: string[] | undefined): void {
  if (handles === undefined) return;
  const lead = findLead(activeTeam(view.personas, { board: false }), 'pr_review');
  view.concerns = handles;
  // Those who sit out stay known: a finding of a chosen one may name them too.
  view.personas = view.personas.map((persona) =>
    persona.handle === lead?.handle || handles.includes(persona.handle)
      ? persona
      : { ...persona, active: false },
  );
}
