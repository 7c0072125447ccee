/** What a voice is asked after a run: a short prompt for a cheap model. */
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
import { SAFETY_PREAMBLE } from '../../../domain/persona/soul-rules.ts';

export interface ReflectionPrompt {
  material: ReflectionMaterial;
  persona: Persona;
  /** Lessons that this persona keeps already. */
  known: readonly string[];
  nonce: string;
}

/** A reflection is to cost at most $0.002 (spec 07), so what was said is cut. */
const MAX_FINDINGS = 4;
const MAX_EVIDENCE = 80;

export function reflectionPrompt({ material, persona, known, nonce }: ReflectionPrompt): Prompt {
  return {
    shared: [
      prompt`## Safety\n\n${trusted(SAFETY_PREAMBLE)}\n\n${quarantineRules(nonce)}`,
      whatHappened(material, nonce),
    ],
    own: [
      prompt`You are ${trusted(persona.name)}, ${trusted(persona.role)}. You look for: ${trusted(persona.lens)}`,
    ],
    task: joinPrompt([knownLessons(known, nonce), TASK]),
  };
}

function whatHappened(material: ReflectionMaterial, nonce: string): PromptText {
  const { verdict, headline, voices, answered, subject } = material;
  const lines = [
    `Verdict: ${verdict}. ${headline}`,
    ...(answered === undefined
      ? []
      : [`Asked: ${answered.question} ${answered.by} answered: ${answered.words ?? ''}`]),
    ...voices.flatMap(linesOf),
  ];
  const source =
    subject === 'change' ? 'what the team said of a change' : 'what the team said of an issue';
  return prompt`## What happened\n\n${quarantine({ source, trust: 'stranger', text: lines.join('\n') }, nonce).block}`;
}

function linesOf({ handle, vote, line, findings }: ReflectedVoice): string[] {
  return [
    `@${handle}: ${vote}. ${line}`,
    ...findings
      .slice(0, MAX_FINDINGS)
      .map(({ severity, title, evidence, path, line: at, endLine }) => {
        const place =
          path === undefined
            ? ''
            : ` (${path}${at === undefined ? '' : `#L${at}-L${endLine ?? at}`})`;
        return `- ${severity}: ${title}${place}. ${evidence.slice(0, MAX_EVIDENCE)}`;
      }),
  ];
}

function knownLessons(known: readonly string[], nonce: string): PromptText {
  if (known.length === 0) return NOTHING;
  const text = known.map((lesson) => `- ${lesson}`).join('\n');
  return prompt`## What you know already\n\n${quarantine({ source: 'your notes', trust: 'stranger', text }, nonce).block}`;
}

const TASK = `## Now

What will help you in later work on this repository? Write at most 3 lessons, each one sentence of at most 300 characters that names a file, a rule of these people or a fact of this code. Cite lines from above where there are any. Leave out what would hold for every project, and what you know already. No lesson is a good answer. \`category\`: PATTERN (seen in the code), DECISION (people decided it), OBSERVATION, HYPOTHESIS (unsure), TODO. \`words\`: other words by which you would search for it.`;
