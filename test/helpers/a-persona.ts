/** Builds personas for tests: valid with nothing said, and whatever the test is about on top. */
import { PersonaFrontMatter } from '../../src/domain/persona/persona.ts';
import type { Persona, PersonaSections } from '../../src/domain/persona/persona.ts';

const NO_PROSE: PersonaSections = {
  whoIAm: 'I am somebody.',
  worldview: '',
  opinions: [],
  expertise: '',
  tensions: '',
  boundaries: '',
  petPeeves: '',
  wouldSay: [],
  wouldNeverSay: [],
  modes: {},
  overwatch: '',
  phrases: {},
};

export function aPersona(overrides: Partial<Persona> = {}): Persona {
  const front = PersonaFrontMatter.parse({
    handle: 'robin',
    name: 'Robin',
    role: 'Reviewer',
    team: 'engineering',
    lens: 'things',
  });
  return { ...front, ...NO_PROSE, ...overrides };
}

/** A persona file's text: the least that is valid, with lines added to its front matter and its body. */
export function aPersonaText(front = '', body = '## Who I am\n\nSomebody.\n'): string {
  const base = 'handle: robin\nname: Robin\nrole: Reviewer\nteam: engineering\nlens: things\n';
  return `---\n${base}${front}---\n\n${body}`;
}
