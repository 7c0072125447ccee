/** The prompt behind an answer: rules, thread and evidence as in a discussion, the persona, then the question as data. */
import type { Prompt } from '../../../domain/event/effect-values.ts';
import type { Evidence } from '../../../domain/run/evidence.ts';
import type { RecalledMemory } from '../../../domain/memory/recall/recalled.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import { quarantine, trustOf } from '../../../domain/prompt/quarantine.ts';
import {
  joinPrompt,
  NOTHING,
  prompt,
  trusted,
  type PromptText,
} from '../../../domain/prompt/prompt-text.ts';
import { compileSoul, ownBlocks, renderBlocks } from '../../../domain/persona/soul.ts';
import type { Question } from '../../../domain/run/talk.ts';
import type { Actor } from '../../../domain/run/thread-ref.ts';
import type { IssueView } from '../../../domain/run/view.ts';
import { sharedPrompt } from '../../discussion/ask/council-prompt.ts';
import { memoryFor } from '../../run/prompt/memory-part.ts';

export interface AnswerRequest {
  view: IssueView;
  nonce: string;
  evidence: Evidence;
  persona: Persona;
  question: Question;
  asker: Actor;
  memory?: RecalledMemory | undefined;
}

const MAX_QUESTION = 4_000;
const MAX_SAID = 6_000;
const MAX_DIFF = 60_000;

export function answerPrompt(request: AnswerRequest): Prompt {
  const { view, nonce, evidence, persona, question, memory } = request;
  const shared = sharedPrompt({ view, nonce, evidence, persona });
  const soul = trusted(renderBlocks(ownBlocks(compileSoul(persona, { trigger: 'chat_message' }))));
  const task = joinPrompt([
    changeBlock(view, nonce),
    saidBlocks(question, nonce),
    questionBlock(request),
    question.maybeCircle === true ? CIRCLE : '',
    question.onlyMissing === true ? ONLY_MISSING : '',
    TASK,
  ]);
  const rest = { shared, own: [soul, task], voices: 1 };
  const notes = memoryFor(persona, memory, { rest, nonce, citedIn: prompt`\`text\`` });
  return { shared, own: [soul, ...notes], task };
}

function changeBlock({ diff, issue }: IssueView, nonce: string): PromptText {
  if (diff === undefined || diff === '') return NOTHING;
  const { block } = quarantine(
    {
      source: 'the change of this pull request',
      author: issue.author.login,
      trust: trustOf(issue.authorPermission),
      text: diff,
      most: MAX_DIFF,
    },
    nonce,
  );
  return prompt`## The change\n\n${block}`;
}

/** What other agents, or one of our personas, have said: data of the lowest trust. */
function saidBlocks({ alreadySaid = [], after }: Question, nonce: string): PromptText {
  const said =
    after === undefined ? alreadySaid : [`${after.handle}: ${after.text}`, ...alreadySaid];
  if (said.length === 0) return NOTHING;
  const about = { source: 'already said', trust: 'stranger' as const };
  const { block } = quarantine(
    { ...about, text: said.join('\n\n'), isMarkdown: true, most: MAX_SAID },
    nonce,
  );
  return prompt`## Already said, do not repeat it\n\n${block}`;
}

function questionBlock({ question, view, asker, nonce }: AnswerRequest): PromptText {
  const { block } = quarantine(
    {
      source: 'the question',
      author: asker.login,
      trust: trustOf(view.actorPermission),
      text: question.text,
      isMarkdown: true,
      most: MAX_QUESTION,
    },
    nonce,
  );
  return prompt`## The question\n\n${block}`;
}

const CIRCLE =
  'The talk may be turning in a circle: add only what is new, and end it when there is nothing.';
const ONLY_MISSING = 'Others have answered: add only what is missing in what they said.';
const TASK =
  '## Now\n\nAnswer the question above, in its language, through your own lens, in at most 150 words. Rest it on the files, the evidence and the thread; put every place and issue you rest on into `references`, with lines where you know them. Say plainly what you do not know or could not see. Do not promise work, and do not repeat the question. You cannot act: where something has to be done, name the command that a person would give, in code, such as `/pm review`.';
