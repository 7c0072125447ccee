/** Views, positions and verdicts for tests of the council: plain values with the interesting part given. */
import { defaultConfig, type Config } from '../../src/domain/config/config.ts';
import type { Position, Verdict } from '../../src/domain/run/council.ts';
import type { Persona } from '../../src/domain/persona/persona.ts';
import type { CommentView, IssueView } from '../../src/domain/run/view.ts';
import { aPersona } from './a-persona.ts';
import { ANA } from './play.ts';

export const TEAM: Persona[] = [
  aPersona({
    handle: 'carlos',
    name: 'Carlos',
    role: 'Tech Lead / Architect',
    lead: true,
    triggers: ['issue_review', 'prd_kickoff'],
  }),
  aPersona({ handle: 'maya', name: 'Maya', role: 'Security Reviewer', triggers: ['issue_review'] }),
  aPersona({ handle: 'priya', name: 'Priya', role: 'QA Engineer', triggers: ['issue_review'] }),
  aPersona({
    handle: 'dev',
    name: 'Dev',
    role: 'Implementer',
    triggers: ['issue_review', 'prd_kickoff'],
  }),
];

export function aView(
  over: { issue?: Partial<IssueView['issue']>; config?: Partial<Config> } & Partial<
    Omit<IssueView, 'issue' | 'config'>
  > = {},
): IssueView {
  const { issue, config, ...rest } = over;
  return {
    repository: {
      fullName: 'acme/tidy',
      isPrivate: false,
      isArchived: false,
      defaultBranch: 'main',
      headSha: 'a'.repeat(40),
    },
    issue: {
      number: 12,
      title: 'Add a --quiet flag to the tidy command',
      body: 'Running `tidy` prints a line per file. I would like `--quiet` to print only errors.',
      state: 'open',
      isLocked: false,
      isPull: false,
      author: { id: 200, login: 'tom', isBot: false },
      authorPermission: 'read',
      labels: ['deliberate'],
      assignees: [],
      url: 'https://github.test/acme/tidy/issues/12',
      createdAt: '2026-03-01T10:00:00Z',
      updatedAt: '2026-03-01T10:00:00Z',
      ...issue,
    },
    comments: [],
    actorPermission: 'write',
    config: { ...defaultConfig(), ...config },
    problems: [],
    personas: TEAM,
    paths: ['README.md', 'src/cli.ts', 'src/tidy.ts', 'test/tidy.test.ts'],
    files: [{ path: 'src/cli.ts', text: 'export function main() {}\n', isCut: false }],
    pastIssues: [],
    notRead: [],
    self: { id: 900, login: 'quorum[bot]', isBot: true },
    ...rest,
  };
}

export function aComment(over: Partial<CommentView> = {}): CommentView {
  return {
    id: 500,
    author: ANA,
    permission: 'write',
    body: 'Keep it simple, please.',
    createdAt: '2026-03-02T09:01:00Z',
    updatedAt: '2026-03-02T09:01:00Z',
    ...over,
  };
}

export function aPosition(over: Partial<Position> = {}): Position {
  return {
    skip: false,
    vote: 'READY',
    confidence: 0.7,
    line: 'small and clear',
    reasons: 'It touches one file.',
    findings: [],
    questions: [],
    ...over,
  };
}

export function aVerdict(over: Partial<Verdict> = {}): Verdict {
  return {
    verdict: 'READY',
    confidence: 0.8,
    headline: 'worth doing, small',
    reasons: 'One flag in one file.',
    changes: [],
    anotherRound: false,
    ...over,
  };
}
