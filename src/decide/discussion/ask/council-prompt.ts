/** The council's prompts. What all voices of a round share comes first, byte for byte, so that it is paid for once. */
import type { DiscussionRun } from '../../../domain/run/state/run-record.ts';
import type { Purpose } from '../../../domain/run/council.ts';
import { ballotOf } from '../../../domain/run/ballot.ts';
import type { Prompt } from '../../../domain/event/effect-values.ts';
import type { Evidence } from '../../../domain/run/evidence.ts';
import type { RecalledMemory } from '../../../domain/memory/recall/recalled.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import { quarantine, trustOf } from '../../../domain/prompt/quarantine.ts';
import {
  joinPrompt,
  listed,
  NOTHING,
  prompt,
  type PromptText,
} from '../../../domain/prompt/prompt-text.ts';
import {
  briefRoadmap,
  fullRoadmap,
  parseRoadmap,
  seesWholeRoadmap,
} from '../../../domain/roadmap/roadmap.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { IssueView } from '../../../domain/run/view.ts';
import { isIssueRun } from '../verdict/kind.ts';
import { renderEvidence } from '../../../rules/issue/render-evidence.ts';
import { memoryFor } from '../../run/prompt/memory-part.ts';
import { guidanceOf, positionsSoFar, rulesFor, soulFor } from '../../run/prompt/prompt-parts.ts';
import {
  commentBlock,
  MAX_COMMENT,
  questionAsked,
  wordsOf,
} from '../../run/prompt/prompt-words.ts';

export interface PromptRequest {
  run: DiscussionRun;
  view: IssueView;
  /** Around other people's words. */
  nonce: string;
  /** With the positions that this voice may see. */
  evidence: Evidence;
  persona: Persona;
  purpose: Purpose;
  memory?: RecalledMemory | undefined;
}

// INJ-10: caps for each source, so that nobody pushes the rules out with sheer length.
const MAX_BODY = 16_000;
const MAX_COMMENTS = 50;
const MAX_FILE = 12_000;
const MAX_FILES = 8;

/** Rules, repository, thread, files and evidence: byte for byte the same for all who are asked about one view. */
export function sharedPrompt(
  request: Pick<PromptRequest, 'view' | 'nonce' | 'evidence'> & {
    persona: Pick<Persona, 'systemPromptOverride'>;
  },
): PromptText[] {
  const { view, nonce, persona } = request;
  return [
    rulesFor(persona, nonce),
    joinPrompt([
      repositoryContext(view, nonce),
      roadmapContext(view, nonce),
      threadContext(view, nonce),
      filesContext(view, nonce),
      evidenceContext(request),
    ]),
  ];
}

/** Builds one voice's prompt: rules, repository and thread as data, evidence, what is asked; then the soul, then whose turn it is. */
export function councilPrompt(request: PromptRequest): Prompt {
  const { run, nonce, persona, purpose, evidence } = request;
  const shared = [
    ...sharedPrompt(request),
    joinPrompt([questionOf(run, nonce), guidanceOf(run, nonce), tasksFor(run)]),
  ];
  const turn = turnFor(run, purpose);
  const roadmap = seesWholeRoadmap(persona) ? wholeRoadmap(request.view, nonce) : NOTHING;
  const own = [
    ...soulFor(persona, { trigger: run.trigger, shared, task: `${turn}${roadmap}` }),
    ...(roadmap === NOTHING ? [] : [roadmap]),
  ];
  const task = joinPrompt([questionAsked(run, nonce), positionsSoFar(evidence, nonce), turn]);
  const rest = { shared, own: [...own, task], isRead: run.round > 1 && purpose !== 'verdict' };
  return { shared, own: [...own, ...memoryFor(persona, request.memory, { rest, nonce })], task };
}

/** What these caps keep out of a prompt, in words for people. */
export function leftOut(view: IssueView): string[] {
  const { cut } = visibleText(view.issue.body, MAX_BODY);
  const older = wordsOf(view).length - MAX_COMMENTS;
  const longest = wordsOf(view).filter((each) => each.body.length > MAX_COMMENT).length;
  return [
    cut > 0 ? `the body beyond its first ${MAX_BODY} characters` : '',
    older > 0 ? `all comments but the newest ${MAX_COMMENTS}` : '',
    longest > 0 ? `what goes beyond ${MAX_COMMENT} characters in a comment` : '',
  ].filter((line) => line !== '');
}

function repositoryContext({ repository, paths }: IssueView, nonce: string): PromptText {
  const top = [...new Set(paths.map((path) => path.split('/')[0] ?? path))].slice(0, 60);
  const facts = `${repository.fullName}, default branch ${repository.defaultBranch}, ${paths.length} files.\nAt the top: ${top.join(', ')}`;
  return prompt`## The repository\n\n${quarantine({ source: 'names in the repository', trust: 'maintainer', text: facts }, nonce).block}`;
}

/** What all voices see of the roadmap, so that it is paid for once. */
function roadmapContext({ roadmap }: IssueView, nonce: string): PromptText {
  if (roadmap === undefined) return NOTHING;
  const text = briefRoadmap(parseRoadmap(roadmap.text));
  if (text === '') return NOTHING;
  const about = { source: `roadmap, ${roadmap.path}`, trust: 'maintainer' as const };
  return prompt`## The roadmap\n\n${quarantine({ ...about, text, isMarkdown: true }, nonce).block}`;
}

/** For those who plan, where it says more than what all see. */
export function wholeRoadmap({ roadmap }: IssueView, nonce: string): PromptText {
  const text = roadmap === undefined ? '' : fullRoadmap(parseRoadmap(roadmap.text));
  if (roadmap === undefined || text === '') return NOTHING;
  const about = { source: `whole roadmap, ${roadmap.path}`, trust: 'maintainer' as const };
  return prompt`## The whole roadmap\n\n${quarantine({ ...about, text, isMarkdown: true }, nonce).block}`;
}

function threadContext(view: IssueView, nonce: string): PromptText {
  const { issue } = view;
  const author = { author: issue.author.login, trust: trustOf(issue.authorPermission) };
  const words = wordsOf(view);
  return joinPrompt(
    [
      prompt`## Issue ${issue.number}\n`,
      quarantine(
        { source: 'labels', trust: 'contributor', text: issue.labels.join(', ') || 'none' },
        nonce,
      ).block,
      quarantine(
        {
          source: `issue ${issue.number}, title`,
          ...author,
          text: issue.title,
          isMarkdown: true,
          most: 400,
        },
        nonce,
      ).block,
      quarantine(
        {
          source: `issue ${issue.number}, body`,
          ...author,
          text: issue.body,
          isMarkdown: true,
          most: MAX_BODY,
        },
        nonce,
      ).block,
      ...words.slice(-MAX_COMMENTS).map((comment) => commentBlock(comment, nonce)),
      words.length > MAX_COMMENTS
        ? prompt`(${words.length - MAX_COMMENTS} older comments left out)`
        : NOTHING,
    ],
    '\n',
  );
}

function filesContext({ files }: IssueView, nonce: string): PromptText {
  if (files.length === 0) return NOTHING;
  const blocks = files
    .slice(0, MAX_FILES)
    .map(
      ({ path, text }) =>
        quarantine(
          { source: `file ${path}`, trust: 'maintainer', text, most: MAX_FILE, firstLine: 1 },
          nonce,
        ).block,
    );
  return joinPrompt(['## Files that the issue is about\n', ...blocks], '\n');
}

/** Found by code, but it quotes what others wrote: so it is data as well, of the lowest trust. */
function evidenceContext({
  view,
  nonce,
  evidence,
}: Pick<PromptRequest, 'view' | 'nonce' | 'evidence'>): PromptText {
  const text = renderEvidence({ ...evidence, positions: [] });
  const source = `evidence found by code at commit ${view.repository.headSha.slice(0, 12)}`;
  return prompt`## Evidence\n\n${quarantine({ source, trust: 'stranger', text }, nonce).block}`;
}

/** The one question of `/pm deliberate`, as somebody wrote it. */
function questionOf({ question }: DiscussionRun, nonce: string): PromptText {
  if (question === undefined) return NOTHING;
  const about = { source: 'what to discuss', trust: 'contributor' as const };
  const { block } = quarantine(
    { ...about, text: question, isMarkdown: true, most: MAX_COMMENT },
    nonce,
  );
  return prompt`## Discuss this one question of the thread\n\n${block}`;
}

/** What is asked of a position and of the verdict, told to everybody alike. */
function tasksFor(run: DiscussionRun): PromptText {
  const { words } = ballotOf(run);
  const meaning = isIssueRun(run) ? ISSUE_WORDS : CHANGE_WORDS;
  const common = prompt`Words to choose from: ${listed(words)}. ${meaning}`;
  return joinPrompt(['## What is asked', POSITION_TASK, LEAD_TASK, common]);
}

function turnFor(run: DiscussionRun, purpose: Purpose): PromptText {
  if (purpose === 'verdict') return prompt`## Now\n\nClose the discussion. Give the verdict.`;
  return prompt`## Now\n\nGive your own position.${run.round > 1 ? prompt` ${SECOND_ROUND}` : ''}`;
}

const ISSUE_WORDS =
  'READY: worth doing and clear enough to start. DRAFT: worth doing, something is missing first; say what. CLOSE: a duplicate, invalid or not to be done; say why, and the number of the duplicate. HUMAN: a decision that only a person can make; ask one question.';
const CHANGE_WORDS =
  'APPROVE: go ahead as proposed. CHANGES: go ahead once these are made; list them with places. HUMAN: a decision that only a person can make; ask one question.';
const POSITION_TASK =
  '**A position** is your own, on this issue and through your own lens. Rest every finding on the evidence or the files above and give its place; put the rule id of a signal you use. Set `skip` when nothing here is yours. `line` is your position in one line of at most 20 words, without the vote; `reasons` at most 120 words.';
const SECOND_ROUND =
  'This is the second round: the findings above are disputed. Say what you keep, what you take back, and why; do not repeat yourself.';
const LEAD_TASK =
  '**The verdict** closes the discussion; the lead gives it. Weigh the positions, do not count them; dissent stays visible. `headline` is the verdict in at most 12 words without the word itself. `reasons` at most 100 words: what it touches, what settled it, what to do first. For HUMAN give one `question` that a person can answer in a sentence. `changes` lists what is missing, each with a place where there is one. Ask for `anotherRound` only when a serious finding is disputed and hearing the others would settle it.';
