/** One voice in full: its position, what it found and where, what it asks. */
import type { Contribution, CouncilFinding, Voice } from '../../../domain/run/council.ts';
import type { DiscussionRun, TeamRun } from '../../../domain/run/state/run-record.ts';

/** A voice's part inside the live comment. */
export function renderVoice(said: Contribution, run: DiscussionRun): string {
  const { position } = said;
  if (position === undefined) return '';
  const round = run.round > 1 ? `, round ${said.round}` : '';
  const head = `**${said.name}** · ${shortRoleOf(said)}${round}`;
  const findings = position.findings.map(
    (finding) => `- ${renderFinding(finding, position.reasons, run)}`,
  );
  const questions = position.questions.map((question) => `- Asks: ${question}`);
  return [head, position.reasons, [...findings, ...questions].join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** A voice's own comment, in thread style. */
export function renderContribution(said: Contribution, run: DiscussionRun): string {
  const vote = `**${said.position?.vote.toLowerCase()}**, sure ${said.position?.confidence.toFixed(1)}: ${said.position?.line ?? ''}`;
  return `${renderVoice(said, run)}\n\n${vote}`;
}

/** Leaves out evidence that the reasons above already quote, so that no fact is repeated. */
function renderFinding(
  { severity, title, evidence, place: where }: CouncilFinding,
  reasons: string,
  run: DiscussionRun,
): string {
  const isTold = evidence.trim() === '' || reasons.includes(evidence);
  return `**${severity}** ${title}${isTold ? '.' : `: ${evidence}`}${place(where, run)}`;
}

/** Files of a repository at one commit, of which some were read. */
type Sources = Pick<TeamRun, 'thread' | 'headSha' | 'lookedAt'>;

/** A permanent link to a place in a file that was read; any other place is only named. */
export function place(where: CouncilFinding['place'], run: Sources): string {
  return where === undefined ? '' : ` (${linkTo(where, run)})`;
}

/** The same by itself. */
export function linkTo(where: NonNullable<CouncilFinding['place']>, run: Sources): string {
  const { owner, repo } = run.thread;
  const lines =
    where.line === undefined
      ? ''
      : `#L${where.line}${where.endLine === undefined ? '' : `-L${where.endLine}`}`;
  const path = where.path.split('/').map(encodeURIComponent).join('/');
  const label = `${where.path.replaceAll(/[`\n]/g, '')}${lines}`;
  if (!run.lookedAt.files.includes(where.path)) return `\`${label}\``;
  return `[\`${label}\`](/${owner}/${repo}/blob/${run.headSha}/${path}${lines})`;
}

/** The short form of a role: the text before a slash or a bracket. */
export function shortRoleOf(voice: Pick<Voice, 'role'>): string {
  return (voice.role.split(/[/(]/)[0] ?? voice.role).trim();
}
