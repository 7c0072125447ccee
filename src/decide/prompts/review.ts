/** The review's prompts: rules, the change and the evidence first and alike for all voices, then the soul, then the task. */
import type { CouncilRun, Purpose } from '../../domain/council.ts';
import { CHANGE_VERDICTS } from '../../domain/council.ts';
import type { Diff, DiffFile } from '../../domain/diff/diff.ts';
import { renderDiffFile } from '../../domain/diff/render-diff.ts';
import type { Prompt } from '../../domain/effect.ts';
import type { Evidence } from '../../domain/evidence.ts';
import { isTestPath, stemOf } from '../../domain/paths.ts';
import type { Persona } from '../../domain/persona.ts';
import { quarantine, trustOf } from '../../domain/quarantine.ts';
import type { PullView } from '../../domain/review.ts';
import { redactSecrets } from '../../domain/secret-text.ts';
import { countHidden, visibleText } from '../../domain/visible-text.ts';
import { renderEvidence } from '../signals/render-evidence.ts';
import { guidanceOf, positionsSoFar, rulesFor, soulFor } from './parts.ts';
import { commentsContext, questionAsked } from './words.ts';

export interface ReviewPromptRequest {
  run: CouncilRun;
  view: PullView;
  diff: Diff;
  nonce: string;
  evidence: Evidence;
  persona: Persona;
  purpose: Purpose;
}

/** Characters of the diff that go into one prompt: what is riskiest first, and what is left out is named. */
const MAX_DIFF = 160_000;
const MAX_BODY = 12_000;

export function reviewPrompt(request: ReviewPromptRequest): Prompt {
  const { run, view, nonce, persona, purpose, evidence } = request;
  const asked = [guidanceOf(run, nonce), TASKS].filter((part) => part !== '').join('\n\n');
  const shared = [rulesFor(persona, nonce), contextOf(request), asked];
  const task = turnFor(run, purpose);
  return {
    shared,
    own: soulFor(persona, { trigger: run.trigger, shared, task }),
    task: [
      questionAsked(run, nonce),
      commentsContext(view, nonce),
      positionsSoFar(evidence, nonce),
      task,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  };
}

function contextOf(request: ReviewPromptRequest): string {
  const { view, nonce, evidence } = request;
  const source = `evidence found by code at ${view.pull.headSha.slice(0, 12)}`;
  const text = renderEvidence({ ...evidence, positions: [] });
  return [
    pullContext(view, nonce),
    besideContext(request),
    diffContext(request),
    `## Evidence\n\n${quarantine({ source, trust: 'stranger', text }, nonce).block}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Names that a prompt lists at most. */
const MAX_BESIDE = 60;

/** What stands beside the changed files, so that nobody misses what is there: a test, a helper, a document. */
function besideContext({ view, diff, nonce }: ReviewPromptRequest): string {
  const { basePaths = [] } = view;
  const changed = new Set(diff.files.flatMap(({ path, oldPath }) => [path, oldPath ?? path]));
  const folders = new Set([...changed].map(folderOf));
  const stems = new Set([...changed].map(stemOf));
  const beside = basePaths.filter(
    (path) =>
      !changed.has(path) &&
      (folders.has(folderOf(path)) || (isTestPath(path) && stems.has(stemOf(path)))),
  );
  if (beside.length === 0) return '';
  const more = beside.length - MAX_BESIDE;
  const text = `${beside.slice(0, MAX_BESIDE).join('\n')}${more > 0 ? `\n(${more} more)` : ''}`;
  const source = 'names beside the changed files, as they were before';
  return `## Beside the change\n\n${quarantine({ source, trust: 'maintainer', text }, nonce).block}`;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function pullContext({ pull, repository }: PullView, nonce: string): string {
  const body = visibleText(pull.body, MAX_BODY);
  const about = { author: pull.author.login, trust: trustOf(pull.authorPermission) };
  const title = visibleText(pull.title, 400).text;
  return [
    `## Pull request ${pull.number} of ${repository.fullName}`,
    '',
    quarantine({ source: 'title', ...about, text: redactSecrets(title) }, nonce).block,
    quarantine(
      {
        source: 'description',
        ...about,
        text: redactSecrets(body.text),
        hidden: countHidden(body.hidden),
        cut: body.cut,
      },
      nonce,
    ).block,
  ].join('\n');
}

/** Files by risk: where evidence is first, then the larger change; whole files, so that line numbers stay plain. */
function diffContext({ view, diff, nonce, evidence }: ReviewPromptRequest): string {
  const told = new Map<string, number>();
  for (const signal of evidence.signals)
    if (signal.place !== undefined)
      told.set(signal.place.path, (told.get(signal.place.path) ?? 0) + 1);
  const risk = (file: DiffFile): number => (told.get(file.path) ?? 0) * 1000 + file.additions;
  const shown: string[] = [];
  const left: string[] = [];
  let room = MAX_DIFF;
  for (const file of diff.files.toSorted((a, b) => risk(b) - risk(a))) {
    const text = redactSecrets(renderDiffFile(file));
    if (text.length > room) {
      left.push(file.path);
      continue;
    }
    room -= text.length;
    shown.push(text);
  }
  const about = { author: view.pull.author.login, trust: trustOf(view.pull.authorPermission) };
  const since = view.delta === undefined ? '' : ` since ${view.delta.since.slice(0, 12)}`;
  const block = quarantine(
    { source: `diff${since}`, ...about, text: shown.join('\n') },
    nonce,
  ).block;
  const names = quarantine(
    { source: 'files left out', ...about, text: left.join('\n') },
    nonce,
  ).block;
  return `## The change${since}\n\n${block}${left.length === 0 ? '' : `\n\nToo large to show, do not judge:\n${names}`}`;
}

const WORDS =
  'APPROVE: nothing has to change. CHANGES: something has to change before this is merged; each as a finding with its place. HUMAN: a decision that only a person can make; ask one question.';
const POSITION_TASK =
  '**A position** is your own, on this change and through your own lens. Report only what is wrong or missing in lines that the change touches, with path and line at the new head; put the rule id of a signal you confirm, and say in `reasons` which signals you do not believe and why. What was reported before is open already: weigh it, do not report it again. A wrong finding costs more than a missed one: leave out style, taste and praise. Set `skip` when nothing here is yours. `line` is your position in one line of at most 20 words, without the vote; `reasons` at most 120 words.';
const SECOND_ROUND =
  'This is the second round: findings above are disputed. Say what you keep, what you take back, and why; do not repeat yourself.';
const LEAD_TASK =
  '**The verdict** closes the review; the lead gives it. Weigh the positions, do not count them; dissent stays visible. `headline` is the verdict in at most 12 words without the word itself. `reasons` at most 80 words: what settled it. `changes` lists what has to change, each with a place. For HUMAN give one `question` that a person can answer in a sentence. Ask for `anotherRound` only when a serious finding is disputed and hearing the others would settle it.';

/** What is asked of a position and of the verdict, told to everybody alike. */
const TASKS = [
  '## What is asked',
  POSITION_TASK,
  LEAD_TASK,
  `Words to choose from: ${CHANGE_VERDICTS.join(', ')}. ${WORDS}`,
].join('\n\n');

function turnFor(run: CouncilRun, purpose: Purpose): string {
  if (purpose === 'verdict') return '## Now\n\nClose the review. Give the verdict.';
  return `## Now\n\nReview this change. Give your own position.${run.round > 1 ? ` ${SECOND_ROUND}` : ''}`;
}
