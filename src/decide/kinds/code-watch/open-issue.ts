/** The issue about a candidate: what is wrong and why it matters, where at which commit, the smallest step, who says so. */
import type { Run } from '../../../domain/run/state/run-record.ts';
import { LABEL_LOOKS } from '../../../domain/repository/labels.ts';
import {
  toWatchKey,
  type Candidate,
  type WatchedCandidate,
} from '../../../domain/repository/watched-code.ts';
import { isRepositoryThread } from '../../../domain/run/thread-ref.ts';
import { asCode } from '../../run/command-context.ts';
import { cleanBlock, oneLine } from '../../discussion/clean.ts';
import { linkTo, shortRoleOf } from '../../discussion/render/render-voice.ts';
import { labelName } from '../../run/run-settings.ts';
import { emitEffect } from '../../run/decision.ts';
import type { RunContext } from '../../run/thread-context.ts';

/** Wants the issue and returns the effect's id. How many may be open is counted once more when it is carried out. */
export function openIssue(
  { run, step }: RunContext<'code_watch'>,
  watched: WatchedCandidate,
): string {
  const { installationId, repositoryId, owner, repo } = run.thread;
  const name = labelName(run.settings, 'code-watch');
  const { watch } = run;
  return emitEffect(
    step,
    {
      kind: 'issue',
      repository: { installationId, repositoryId, owner, repo },
      marker: { kind: 'report', run: run.id, key: toWatchKey(watched.candidate) },
      title: titleOf(watched.candidate, run),
      body: renderIssue(watched, run),
      labels: [{ name, ...LABEL_LOOKS['code-watch'] }],
      maxOpen: { label: name, count: (watch?.open.length ?? 0) + (watch?.room ?? 0) },
    },
    { lane: `issues:${repositoryId}` },
  );
}

/** What is wrong, in code's words, cleaned: names in it are other people's. */
export function titleOf({ title, places }: Candidate, run: Run<'code_watch'>): string {
  const path = places[0]?.path ?? '';
  const where = path === '' || title.includes(path) ? '' : ` (${oneLine(asCode(path, 120), run)})`;
  return `${oneLine(title, run)}${where}`;
}

function renderIssue({ candidate, judgement }: WatchedCandidate, run: Run<'code_watch'>): string {
  const { why, step, places } = candidate;
  const reasons = judgement?.reasons.trim() ?? '';
  const wanted = judgement?.step?.trim() ?? '';
  return [
    reasons === '' ? why : reasons,
    `**Where**, at \`${run.headSha.slice(0, 12)}\`:`,
    places.map((place) => renderPlace(place, run)).join('\n'),
    ...candidate.excerpts.map((excerpt) => renderExcerpt(excerpt, run)),
    `**Smallest step:** ${wanted === '' ? step : wanted}`,
    footer(candidate, run),
  ].join('\n\n');
}

function renderPlace(
  { title, evidence, ...place }: Candidate['places'][number],
  run: Run<'code_watch'>,
) {
  const seen = evidence === '' ? '' : ` ${oneLine(asCode(evidence, 200), run)}`;
  return `- ${linkTo(place, run)}: ${oneLine(title, run)}${seen}`;
}

/** The code is fenced so that nothing in it can close the fence. */
function renderExcerpt(
  { path, line, text }: Candidate['excerpts'][number],
  run: Run<'code_watch'>,
) {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const code = cleanBlock(`${fence}\n${text}\n${fence}`, run);
  return `<details><summary><code>${escapeHtml(path)}</code>, from line ${line}</summary>\n\n${code}\n\n</details>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function footer(
  { personas, ruleId, severity, certainty }: Candidate,
  run: Run<'code_watch'>,
): string {
  const team = [...run.participants, ...(run.lead === undefined ? [] : [run.lead])];
  const finder = personas
    .map((handle) => team.find((each) => each.handle === handle))
    .find(Boolean);
  const found = finder === undefined ? 'Found' : `${finder.name} (${shortRoleOf(finder)}) found it`;
  const parts = [
    `${found} with the rule \`${ruleId}\`, ${severity}, sure ${certainty.toFixed(1)}`,
    `${run.lead?.name ?? 'The lead'} judged it${run.isOffline ? ' by offline rules' : ''}`,
    isRepositoryThread(run.thread)
      ? 'searched by the clock'
      : `asked for by ${asCode(run.actor.login)} in #${run.thread.number}`,
    `run \`${run.id}\``,
    'closed, it is not raised again',
  ];
  return `<sub>${parts.join(' · ')}</sub>`;
}
