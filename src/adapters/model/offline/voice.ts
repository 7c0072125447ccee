/** How each point of view words a fact: the same signal, five different people. */
import type { Signal } from '../../../domain/review/signal.ts';
import { at, bare, citePlace } from './cite.ts';
import type { View } from './lens.ts';

type Say = (signal: Signal) => string;

const title: Say = (s) => `${bare(s.title)}: ${s.evidence}${at(s)}.`;
const issueOf = (s: Signal): string =>
  s.issue === undefined ? 'an earlier issue' : `#${s.issue.number}`;
const where = (s: Signal): string => (s.place === undefined ? 'the code' : citePlace(s.place));

const SECURITY: Readonly<Record<string, Say>> = {
  'touches-auth': (s) =>
    `Trust boundary: ${s.evidence}${at(s)}. Show me who is refused, not only who gets in.`,
  'touches-crypto': (s) =>
    `Cryptography: ${s.evidence}${at(s)}. Library primitives only, with a known test vector.`,
  'touches-secrets': (s) =>
    `Credentials pass here: ${s.evidence}${at(s)}. Not in a log, not in an error, not in an argument list.`,
  'contains-secret': (s) => `${s.title} Treat it as burnt: revoke first, edit second.`,
  'security-report-in-public': (s) =>
    `${s.evidence} is usable by whoever reads this page. Advisory first, patch second.`,
  'touches-ci-workflow': (s) =>
    `Workflows hold tokens: ${s.evidence}${at(s)}. Least permissions, actions pinned by commit.`,
  'dependency-request': (s) =>
    `One more supplier to trust: ${s.evidence}. Who maintains it, and what runs at install?`,
  'hidden-text-found': (s) =>
    `Written for machines: ${s.evidence}. I judged what the page shows and nothing else.`,
  'instructions-to-agents': (s) =>
    `${s.evidence} orders reviewers about. Read as data; it moved nothing.`,
  spam: (s) => `Bait: ${s.evidence}. Nobody should follow it.`,
};

const QUALITY: Readonly<Record<string, Say>> = {
  'no-reproduction': (s) =>
    `I cannot write the failing test from this; ${s.evidence}. Input, command, result, please.`,
  'has-reproduction': (s) => `${s.evidence} is a test case already.`,
  'no-expected-behaviour': () =>
    `What should have happened is missing, so an assertion has nothing to compare with.`,
  'no-actual-behaviour': () =>
    `What did happen is missing: wrong output, no output and a crash are three different tests.`,
  'no-version': () => `No version or commit, so I cannot say whether it is gone already.`,
  'no-acceptance-criteria': (s) => `Nothing here could fail a test; ${s.evidence}.`,
  // The verdict quotes them.
  'has-acceptance-criteria': (s) => {
    const [criteria] = /^\d+ criteria/.exec(s.evidence) ?? [];
    return criteria === undefined ? 'Testable as written.' : `Testable as written: ${criteria}.`;
  },
  'no-test-near-code': (s) => `${where(s)} has no test beside it; a regression would go unseen.`,
  'tests-near-code': (s) => `The new case belongs in ${where(s)}.`,
  accessibility: (s) => `Keyboard and screen reader are part of done: ${s.evidence}.`,
  'performance-claim-without-numbers': (s) =>
    `${s.evidence}, but no figure: I could not tell better from different.`,
  'fixed-before': (s) =>
    `${issueOf(s)} was this fault, closed as fixed: a regression, or an old version.`,
  'duplicate-open-issue': (s) => `Same case as ${issueOf(s)}; one test would close both.`,
  'duplicate-closed-issue': (s) => `${issueOf(s)} did this: ${s.evidence}.`,
  'refused-before': (s) => `${issueOf(s)} was turned down: ${s.evidence}. No new case in this one.`,
  'question-not-issue': (s) => `${s.evidence} asks; nothing fails.`,
  spam: (s) => `${s.evidence}: nothing about this project to check.`,
  'empty-template-sections': (s) =>
    `Left blank: ${s.evidence}. Those blanks are the test's inputs.`,
  'empty-body': (s) => `${s.evidence}: no input, no outcome, nothing to assert.`,
  'touches-migration': (s) =>
    `Stored data changes: ${s.evidence}${at(s)}. I want the half-way failure as a case.`,
  'stack-trace-resolved': (s) =>
    `The trace ends in ${where(s)}: that frame is the assertion's address.`,
  gibberish: (s) => `${s.evidence}: no claim in it that could be true or false.`,
};

const IMPLEMENTATION: Readonly<Record<string, Say>> = {
  'names-existing-code': (s) => `I would start in ${where(s)}: ${s.evidence}.`,
  'stack-trace-resolved': (s) => `The trace points at ${where(s)}, ${s.evidence}.`,
  'error-message-found': (s) =>
    `${s.evidence} is raised in ${where(s)}, so the path to it is short.`,
  'size-small': (s) => `${s.evidence}: fits one pull request.`,
  'large-scope': (s) => `${s.evidence} is not one pull request. Give me the first slice.`,
  'names-missing-path': (s) => `I looked for it: ${bare(s.title)}.`,
  'names-missing-symbol': (s) => `I searched for it: ${bare(s.title)} (${s.evidence}).`,
  'no-acceptance-criteria': (s) => `I would be guessing at the output; ${s.evidence}.`,
  'no-reproduction': (s) => `I cannot make it happen; ${s.evidence}.`,
  'has-reproduction': (s) => `I can run this: ${s.evidence}.`,
  'dependency-request': (s) => `${s.evidence}: check first what Node or the present code can do.`,
  'breaking-change': (s) =>
    `Scripts will break: ${s.evidence}. Cheap to keep an alias, dear to bring one back.`,
  'already-implemented': (s) => `${bare(s.title)}, at ${where(s)}; ${s.evidence}.`,
  'touches-migration': (s) =>
    `${s.evidence}${at(s)}: forward script, dry run, and a way to stop half-way.`,
  'touches-ci-workflow': (s) =>
    `${s.evidence}${at(s)}: I can edit the file, I cannot try it before it is merged.`,
  'duplicate-open-issue': (s) => `I would fix this with ${issueOf(s)}.`,
  'duplicate-closed-issue': (s) => `Built already in ${issueOf(s)}: ${s.evidence}.`,
  'refused-before': (s) => `${issueOf(s)} got a no. I would not build it without a new reason.`,
  'fixed-before': (s) => `I would diff against the fix of ${issueOf(s)} first.`,
  'performance-claim-without-numbers': (s) => `${s.evidence}: I need the input to profile.`,
  'docs-only': (s) => `Text only, in ${where(s)}.`,
  'empty-body': (s) => `${s.evidence}: nothing to build from.`,
  'decision-needed': (s) => `Two builds hide in ${s.evidence}; I would pick wrong.`,
  gibberish: (s) => `${s.evidence}: nothing to build.`,
  'question-not-issue': (s) => `${s.evidence}: an answer, not a patch.`,
  'pull-request-open': (s) =>
    `${issueOf(s)} is in flight: ${s.evidence}. I would not start a second one.`,
  'related-issue': (s) => `Read ${issueOf(s)} first: ${s.evidence}.`,
};

const ARCHITECTURE: Readonly<Record<string, Say>> = {
  'duplicate-open-issue': (s) => `${issueOf(s)} is the place for this: ${s.evidence}.`,
  'duplicate-closed-issue': (s) => `Decided and done in ${issueOf(s)}: ${s.evidence}.`,
  'refused-before': (s) =>
    `${issueOf(s)} answered this with no, and nothing here is new: ${s.evidence}.`,
  'pull-request-open': (s) => `Work is under way in ${issueOf(s)}: ${s.evidence}.`,
  'large-scope': (s) => `Too wide for one decision: ${s.evidence}.`,
  'several-topics': (s) => `More than one matter: ${s.evidence}.`,
  'decision-needed': (s) => `The choice comes before the code: ${s.evidence}.`,
  'breaking-change': (s) => `A promise to users changes: ${s.evidence}.`,
  'names-existing-code': (s) => `It belongs in ${where(s)} (${s.evidence}).`,
  'size-small': (s) => `Contained: ${s.evidence}.`,
  'vague-title': (s) => `The title hides the subject: ${s.evidence}.`,
  'empty-body': (s) => `Nothing to weigh: ${s.evidence}.`,
  'question-not-issue': (s) => `A question, not a change: ${s.evidence}.`,
  'names-missing-path': (s) => `${bare(s.title)}: another version, or another project.`,
  'already-implemented': (s) => `${bare(s.title)} at ${where(s)}.`,
  gibberish: (s) => `No subject: ${s.evidence}.`,
  spam: (s) => `Advertising: ${s.evidence}.`,
  'docs-only': (s) => `Only ${where(s)} changes; no behaviour does.`,
  'related-issue': (s) => `${issueOf(s)} looks related: ${s.evidence}.`,
};

const LEAD: Readonly<Record<string, Say>> = {
  'no-reproduction': (s) => `Nobody could bring it about from this; ${s.evidence}.`,
  'no-expected-behaviour': () => `No word on what should have happened.`,
  'no-actual-behaviour': () => `No word on what did happen.`,
  'no-version': () => `No version or commit.`,
  'no-acceptance-criteria': (s) => `Nothing says when it is done; ${s.evidence}.`,
  'performance-claim-without-numbers': (s) => `A claim without a figure: ${s.evidence}.`,
  'fixed-before': (s) => `${issueOf(s)} closed this fault once: ${s.evidence}.`,
  'names-missing-symbol': (s) => `${bare(s.title)}: another version, or a guess.`,
  'empty-template-sections': (s) => `The template asks and gets no answer: ${s.evidence}.`,
  'security-report-in-public': (s) => `It stands in public and can be used: ${s.evidence}${at(s)}.`,
  'contains-secret': (s) => `${s.title} It has to be revoked before anything else.`,
  'touches-auth': (s) => `It moves a boundary of trust: ${s.evidence}${at(s)}.`,
  'touches-migration': (s) => `Stored data outlives the code: ${s.evidence}${at(s)}.`,
  'dependency-request': (s) => `A dependency is a promise to keep: ${s.evidence}.`,
};

const PRODUCT: Readonly<Record<string, Say>> = {
  'has-acceptance-criteria': (s) => `Users get something we can check: ${s.evidence}.`,
  'no-acceptance-criteria': (s) => `I cannot tell a user what they will get; ${s.evidence}.`,
  'large-scope': (s) => `Which slice helps someone this month? ${s.evidence}.`,
  'decision-needed': (s) => `Somebody has to own this choice: ${s.evidence}.`,
  'breaking-change': (s) => `People who rely on it need warning: ${s.evidence}.`,
  'duplicate-open-issue': (s) => `Already on the list as ${issueOf(s)}.`,
};

const VOICES: Readonly<Record<View, Readonly<Record<string, Say>>>> = {
  security: SECURITY,
  quality: QUALITY,
  implementation: IMPLEMENTATION,
  architecture: { ...LEAD, ...ARCHITECTURE },
  product: PRODUCT,
  general: {},
};

/** A fact in the words of a point of view; facts outside its own vocabulary are stated plainly. */
export function say(signal: Signal, view: View): string {
  const own = VOICES[view];
  const sentence = Object.hasOwn(own, signal.ruleId) ? own[signal.ruleId] : undefined;
  return (sentence ?? title)(signal);
}
