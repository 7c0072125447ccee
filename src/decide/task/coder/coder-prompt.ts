/**
 * A coder's prompt: our rules, the whole approved task, what it may look at first, how to ask; then data, marked as
 * such.
 */
import {
  inline,
  joinPrompt,
  NOTHING,
  prompt,
  trusted,
  type PromptText,
} from '../../../domain/prompt/prompt-text.ts';
import { quarantine, quarantineRules, type Trust } from '../../../domain/prompt/quarantine.ts';
import { redactSecrets } from '../../../domain/secrets/secret-text.ts';
import { changePart } from '../../../domain/task/change-part.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';

export interface CoderPromptRequest {
  /** `acme/shop`. */
  repository: string;
  /** Where the work will be committed, by us. */
  branch: string;
  baseSha: string;
  plan: { number: number; title: string };
  task: ApprovedTask;
  /** What the PM thinks is worth reading first. */
  excerpts: readonly Excerpt[];
  /** What the team remembers. */
  notes: readonly SourcedText[];
  /** Words of people and programs around the task: comments, why an earlier attempt failed. */
  outside: readonly SourcedText[];
  /** Patches of earlier attempts. */
  changes?: readonly { source: string; text: string }[];
  /** Around other people's words; random, of one run. */
  nonce: string;
}

/** As it was approved, and nothing that came after: the one text of a repository that instructs. */
export interface ApprovedTask {
  number: number;
  title: string;
  /** Markdown, whole. */
  text: string;
}

export interface Excerpt {
  /** Relative to the repository's root. */
  path: string;
  /** Line that it begins at, from 1. */
  from: number;
  text: string;
}

export interface SourcedText {
  /** For the label: `memory, conventions`; `output of gate 1`. */
  source: string;
  author?: string;
  trust: Trust;
  text: string;
}

// INJ-10: caps for each source, so that nobody pushes the rules or the task out with sheer length.
const MAX_EXCERPT = 12_000;
const MAX_EXCERPTS = 20;
const MAX_TEXT = 8_000;
const MAX_TEXTS = 20;

/** One text for standard input. The task is never cut, because the person who approved it approved all of it. */
export function coderPrompt(request: CoderPromptRequest): PromptText {
  const { excerpts, notes, outside, changes = [], nonce } = request;
  return joinPrompt([
    HOUSE_RULES,
    taskPart(request),
    prompt`## Other people's words\n\n${quarantineRules(nonce)}`,
    part(
      'Where to look first',
      excerpts.slice(0, MAX_EXCERPTS).map((each) => excerptBlock(each, nonce)),
    ),
    HOW_TO_ASK,
    part('What the team remembers', blocksOf(notes, nonce)),
    part('What was said around it', blocksOf(outside, nonce)),
    ...changes.map(({ source, text }) => changePart(text, { source, delimiter: nonce })),
    HOW_TO_END,
  ]);
}

const HOUSE_RULES = `## House rules

You write code for one task in a checkout of a repository. Nothing leaves this folder but your changes to its files: the team looks at them, tests them and commits them.

- Do the task as it stands: all of it, nothing beside it. What else you notice goes into \`note\`.
- Read before you write. Follow the habits of the code around you, and reuse what is there before you add.
- Every change of behaviour has its test, in the style of the tests that are there. Run the tests that your change touches. Never skip, loosen or delete a test or a check to make it pass.
- Change files inside this repository only. Leave \`.git\`, \`.github/workflows\`, and the settings of agents alone unless the task names them.
- git is for reading here. You do not commit, switch branches, reset, force or push: we do that.
- Install no software for the system and add no dependency that the task does not name. There is no network; what is missing is missing.
- No destructive commands: nothing that deletes or overwrites what the task does not name, no killing of processes that you did not start.
- Credentials are none of your business. If you come across one, name the file and the line in a \`note\`, never its value.
- When a rule is in the way of the task, stop and say which rule and why. Do not look for a way around it.`;

function taskPart({ repository, branch, baseSha, plan, task }: CoderPromptRequest): PromptText {
  const text = redactSecrets(visibleText(task.text, Number.POSITIVE_INFINITY).text);
  return joinPrompt([
    '## The task',
    prompt`Repository ${inline(repository)}, at ${inline(baseSha.slice(0, 12))}; your changes will be the branch \`${inline(branch)}\`. Plan #${plan.number}, ${oneLine(plan.title)}. This is its task ${task.number}, as people approved it:`,
    prompt`### ${oneLine(task.title)}`,
    trusted(text.trim()),
  ]);
}

const HOW_TO_ASK = `## How to ask

\`ask_pm\` asks the PM one question: for a decision that the task leaves open and that you cannot settle from the code, or for something that you need and do not have. Give the question whole, the answers to choose from, and what you tried. Small choices are yours: take the careful one and list it among your decisions. Questions in your text are read by nobody.`;

const HOW_TO_END = `## How to end

Look at your own change once more as a reviewer would. Then give the structured result: \`done\` with what you changed and why, or \`could-not\` with what is in the way; and the decisions that the task left to you.`;

function excerptBlock({ path, from, text }: Excerpt, delimiter: string): PromptText {
  const about = { source: `file ${path} from line ${from}`, trust: 'maintainer' as const };
  return quarantine({ ...about, text, most: MAX_EXCERPT }, delimiter).block;
}

function blocksOf(texts: readonly SourcedText[], nonce: string): PromptText[] {
  return texts
    .slice(0, MAX_TEXTS)
    .map((said) => quarantine({ ...said, isMarkdown: true, most: MAX_TEXT }, nonce).block);
}

function part(title: string, blocks: readonly PromptText[]): PromptText {
  return blocks.length === 0 ? NOTHING : joinPrompt([prompt`## ${inline(title)}`, ...blocks]);
}

function oneLine(text: string): PromptText {
  return inline(visibleText(text, 200).text);
}
