/** The live comment of a failed build: the cause, the fix, what failed and since when, then the reasons. */
import type { BuildReading, BuildState, JobReading } from '../../../domain/build/build-view.ts';
import { causeFix, causeSentence } from '../../../domain/build/cause-words.ts';
import { codeBlock, codeSpan } from '../../../domain/text/code-span.ts';
import { cleanOutput } from '../../../domain/text/clean-output.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import type { VerdictWord } from '../../../domain/run/council.ts';
import { redactSecrets } from '../../../domain/secrets/secret-text.ts';
import {
  footer,
  notes,
  progress,
  voicesTable,
  reasonsByVoice,
  withoutModel,
} from '../../discussion/render/render-run.ts';
import { place } from '../../discussion/render/render-voice.ts';
import { runLink } from './render-issue.ts';

const WORDS: Readonly<Partial<Record<VerdictWord, string>>> = {
  APPROVE: 'Nothing to change',
  CHANGES: 'Cause found',
  HUMAN: 'Needs you',
};

/** Of a log that is shown, its part around the first error. */
const MAX_EXCERPT = 2_500;
const MAX_CAUSES = 5;
const MAX_COMMITS = 5;

/** Without the marker. Pure: the same run gives the same bytes at the same time. */
export function renderBuild(run: Run<'build_failure'>, build: BuildState, now: number): string {
  const { reading } = build;
  const parts = [
    build.healed === undefined ? withoutModel(run, 'let the build run again') : '',
    headline(run, build),
    run.status === 'active' ? '' : nextStepText(run),
    reading === undefined ? '' : failureText(run, reading),
    sinceWhen(run, build),
    alsoFailed(run, build),
    notes(run),
    voicesTable(run),
    // Each voice's part is shown here in every style, because there is only one comment.
    reasonsByVoice({ ...run, settings: { ...run.settings, style: 'live' } }),
    reading === undefined ? '' : excerpts(run, reading),
    reading === undefined ? '' : unread(run, reading),
    footer(run, now),
  ];
  // Voices have read logs: anything in their text that looks like a credential is redacted.
  return redactSecrets(parts.filter((part) => part !== '').join('\n\n'));
}

function headline(run: Run<'build_failure'>, build: BuildState): string {
  const { verdict } = run;
  if (build.healed !== undefined)
    return `### Passing again: ${runLink(build.healed, nameOf(run))} passed`;
  if (run.status === 'closed') return `### Stopped: ${run.endReason ?? 'cancelled'}`;
  if (run.status === 'active' || verdict === undefined)
    return `### Investigating: ${progress(run)}`;
  return `### ${WORDS[verdict.verdict] ?? 'Investigated'}: ${verdict.headline}`;
}

function nameOf({ thread }: Run<'build_failure'>): string {
  return `${thread.owner}/${thread.repo}`;
}

function nextStepText(run: Run<'build_failure'>): string {
  const { verdict, needsYou, build } = run;
  if (verdict === undefined || build?.healed !== undefined) return '';
  if (needsYou !== undefined)
    return [
      `**You decide:** ${needsYou.question} @${needsYou.owner}, reply here.`,
      verdict.reasons.trim(),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  const changes = verdict.changes.map(
    (change) => `- [ ] ${change.text}${place(change.place, run)}`,
  );
  const what = changes.length === 0 ? '' : `**Smallest fix:**\n\n${changes.join('\n')}`;
  return [what, verdict.reasons.trim()].filter((part) => part !== '').join('\n\n');
}

/** From the logs, by code alone, so it holds whatever the voices say. The fix is above once the lead has named it. */
function failureText(run: Run<'build_failure'>, { causes }: BuildReading): string {
  const isFixed = run.status !== 'active' && run.verdict?.verdict === 'CHANGES';
  const rows = causes.slice(0, MAX_CAUSES).map((cause) => {
    const fix = isFixed ? undefined : causeFix(cause);
    const advice = fix === undefined ? '' : ` To fix it: ${fix}.`;
    return `- ${codeSpan(cause.job)}: ${causeSentence(cause)}.${advice}`;
  });
  const more = causes.length > MAX_CAUSES ? [`- and ${causes.length - MAX_CAUSES} more`] : [];
  return clean(run, ['**What failed:**', '', ...rows, ...more].join('\n'));
}

function alsoFailed(run: Run<'build_failure'>, { alsoFailed: other, healed }: BuildState): string {
  if (other === undefined || healed !== undefined) return '';
  const minutes = Math.round(run.settings.cooldownMs / 60_000);
  return `> ${runLink(other, nameOf(run))} failed for another reason. Quorum investigates it when it fails with another commit, or ${minutes} minutes after this.`;
}

function sinceWhen(run: Run<'build_failure'>, build: BuildState): string {
  const [newest] = build.runs;
  const { range } = build.reading ?? {};
  const name = nameOf(run);
  const green = build.green === undefined ? '' : ` Last green: ${runLink(build.green, name)}.`;
  const times = build.times > 1 ? ` The same failure was seen ${build.times} times.` : '';
  const now = newest === undefined ? '' : `Red: ${runLink(newest, name)}.${green}${times}`;
  if (range === undefined || range.commits.length === 0) return now;
  const { commits, suspects, total } = range;
  const shown = commits.slice(0, MAX_COMMITS).map(({ sha, title, author }, index) => {
    const why = index < suspects ? ', changed a file that the error names' : '';
    return `- ${sha.slice(0, 12)} ${codeSpan(title)} by ${codeSpan(author)}${why}`;
  });
  const rest = total > shown.length ? [`- and ${total - shown.length} more`] : [];
  const title = build.where.kind === 'pull' ? 'In this pull request' : 'Came in since';
  return [now, clean(run, [`**${title}:**`, '', ...shown, ...rest].join('\n'))]
    .filter((part) => part !== '')
    .join('\n\n');
}

function excerpts(run: Run<'build_failure'>, { jobs }: BuildReading): string {
  const blocks = jobs.flatMap((job) => excerptBlock(job) ?? []);
  if (blocks.length === 0) return '';
  return `<details><summary>From the log</summary>\n\n${clean(run, blocks.join('\n\n'))}\n\n</details>`;
}

function excerptBlock({ name, log, url, run: of }: JobReading): string | undefined {
  const text = excerptOf(log);
  if (text === '') return undefined;
  const where = url.includes('/actions/') ? `${codeSpan(of)}, ${codeSpan(name)}` : codeSpan(name);
  return `${where}:\n\n${codeBlock(text)}`;
}

/** From the first line that is no notice of a gap, as much as people read. */
export function excerptOf(log: string): string {
  if (log.length <= MAX_EXCERPT) return log;
  const end = log.lastIndexOf('\n', MAX_EXCERPT);
  return `${log.slice(0, end > 0 ? end : MAX_EXCERPT).toWellFormed()}\n(more in the log)`;
}

function unread(
  { lookedAt: { hidden } }: Run<'build_failure'>,
  { notRead, secrets }: BuildReading,
): string {
  const credentials =
    secrets === 0
      ? []
      : ['**The log shows what looks like a credential; it is not repeated here. Revoke it.**'];
  const lines = notRead.map((what) => `- not read: ${what.replaceAll('`', "'")}`);
  if (hidden > 0)
    lines.push(`- ${hidden} characters of the log that a reader cannot see were left out`);
  return [...credentials, lines.join('\n')].filter((part) => part !== '').join('\n\n');
}

/** Logs and commit messages are anybody's words. */
function clean(run: Run<'build_failure'>, text: string): string {
  return cleanOutput(text, { repository: nameOf(run), host: run.host }).text;
}
