/** The one question that a person is asked, made from the point that blocks most. */
import type { Evidence } from '../../../domain/run/evidence.ts';
import type { Signal } from '../../../domain/review/signal.ts';
import { citePlace, list, touched } from './cite.ts';

interface Question {
  question: string;
  headline: string;
}

type Ask = (signal: Signal, evidence: Evidence) => Question;

/** The option, command or symbol that a quote is about, as code. */
function thingIn({ evidence }: Signal): string | undefined {
  const option = /--[a-z][\w-]+/.exec(evidence)?.[0];
  const code = /`([^`]{1,60})`/.exec(evidence)?.[1];
  const name = option ?? code;
  return name === undefined ? undefined : `\`${name}\``;
}

function placeOf(signal: Signal, evidence: Evidence): string {
  const [file] = touched(evidence);
  if (signal.place !== undefined) return ` in ${citePlace(signal.place)}`;
  return file === undefined ? '' : ` in \`${file.path}\``;
}

const ASKS: Readonly<Record<string, Ask>> = {
  'contains-secret': (signal) => ({
    question: `${signal.title} Has it been revoked?`,
    headline: 'a credential was posted',
  }),
  'security-report-in-public': () => ({
    question:
      'Who takes this over in a private advisory, so that this thread can be closed to the public until it is fixed?',
    headline: 'a weakness is described in public',
  }),
  'decision-needed': (signal, { decision }) => ({
    question: decision?.question ?? signal.evidence,
    headline:
      decision !== undefined && decision.options.length === 2
        ? `choose: ${decision.options.join(', or ')}`
        : 'a choice comes first',
  }),
  'breaking-change': (signal) => ({
    question: `May ${thingIn(signal) ?? 'the present behaviour'} change at once, or does the old form stay for one release with a warning?`,
    headline: `${thingIn(signal) ?? 'something people rely on'} would change for its users`,
  }),
  'touches-migration': (signal, evidence) => ({
    question: `May stored data be changed in place${placeOf(signal, evidence)}, or must the old form stay readable for a release?`,
    headline: 'stored data would change',
  }),
  'touches-auth': (signal, evidence) => ({
    question: `Who may do this after the change${placeOf(signal, evidence)}, and who must be refused?`,
    headline: 'it moves a trust boundary',
  }),
  'touches-crypto': (signal, evidence) => ({
    question: `Which primitive is to be used${placeOf(signal, evidence)}, and who reviews it?`,
    headline: 'it changes cryptography',
  }),
  'dependency-request': (signal) => ({
    question: `Is ${thingIn(signal) ?? 'the dependency asked for'} acceptable as a dependency, or should the present ones do?`,
    headline: 'a dependency is asked for',
  }),
  'instructions-to-agents': (signal) => ({
    question: `The text gives orders to automated reviewers (${signal.evidence}). Is there a request in it that you want looked at?`,
    headline: 'the text tries to steer the reviewers',
  }),
  'hidden-text-found': (signal) => ({
    question: `Hidden text was removed (${signal.evidence}). Is the visible rest meant as it stands?`,
    headline: 'hidden text was found',
  }),
  'pull-request-open': (signal) => ({
    question: `Does pull request #${signal.issue?.number} cover this, or is it separate work?`,
    headline: `pull request #${signal.issue?.number} may cover it`,
  }),
};

/** One question, concrete; about the split when the team is split. */
export function chooseQuestion(
  evidence: Evidence,
  signals: readonly Signal[],
  isSplit: boolean,
): Question {
  if (isSplit) return askSplit(evidence);
  const signal = signals.find(({ ruleId }) => Object.hasOwn(ASKS, ruleId));
  const ask = signal === undefined ? undefined : ASKS[signal.ruleId];
  if (signal !== undefined && ask !== undefined) return ask(signal, evidence);
  const [first] = signals;
  return {
    question:
      first === undefined
        ? `Should the team take on "${evidence.title}"?`
        : `${first.title} Should the team go ahead?`,
    headline: 'a person decides',
  };
}

function askSplit({ positions, title }: Evidence): Question {
  const side = (word: string): string =>
    list(
      positions
        .filter(({ vote }) => vote === word)
        .map(({ handle, line }) => `${handle} ("${line}")`),
    );
  return {
    question: `Go ahead with "${title}" as ${side('READY')} would, or close it as ${side('CLOSE')} would?`,
    headline: 'the team is evenly split',
  };
}
