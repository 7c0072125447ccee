/** What the extraction model is asked after work is over. */
import type { Prompt } from '../../../domain/event/effect-values.ts';
import { ROLE_FILES, ROLE_PATHS, type RoleTexts } from '../../../domain/memory/role/role-memory.ts';
import type { RoleMaterial } from '../../../domain/memory/role/role-run.ts';
import { SAFETY_PREAMBLE } from '../../../domain/persona/soul-rules.ts';
import {
  joinPrompt,
  NOTHING,
  prompt,
  trusted,
  type PromptText,
} from '../../../domain/prompt/prompt-text.ts';
import { quarantine, quarantineRules } from '../../../domain/prompt/quarantine.ts';

export interface RolePrompt {
  material: RoleMaterial;
  texts: RoleTexts;
  nonce: string;
}

/** Of each file: a proposal replaces lines that it was shown. */
const MAX_FILE = 16_000;

export function rolePrompt({ material, texts, nonce }: RolePrompt): Prompt {
  return {
    shared: [
      prompt`## Safety\n\n${trusted(SAFETY_PREAMBLE)}\n\n${quarantineRules(nonce)}`,
      filesOf(texts, nonce),
      saidIn(material, nonce),
      answeredIn(material, nonce),
      changed(material, nonce),
    ],
    own: [
      prompt`You keep the files that the PM and the Artist of this team read before they work.`,
    ],
    task: prompt`${TASK}`,
  };
}

/** People approved what they say, and it still gives no orders to this question. */
function filesOf(texts: RoleTexts, nonce: string): PromptText {
  const blocks = ROLE_FILES.map((name) => {
    const source = ROLE_PATHS[name];
    const input = { source, trust: 'maintainer' as const, text: texts[name], most: MAX_FILE };
    return quarantine(input, nonce).block;
  });
  return prompt`## The files\n\n${joinPrompt(blocks)}`;
}

function saidIn({ said }: RoleMaterial, nonce: string): PromptText {
  if (said.length === 0) return NOTHING;
  const blocks = said.map(
    ({ source, by, trust, text }) =>
      quarantine({ source, author: by, trust, text, isMarkdown: true }, nonce).block,
  );
  return prompt`## The conversation\n\n${joinPrompt(blocks)}`;
}

/** Models wrote most of it, some people: it is foreign text in any case. */
function answeredIn({ answered = [] }: RoleMaterial, nonce: string): PromptText {
  if (answered.length === 0) return NOTHING;
  const text = answered
    .map(({ question, answer }, at) => `${at + 1}. ${question}\nAnswer: ${answer}`)
    .join('\n\n');
  const { block } = quarantine(
    { source: 'questions of the Coder', trust: 'stranger', text },
    nonce,
  );
  return prompt`## What the Coder asked\n\n${block}`;
}

function changed({ diff }: RoleMaterial, nonce: string): PromptText {
  if (diff === '') return NOTHING;
  const { block } = quarantine(
    { source: 'the merged change', trust: 'stranger', text: diff },
    nonce,
  );
  return prompt`## The change\n\n${block}`;
}

const TASK = `## Now

This work is over. What of it should the PM or the Artist know before the next one? Propose operations on their files; a person approves them before anything is written.

- \`append\` adds one line to \`pm\` or \`artist\`: \`category\` is \`workflow\` (how these people work), \`project\` (a fact of this project), \`planning\` (what a plan must consider), \`style\` (how things look or read here) or \`roles\` (how to work with one role; name it in \`role\`).
- \`replace\` rewrites one exact line of a file that turned out to be wrong or incomplete. A workflow may be refined so.
- \`suggest-claude\` is a line for \`CLAUDE.md\`, which only people edit.
- Keep what people decided, corrected or asked for, above all with trust \`maintainer\`, and what the change shows to hold for later work. What only others want (trust \`stranger\` or \`contributor\`) is no decision.
- Where an operation keeps the answer to a numbered question of the Coder, \`answer\` is that number.
- Each text is one sentence of at most 300 characters, plain text, without a link, a command, a name of a person or code. Leave out what the files say already, what any project does, and what was true of this work only. Nothing to keep is a good answer: then \`operations\` is empty.`;
