/** What all voices of a run are asked after it, in one short prompt for a cheap model. */
import type { ReflectedVoice, ReflectionMaterial } from '../../../domain/memory/reflection.ts';
import type { Prompt } from '../../../domain/event/effect-values.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import { quarantine, quarantineRules } from '../../../domain/prompt/quarantine.ts';
import {
  joinPrompt,
  NOTHING,
  prompt,
  trusted,
  type PromptText,
} from '../../../domain/prompt/prompt-text.ts';
import { redactSecrets } from '../../../domain/secrets/secret-text.ts';
import { SAFETY_PREAMBLE } from '../../../domain/persona/soul-rules.ts';

export interface ReflectionPrompt {
  material: ReflectionMaterial;
  /** Those who may learn from it. */
  personas: readonly Persona[];
  /** Lessons that they keep already, by handle. */
  known: Readonly<Record<string, readonly string[]>>;
  nonce: string;
}

/**
 * The reflection of a run is to cost at most $0.002, a repaired answer included, so what was said is cut. What a model thinks
 * comes on top: no request limits it.
 */
const MAX_FINDINGS = 4;
const MAX_EVIDENCE = 80;
const MAX_SAID = 4_800;
const MAX_KNOWN = 10;
const MAX_LENS = 140;

export function reflectionPrompt({ material, personas, known, nonce }: ReflectionPrompt): Prompt {
  return {
    shared: [
      prompt`## Safety\n\n${trusted(SAFETY_PREAMBLE)}\n\n${quarantineRules(nonce)}`,
      whatHappened(material, nonce),
    ],
    own: [prompt`## Who learns\n\n${trusted(personas.map(describePersona).join('\n'))}`],
    task: joinPrompt([knownLessons({ personas, known }, nonce), TASK]),
  };
}

function describePersona({ handle, name, role, lens }: Persona): string {
  return `- ${handle}: ${name}, ${role}. Looks for: ${lens.slice(0, MAX_LENS)}`;
}

function whatHappened(material: ReflectionMaterial, nonce: string): PromptText {
  const { verdict, headline, voices, answered, subject } = material;
  const lines = [
    `Verdict: ${verdict}. ${headline}`,
    ...(answered === undefined
      ? []
      : [`Asked: ${answered.question} ${answered.by} answered: ${answered.words ?? ''}`]),
    ...voices.map(({ handle, vote, line }) => `@${handle}: ${vote}. ${line}`),
    ...inTurns(voices.map(findingsOf)),
  ];
  const source =
    subject === 'change' ? 'what the team said of a change' : 'what the team said of an issue';
  return prompt`## What happened\n\n${quarantine({ source, trust: 'stranger', text: lines.join('\n'), most: MAX_SAID }, nonce).block}`;
}

function findingsOf({ handle, findings }: ReflectedVoice): string[] {
  return findings
    .slice(0, MAX_FINDINGS)
    .map(({ severity, title, evidence, path, line: at, endLine }) => {
      const lines = at === undefined ? '' : `#L${at}-L${endLine ?? at}`;
      const place = path === undefined ? '' : ` (${path}${lines})`;
      // Half a credential is not recognised any more.
      const shown = redactSecrets(evidence).slice(0, MAX_EVIDENCE);
      return `- @${handle}, ${severity}: ${title}${place}. ${shown}`;
    });
}

/** The first of each list, then the second of each: where the rest is cut, every list has lost as much. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();
}

function knownLessons(
  { personas, known }: Pick<ReflectionPrompt, 'personas' | 'known'>,
  nonce: string,
): PromptText {
  const owners = new Map<string, string[]>();
  const lists = personas.map(({ handle }) =>
    (known[handle] ?? []).map((lesson) => ({ handle, lesson })),
  );
  for (const { handle, lesson } of inTurns(lists))
    owners.set(lesson, [...(owners.get(lesson) ?? []), handle]);
  if (owners.size === 0) return NOTHING;
  const text = [...owners]
    .slice(0, MAX_KNOWN)
    .map(([lesson, handles]) => `- ${handles.join(', ')}: ${lesson}`)
    .join('\n');
  return prompt`## What they know already\n\n${quarantine({ source: 'their notes', trust: 'stranger', text }, nonce).block}`;
}

const TASK = `## Now

What will help each of them in later work on this repository? Write at most 2 lessons for one of them and 5 in all, each one sentence of at most 300 characters that names a file, a rule of these people or a fact of this code. \`for\`: the handles of those whose work it helps; a lesson for two is written once. Cite lines from above where there are any. Leave out what would hold for every project, and what those whom it would help know already. No lesson is a good answer. \`category\`: PATTERN (seen in the code), DECISION (people decided it), OBSERVATION, HYPOTHESIS (unsure), TODO. \`words\`: other words by which somebody would search for it.`;
