/**
 * Why a build failed and what fixes it, from what its log says: for the contributors who look at the code, and the
 * lead.
 */
import type { BuildCause } from '../../../../domain/build/find-causes.ts';
import { causeFix, causeSentence, isOutside } from '../../../../domain/build/cause-words.ts';
import type { Evidence, OfflineBrief } from '../../../../domain/run/evidence.ts';
import { cutAtWord } from '../cite.ts';
import type { ChangeConclusion, OnChange } from '../shapes.ts';

type Build = NonNullable<Evidence['build']>;
type Vote = OnChange['vote'];

const MAX_CHANGES = 5;

/** What the causes alone say: nothing is changed for an outage, and nobody guesses where nothing is known. */
function judge(build: Build): { vote: Vote; confidence: number } {
  const [first] = build.causes;
  if (first === undefined || build.isUnread) return { vote: 'HUMAN', confidence: 0.3 };
  if (isOutside(build.causes)) return { vote: 'APPROVE', confidence: 0.7 };
  if (first.kind === 'unknown' || first.kind === 'timeout')
    return { vote: 'HUMAN', confidence: 0.4 };
  return { vote: 'CHANGES', confidence: first.place === undefined ? 0.7 : 0.85 };
}

/** A contributor's position: the first cause, what fixes it, and the commit that most likely brought it. */
export function takeBuildPosition({ evidence }: OfflineBrief, build: Build): OnChange {
  const [first] = build.causes;
  const { vote, confidence } = judge(build);
  const signals = evidence.signals.filter(({ severity }) => severity !== 'info');
  return {
    skip: false,
    vote,
    confidence,
    line: cutAtWord(
      first === undefined ? 'nothing in the log says why' : causeSentence(first),
      240,
    ),
    reasons: cutAtWord(
      [...build.causes.slice(0, 3).map(fixLine), suspectLine(build)].flatMap(bullet).join('\n'),
      4000,
    ),
    findings: signals.slice(0, 10).map(({ severity, title, evidence: seen, place, ruleId }) => ({
      severity,
      title: cutAtWord(title, 300),
      evidence: cutAtWord(seen, 1200),
      ruleId,
      ...(place === undefined ? {} : { place }),
    })),
    questions: [],
  };
}

function bullet(line: string): string[] {
  return line === '' ? [] : [`- ${line}`];
}

/** The finding says what failed; this line says what fixes it. */
function fixLine(cause: BuildCause): string {
  const fix = causeFix(cause);
  return fix === undefined ? '' : `${fix}.`;
}

/** Said as what it is: a guess from the files, or no guess. */
function suspectLine({ commits, suspects }: Build): string {
  const [first] = commits;
  if (first === undefined) return '';
  const commit = `${first.sha.slice(0, 12)} ("${first.title}" by ${first.author})`;
  if (commits.length === 1) return `Only ${commit} came in since it was last green.`;
  return suspects === 0
    ? `None of the commits since the last green run changed a file that the error names.`
    : `${commit} changed a file that the error names; most likely it was that.`;
}

/** The lead's verdict: the causes decide. Where they do not, a person who has answered is handling it. */
export function reachBuildVerdict({ evidence }: OfflineBrief, build: Build): ChangeConclusion {
  const spoken = evidence.answers.at(-1);
  const found = judge(build);
  const isSettled = found.vote === 'HUMAN' && spoken !== undefined;
  const vote: Vote = isSettled ? 'APPROVE' : found.vote;
  const [first] = build.causes;
  return {
    verdict: vote,
    confidence: found.confidence,
    headline: isSettled ? `${spoken.login} has it in hand` : headline(vote, build),
    reasons: cutAtWord(
      [
        spoken === undefined ? '' : `${spoken.login} said: "${cutAtWord(spoken.text, 160)}".`,
        vote === 'APPROVE' && !isSettled
          ? 'Nothing that the log shows comes from the code: run the failed jobs again.'
          : '',
        suspectLine(build),
      ]
        .flatMap(bullet)
        .join('\n'),
      4000,
    ),
    changes: vote === 'CHANGES' ? toChanges(evidence, build) : [],
    ...(vote === 'HUMAN' ? { question: questionOf(build, first) } : {}),
    anotherRound: false,
  };
}

function headline(vote: Vote, { causes, isUnread }: Build): string {
  const [first] = causes;
  if (first === undefined || isUnread) return 'the log could not be read';
  if (vote === 'HUMAN' && first.kind === 'unknown') return 'the log names no cause that code knows';
  return cutAtWord(causeSentence(first), 160);
}

function toChanges({ signals }: Evidence, { causes }: Build): ChangeConclusion['changes'] {
  const fixes = causes.slice(0, MAX_CHANGES).map((cause) => ({
    text: cutAtWord(causeFix(cause) ?? causeSentence(cause), 600),
    ...(cause.place === undefined ? {} : { place: cause.place }),
  }));
  const credential = signals.find(({ ruleId }) => ruleId === 'build-log-credential');
  return credential?.suggestion === undefined
    ? fixes
    : [...fixes, { text: cutAtWord(credential.suggestion, 600) }];
}

function questionOf({ isUnread }: Build, first: BuildCause | undefined): string {
  if (first === undefined || isUnread)
    return 'The log is not there to be read. What does it say, or shall the run be repeated?';
  return first.kind === 'timeout'
    ? 'Did the work itself grow, or does something hang?'
    : 'The log names no cause that rules know. What broke it?';
}
