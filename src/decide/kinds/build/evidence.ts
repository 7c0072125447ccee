/** What code found in a failed build, in the words in which the council reads evidence. */
import { withoutCommands } from '../../../domain/commands/command-line.ts';
import type { BuildReading, BuildView } from '../../../domain/build/build-view.ts';
import { causeFix, causeSentence, causeSeverity } from '../../../domain/build/cause-words.ts';
import type { BuildCause } from '../../../domain/build/find-causes.ts';
import type { Evidence } from '../../../domain/run/evidence.ts';
import type { Signal } from '../../../domain/review/signal.ts';
import { redactSecrets } from '../../../domain/secrets/secret-text.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';

const MAX_COMMITS = 10;

export function toBuildEvidence(view: BuildView, reading: BuildReading): Evidence {
  const { causes, range, files, secrets, notRead, jobs } = reading;
  const isUnread = jobs.every(({ log, notes }) => log === '' && notes.length === 0);
  return {
    subject: 'bug',
    number: view.thread?.number ?? 0,
    title: visibleText(view.thread?.title ?? '', 200).text,
    excerpt: '',
    signals: [...causes.map(toSignal), ...credentialSignal(secrets)],
    files: files.map(({ path, from, text }) => ({
      path,
      why: 'an error names it',
      lines: [from, from + text.split('\n').length - 1],
      score: 10,
    })),
    symbols: [],
    missing: [],
    relatedIssues: [],
    tests: [],
    hidden: {},
    size: 'small',
    answers: view.comments
      .filter(
        ({ author, marker, body }) =>
          !author.isBot && marker === undefined && withoutCommands(body) !== '',
      )
      .map(({ author, body, permission }) => ({
        login: author.login,
        text: redactSecrets(visibleText(withoutCommands(body), 300).text),
        isByMaintainer:
          permission === 'admin' || permission === 'maintain' || permission === 'write',
      })),
    positions: [],
    notRead,
    build: {
      causes,
      commits: (range?.commits ?? []).slice(0, MAX_COMMITS).map(({ sha, title, author }) => ({
        sha,
        author,
        title: redactSecrets(visibleText(title, 120).text),
      })),
      suspects: range?.suspects ?? 0,
      isUnread,
      secrets,
    },
  };
}

function toSignal(cause: BuildCause): Signal {
  const { kind, says, place, job } = cause;
  const fix = causeFix(cause);
  return {
    ruleId: `build-${kind}`,
    severity: causeSeverity(kind),
    title: sentence(causeSentence(cause)),
    evidence: `${job}: ${says}`,
    ...(place === undefined ? {} : { place }),
    concerns: ['implementation', 'architecture', 'quality'],
    ...(fix === undefined ? {} : { suggestion: fix }),
  };
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Anyone who can read the log can take the credential, so it is reported whatever broke the build. */
function credentialSignal(secrets: number): Signal[] {
  if (secrets === 0) return [];
  return [
    {
      ruleId: 'build-log-credential',
      severity: 'high',
      title: 'The log shows what looks like a credential.',
      evidence: `${secrets} in the part of the log that was read; not repeated here`,
      concerns: ['security', 'implementation', 'architecture'],
      suggestion: 'revoke it, and keep it out of the output',
    },
  ];
}
