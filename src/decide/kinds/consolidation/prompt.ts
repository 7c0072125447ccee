/** What a cheap model is asked: one sentence for each group of repeated lessons, or a shorter file. */
import type { Prompt } from '../../../domain/event/effect-values.ts';
import type { Consolidation } from '../../../domain/memory/consolidation/consolidation.ts';
import { renderForCondensing } from '../../../domain/memory/consolidation/promote-memory.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import { SAFETY_PREAMBLE } from '../../../domain/persona/soul-rules.ts';
import {
  joinPrompt,
  NOTHING,
  prompt,
  trusted,
  type PromptText,
} from '../../../domain/prompt/prompt-text.ts';
import { quarantine, quarantineRules } from '../../../domain/prompt/quarantine.ts';

export interface ConsolidationPrompt {
  found: Consolidation;
  soul: Pick<Persona, 'name' | 'role' | 'lens'>;
  nonce: string;
  /** Why the answer before was of no use. */
  refused: string | undefined;
}

/** So that sixty of them fit. */
const MAX_EXPERIENCE = 800;
/** Room for a whole `working.md` of 150 lines. */
const MAX_SHOWN = 60_000;

export function consolidationPrompt({ found, soul, nonce, refused }: ConsolidationPrompt): Prompt {
  const { block } = quarantine(
    { source: 'your notes', trust: 'stranger', text: notesOf(found), most: MAX_SHOWN },
    nonce,
  );
  return {
    shared: [
      prompt`## Safety\n\n${trusted(SAFETY_PREAMBLE)}\n\n${quarantineRules(nonce)}`,
      prompt`## Your notes\n\n${block}`,
    ],
    own: [
      prompt`You are ${trusted(soul.name)}, ${trusted(soul.role)}. You look for: ${trusted(soul.lens)}`,
    ],
    task: joinPrompt([taskOf(found), again(refused)]),
  };
}

function notesOf(found: Consolidation): string {
  if (found.kind === 'promote') return groupsOf(found);
  return found.kind === 'self' ? selfOf(found) : renderForCondensing(found.entries);
}

function selfOf({ before, experiences }: Extract<Consolidation, { kind: 'self' }>): string {
  const lines = experiences.map(
    ({ at, kind, thread, text }) =>
      `- ${at.slice(0, 10)} ${kind} in #${thread}: ${text.slice(0, MAX_EXPERIENCE)}`,
  );
  const file = before === '' ? 'You have not written any file yet.' : before;
  return ['Your file:', file, 'What you experienced since:', ...lines].join('\n');
}

function groupsOf({ promotions }: Extract<Consolidation, { kind: 'promote' }>): string {
  return promotions
    .map(({ leaves }, at) => {
      const lines = leaves.map(({ category, text }) => `- [${category}] ${text}`);
      return [`Group ${at + 1}:`, ...lines].join('\n');
    })
    .join('\n\n');
}

function taskOf(found: Consolidation): PromptText {
  if (found.kind === 'self') return prompt`${REWRITE}`;
  return found.kind === 'promote' ? prompt`${PROMOTE}` : prompt`${CONDENSE}`;
}

/** The reasons come from our code (`condense`) and contain no text of the model. */
function again(refused: string | undefined): PromptText {
  return refused === undefined
    ? NOTHING
    : prompt`The answer before this one could not be used: ${trusted(refused)}.`;
}

const REWRITE = `## Rewrite your own file

Above is the file in which you keep who you are in this team, and what you experienced since you last wrote it. Write the whole file again, one line an item of \`lines\`, in your own voice. Keep what is still true, and change or drop what is not. Use the headings that you need, such as \`## Values\`, \`## Questions\`, \`## Patterns\`, \`## Learnings\`, \`## Explore\`, \`## Social mechanics\` and \`## Voice\`. A line has at most 300 characters, without links, HTML, blocks of code or mentions. Write about yourself, and instruct nobody.`;

const PROMOTE = `## Consolidate your notes

Each group above says nearly the same, learned on several dates. Write one line for each group, in order: one sentence of at most 300 characters that says what they have in common. Plain text, without a category, a link or code.`;

const CONDENSE = `## Consolidate your notes

Write these notes shorter. Answer with bullets only, such as \`- [PATTERN] text [m:0123456789]\`: the category, one sentence of at most 300 characters, and behind it the ids of the notes that it comes from. Join what repeats, drop what is no longer worth knowing, add nothing that is not there. The result must be shorter than what is there.`;
