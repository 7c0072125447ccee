/** Findings and views of pull requests for tests: plain values with the interesting part given. */
import type { Finding } from '../../src/domain/review/finding.ts';
import type { FindingReply, PullView } from '../../src/domain/review/review.ts';
import { defaultConfig } from '../../src/domain/config/config.ts';
import { TEAM } from './an-issue.ts';
import { ANA } from './play.ts';

export function aFinding(over: Partial<Finding> = {}): Finding {
  return {
    ruleId: 'js-eval',
    severity: 'high',
    path: 'src/run.ts',
    line: 2,
    side: 'RIGHT',
    scope: 'line',
    personas: ['maya'],
    title: 'Text is run as code',
    evidence: 'return eval(text);',
    fingerprint: 'f'.repeat(20),
    context: 'c'.repeat(20),
    source: 'signal',
    ...over,
  };
}

export function aReply(over: Partial<FindingReply> = {}): FindingReply {
  return {
    key: 'f'.repeat(20),
    commentId: 5,
    threadId: 'T_1',
    marker: { kind: 'run', run: 'r', key: 'f'.repeat(20) },
    isResolved: false,
    resolvedBy: undefined,
    isHidden: false,
    isOutdated: false,
    reactions: [],
    replies: [],
    ...over,
  };
}

/** A new file with these lines, as `git diff` writes it. */
export function aDiff(path: string, lines: readonly string[]): string {
  return [
    `diff --git a/${path} b/${path}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
}

export function aPullView(
  over: { pull?: Partial<PullView['pull']>; config?: Partial<PullView['config']> } & Partial<
    Omit<PullView, 'pull' | 'config'>
  > = {},
): PullView {
  const { pull, config, ...rest } = over;
  const standard = defaultConfig();
  return {
    repository: {
      fullName: 'acme/tidy',
      isPrivate: false,
      isArchived: false,
      defaultBranch: 'main',
      headSha: 'a'.repeat(40),
    },
    pull: {
      number: 12,
      title: 'Run what is asked for',
      body: '',
      state: 'open',
      isDraft: false,
      isLocked: false,
      isFork: false,
      author: ANA,
      authorPermission: 'write',
      labels: [],
      headSha: 'b'.repeat(40),
      baseSha: 'a'.repeat(40),
      url: 'https://github.test/acme/tidy/pull/12',
      createdAt: '2026-03-01T10:00:00Z',
      ...pull,
    },
    delta: undefined,
    diff: aDiff('src/run.ts', ['export function run(text: string) {', '  return eval(text);', '}']),
    head: [],
    basePaths: ['README.md'],
    secrets: {},
    comments: [],
    replies: [],
    openTexts: [],
    actorPermission: 'write',
    config: { ...standard, review: { ...standard.review, settleSeconds: 0 }, ...config },
    problems: [],
    personas: TEAM.map((persona) => ({
      ...persona,
      triggers: [...persona.triggers, 'pr_review' as const],
    })),
    notRead: [],
    isCut: false,
    self: { id: 900, login: 'quorum[bot]', isBot: true },
    ...rest,
  };
}
