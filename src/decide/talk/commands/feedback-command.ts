/** `/pm feedback …`: on a finding, or naming one, it is dismissed with the reason; anything else is kept for the next run here. */
import { shownRuns } from '../../../domain/run/state/run-record.ts';
import type { ParsedCommand } from '../../../domain/commands/command.ts';
import type { FindingsLedger, LedgerFinding } from '../../../domain/review/review.ts';
import type { Guidance } from '../../../domain/run/talk.ts';
import { hasPermission } from '../../../domain/run/thread-ref.ts';
import { createStep } from '../../run/decision.ts';
import { notifyVerdict } from '../../plan/task-pull.ts';
import { recordDeclined } from '../../kinds/review/ledger/record-judgements.ts';
import { mayHold } from '../../kinds/review/ledger/refute.ts';
import { concludeAgain } from '../../kinds/review/show-review.ts';
import { runOf } from '../../run/thread-context.ts';
import {
  asCode,
  done,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../run/command-context.ts';

export function applyFeedback(
  commandContext: CommandContext,
  { text }: ParsedCommand,
): CommandOutcome {
  const { state, view } = commandContext;
  const all = state.ledger?.findings ?? [];
  const key = view.review?.finding;
  const own = all.filter(({ finding }) => finding.fingerprint === key);
  const named = own.length > 0 ? own : namedIn(text, all);
  const [entry] = named;
  if (entry === undefined) return keep(commandContext, text);
  return named.length === 1 ? dismiss(commandContext, entry, text) : refused(tooMany(named));
}

function dismiss(
  commandContext: CommandContext,
  entry: LedgerFinding,
  text: string,
): CommandOutcome {
  const { state, talk } = commandContext;
  const title = asCode(entry.finding.title);
  if (entry.status === 'dismissed')
    return done(`${asCode(entry.settledBy ?? 'Somebody')} dismissed ${title} already.`);
  if (mayHold(entry) && !isByPerson(commandContext)) return refused(ONLY_PEOPLE);
  const { fingerprint } = entry.finding;
  // A review that goes on has a copy of its own, which takes the place of this one at its end.
  for (const ledger of [state.ledger, runOf(state, 'pr_review')?.review?.ledger])
    settle(ledger, fingerprint, { settledBy: talk.actor.login, why: text.slice(0, 200) });
  recordDeclined({ ...commandContext, thread: talk.thread }, entry);
  showSettled(commandContext, fingerprint);
  return done(`Dismissed, with your reason: ${title} will not be raised again here.`);
}

const ONLY_PEOPLE =
  'A high or critical finding of a rule is dismissed by a person with the `triage` role. Ask one to comment `/pm feedback` with the reason.';

/** An App that may give commands has no judgement of its own that a check could rest on. */
function isByPerson({ talk, view }: CommandContext): boolean {
  const { actor, address } = talk;
  const isPerson = !actor.isBot && address.appId === undefined;
  return isPerson && hasPermission(view.permission ?? 'none', 'triage');
}

/** A review that has ended says in its check what is still open, and so does the task whose pull request it is. */
function showSettled({ state, step, event }: CommandContext, fingerprint: string): void {
  const run = runOf(state, 'pr_review');
  const entry = run?.review?.ledger.findings.find(
    (each) => each.finding.fingerprint === fingerprint,
  );
  if (run?.review === undefined || entry === undefined || run.status === 'active') return;
  run.review.settled = [
    ...run.review.settled.filter(({ finding }) => finding.fingerprint !== fingerprint),
    entry,
  ];
  const context = { state, run, step: createStep(event.key, run, step.now) };
  concludeAgain(context);
  notifyVerdict(context);
  step.effects.push(...context.step.effects);
  step.events.push(...context.step.events);
}

function settle(
  ledger: FindingsLedger | undefined,
  fingerprint: string,
  word: Pick<LedgerFinding, 'settledBy' | 'why'>,
): void {
  const entry = ledger?.findings.find(({ finding }) => finding.fingerprint === fingerprint);
  if (entry !== undefined) Object.assign(entry, { status: 'dismissed', ...word });
}

/** `#3 …`, `3: …` or `finding 3 …`: a number that only begins a sentence names nothing. */
const NUMBER = /^(?:(?:finding\s+)?#(\d{1,4})\b|finding\s+(\d{1,4})\b|(\d{1,4})\s*(?:[:.,)]|$))/i;
/** Shorter titles could stand in any sentence. */
const MIN_TITLE = 10;

/** Findings that a text names: by the number in a review's text, by their rule in front, or by quoting their title. */
function namedIn(text: string, findings: readonly LedgerFinding[]): LedgerFinding[] {
  const match = NUMBER.exec(text);
  const number = Number(match?.[1] ?? match?.[2] ?? match?.[3]);
  const numbered = findings.filter((entry) => entry.number === number);
  if (numbered.length > 0) return numbered;
  const open = findings.filter(({ status }) => status === 'open');
  const [first = ''] = text.split(/\s/, 1);
  const rule = first.replaceAll(/^`|(?<![`:,.])[`:,.]+$/g, '');
  const byRule = open.filter(({ finding }) => finding.ruleId === rule);
  if (byRule.length > 0) return byRule;
  const said = plain(text);
  return open.filter(({ finding: { title } }) => {
    const quoted = plain(title);
    return quoted.length >= MIN_TITLE && said.includes(quoted);
  });
}

function plain(text: string): string {
  return text.replaceAll('`', '').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

const MAX_LISTED = 8;

function tooMany(named: readonly LedgerFinding[]): string {
  const lines = named.slice(0, MAX_LISTED).map(({ number, finding }) => {
    const { title, path, line } = finding;
    const name = number === undefined ? '' : `number ${number}, `;
    return `- ${name}${asCode(title)} in ${asCode(`${path}#L${line}`)}`;
  });
  return [
    `That names ${named.length} findings. Answer in the conversation of the one that is meant, or quote its whole title:`,
    '',
    ...lines,
  ].join('\n');
}

/** The oldest goes first: a prompt has no room for everything that was ever said. */
const MAX_GUIDANCE = 10;
const MAX_TEXT = 1_000;

function keep({ state, talk, view, step }: CommandContext, text: string): CommandOutcome {
  const guidance: Guidance = {
    by: talk.actor.login,
    // An App that may give commands has no role of its own: it is believed as a stranger.
    permission: view.permission ?? 'none',
    text: text.slice(0, MAX_TEXT),
    at: new Date(step.now).toISOString(),
  };
  state.guidance = [...(state.guidance ?? []), guidance].slice(-MAX_GUIDANCE);
  const isBusy = shownRuns(state).some((run) => run.status === 'active');
  const when = isBusy ? 'The run that goes on has begun without it; the next' : 'The next';
  return done(
    `Kept, under your name: it names none of the findings here. ${when} run in this thread is shown it as your wish, and weighs it; other threads are not.`,
  );
}
