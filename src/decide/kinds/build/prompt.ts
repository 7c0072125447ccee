/** The prompts about a failed build: rules, logs, code and commits first and alike for all voices, then the soul, then the task. */
import type { BuildReading, BuildView, JobReading } from '../../../domain/build/build-view.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import type { Purpose } from '../../../domain/run/council.ts';
import { CHANGE_VERDICTS } from '../../../domain/run/council.ts';
import type { Prompt } from '../../../domain/event/effect-values.ts';
import type { Evidence } from '../../../domain/run/evidence.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import { quarantine } from '../../../domain/prompt/quarantine.ts';
import {
  joinPrompt,
  listed,
  NOTHING,
  prompt,
  trusted,
  type PromptText,
} from '../../../domain/prompt/prompt-text.ts';
import { compileSoul, ownBlocks, renderBlocks } from '../../../domain/persona/soul.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { renderEvidence } from '../../../rules/issue/render-evidence.ts';
import { positionsSoFar, rulesFor } from '../../run/prompt/prompt-parts.ts';
import { commentsContext, questionAsked } from '../../run/prompt/prompt-words.ts';

export interface BuildPromptRequest {
  run: Run<'build_failure'>;
  view: BuildView;
  reading: BuildReading;
  /** Around other people's words. */
  nonce: string;
  /** With the positions that this voice may see. */
  evidence: Evidence;
  persona: Persona;
  purpose: Purpose;
}

// INJ-10: caps for each source, so that nobody pushes the rules out with sheer length. Logs are cut where they are read.
const MAX_COMMITS = 30;

export function buildPrompt(request: BuildPromptRequest): Prompt {
  const { run, view, nonce, persona, purpose, evidence, reading } = request;
  return {
    shared: [
      rulesFor(persona, nonce),
      joinPrompt([
        buildContext(view, nonce),
        ...reading.jobs.map((job) => jobContext(job, nonce)),
        codeContext(reading, nonce),
        commitsContext(reading, nonce),
        prompt`## Evidence\n\n${data('evidence found by code in the logs', renderEvidence({ ...evidence, positions: [] }), nonce)}`,
      ]),
    ],
    own: [trusted(renderBlocks(ownBlocks(compileSoul(persona, { trigger: run.trigger }))))],
    task: joinPrompt([
      questionAsked(run, nonce),
      commentsContext(view, nonce),
      positionsSoFar(evidence, nonce),
      taskFor(run, purpose),
    ]),
  };
}

/** What anybody may have written, or made a program write: of the lowest trust, visible and without credentials. */
function data(source: string, text: string, nonce: string): PromptText {
  return quarantine({ source, trust: 'stranger', text }, nonce).block;
}

function buildContext({ repository, where, runs, green }: BuildView, nonce: string): PromptText {
  const place =
    where.kind === 'pull' ? `pull request ${where.number}` : `the default branch ${where.branch}`;
  const red = runs.map(
    ({ name, path, number, headSha, conclusion, event }) =>
      `${name} (${path ?? 'another service'}), run ${number ?? '–'}: ${conclusion ?? 'going on'} at ${headSha.slice(0, 12)}, caused by ${event}`,
  );
  const last = green === undefined ? 'none is known' : `at ${green.headSha.slice(0, 12)}`;
  const text = [`${repository.fullName}, ${place}`, ...red, `Last green run: ${last}`].join('\n');
  return prompt`## The failed build\n\n${data('names of the build', text, nonce)}`;
}

function jobContext(
  { run, name, conclusion, steps, log, why, notes, hidden = 0 }: JobReading,
  nonce: string,
): PromptText {
  const told = notes.map(({ path, line, message }) => `${path}:${line}: ${message}`);
  const body = [
    `${run}, job ${name}: ${conclusion}`,
    steps.length === 0 ? '' : `Failed steps: ${steps.join(', ')}`,
    why === undefined ? '' : `There is no log: ${why}`,
    log,
    told.join('\n'),
  ];
  const text = body.filter((part) => part !== '').join('\n');
  const about = { source: 'log of a failed job, cut by code', trust: 'stranger' as const };
  return prompt`## A failed job\n\n${quarantine({ ...about, text, hidden }, nonce).block}`;
}

function codeContext({ files, range }: BuildReading, nonce: string): PromptText {
  const parts = files.map(
    ({ path, from, text }) =>
      quarantine(
        {
          source: `file ${path} at the failed head`,
          trust: 'stranger',
          text,
          firstLine: from,
        },
        nonce,
      ).block,
  );
  const patches = (range?.patches ?? []).map(({ path, patch }) =>
    data(`change of ${path} since the last green head`, patch, nonce),
  );
  if (parts.length + patches.length === 0) return NOTHING;
  return joinPrompt(['## Code that the errors name\n', ...parts, ...patches], '\n');
}

function commitsContext({ range }: BuildReading, nonce: string): PromptText {
  if (range === undefined) return NOTHING;
  const lines = range.commits.slice(0, MAX_COMMITS).map(({ sha, title, author }, index) => {
    const why = index < range.suspects ? ' (changed a file that an error names)' : '';
    return `${sha.slice(0, 12)} by ${author}: ${visibleText(title, 200).text}${why}`;
  });
  const text = [`${range.total} commits since the last green head`, ...lines].join('\n');
  return prompt`## What came in\n\n${data('commits, by their authors', text, nonce)}`;
}

const WORDS =
  'CHANGES: something in the repository has to change; list the smallest changes that fix it, each with its place. APPROVE: nothing in the repository has to change, such as after an outage; say what shows that, and that the run is to be repeated. HUMAN: a decision that only a person can make, or a log that says too little; ask one question.';
const POSITION_TASK =
  '## Now\n\nSay why this build failed. Name the cause, not its consequences: the first error that the others follow from. Say which of the commits brought it, and from which line of the log and of the code you know; say so where you do not know. Then the smallest fix, with path and line. Do not propose to skip, loosen or delete a test, a rule or a check unless it is what is wrong. Put the rule id of a signal that you confirm. Set `skip` when you have nothing beyond the evidence. `line` is your position in one line of at most 20 words, without the vote; `reasons` at most 120 words.';
const SECOND_ROUND =
  'This is the second round: say what you keep, what you take back, and why; do not repeat yourself.';
const LEAD_TASK =
  '## Now\n\nClose the discussion. Weigh the positions against the log. `headline` is the cause in at most 14 words, without the verdict. `reasons` at most 100 words: what shows the cause, which commit most likely brought it, and how sure that is. `changes` are the smallest fix, each with its place. For HUMAN give one `question` that a person can answer in a sentence. Ask for `anotherRound` only when the cause itself is disputed.';

function taskFor(run: Run<'build_failure'>, purpose: Purpose): PromptText {
  const words = prompt`Words to choose from: ${listed(CHANGE_VERDICTS)}. ${WORDS}`;
  if (purpose === 'verdict') return prompt`${LEAD_TASK}\n\n${words}`;
  return joinPrompt([POSITION_TASK, run.round > 1 ? SECOND_ROUND : '', words]);
}
