/** `quorum review`: what the team says of a change on this machine or of a pull request; nothing is posted. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { openGitTree } from '../../../adapters/local/git-tree.ts';
import { createSecretDetector } from '../../../adapters/secrets/detector.ts';
import { loadSecretlint } from '../../../adapters/secrets/secretlint.ts';
import { REVIEW_RULES } from '../../../rules/change/review-rules.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import { parseDiff } from '../../../domain/diff/parse-diff.ts';
import { ConfigError } from '../../../domain/event/errors.ts';
import { isAtLeast } from '../../../domain/review/finding.ts';
import { toReviewJson } from '../../../domain/review/review-output.ts';
import { toSarif } from '../../../domain/review/sarif.ts';
import type { Basics } from '../../host-parts.ts';
import { filled, readHostSettings } from '../../environment/host-settings.ts';
import { createBasics } from '../basics.ts';
import { createBoard } from '../terminal/progress-display.ts';
import { openRemote } from '../deliberate/open-remote.ts';
import { checkFileOnDisk } from '../check-file-on-disk.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';
import type { FailOn, ReviewFormat } from './review-command.ts';
import { LOCAL_TEXTS, openLocalStage, YOU, type ReviewStage } from '../review/local-stage.ts';
import {
  reviewByCouncil,
  reviewByRules,
  type Reviewed,
  type ReviewRequest,
} from '../review/run-review.ts';
import { parseSource, type Source } from '../review/source.ts';
import { renderReviewText } from '../review/render-review.ts';

export interface ReviewFlags {
  json?: true;
  dir: string;
  repo?: string;
  base?: string;
  diff?: string;
  pr?: string;
  personas?: readonly string[];
  format?: ReviewFormat;
  failOn: FailOn;
  /** False with `--no-model`. */
  model: boolean;
  /** Of this program, for SARIF. */
  version: string;
}

export async function review(flags: ReviewFlags, io: Io): Promise<ExitCode> {
  const format = flags.format ?? (flags.json === true ? 'json' : 'text');
  const source = parseSource(flags);
  const quiet = { ...io, env: { ...io.env, LOG_LEVEL: io.env['LOG_LEVEL'] ?? 'error' } };
  const basics = { ...createBasics(quiet, { to: 'err' }), env: io.env };
  const stage = await openStage(source, flags, { io, basics });
  const reviewed = await hold(stage, flags, { io, basics, format });
  tell(reviewed, { io, format, stage, version: flags.version });
  const { failOn } = flags;
  const isBad =
    failOn !== 'never' && reviewed.findings.some(({ severity }) => isAtLeast(severity, failOn));
  return isBad ? EXIT.failure : EXIT.ok;
}

interface Holding {
  io: Io;
  basics: Basics;
}

type Stage = ReviewStage & Pick<ReviewRequest, 'actor' | 'markerSecret' | 'texts' | 'config'>;

async function openStage(
  source: Source,
  flags: ReviewFlags,
  { io, basics }: Holding,
): Promise<Stage> {
  const dir = path.resolve(io.cwd, flags.dir);
  const markerSecret = randomBytes(32).toString('base64url');
  if (source.kind !== 'pull') {
    const { baseSha, ...stage } = await openLocalStage(source, { io, dir, basics, markerSecret });
    await checkFileOnDisk(dir, { io, at: baseSha });
    return { ...stage, actor: YOU, markerSecret, texts: LOCAL_TEXTS, config: 'local' };
  }
  const { apiUrl } = readHostSettings(io.env);
  if (source.apiUrl !== undefined && source.apiUrl !== apiUrl)
    throw usageError(
      'host-unknown',
      `This pull request is on another GitHub than ${apiUrl}. Set GHE_HOST to its host (GITHUB_API_URL=https://api.SUBDOMAIN.ghe.com on ghe.com), with a GITHUB_TOKEN for it.`,
    );
  const token = filled(io.env['GITHUB_TOKEN']);
  if (token === undefined)
    throw new ConfigError({
      code: 'token-missing',
      message: `Reading pull request #${source.number} needs GITHUB_TOKEN (gh auth token prints one). A working tree or a diff needs none.`,
    });
  const repository = source.repository ?? flags.repo ?? io.env['GITHUB_REPOSITORY'];
  const remote = await openRemote({
    basics,
    token,
    apiUrl,
    repository: toRepository(repository ?? (await openGitTree(dir))?.fullName ?? 'local/nothing'),
    number: source.number,
    markerSecret,
    onWrite: () => undefined,
  });
  const { owner, repo } = remote.thread;
  const what = `${owner}/${repo}#${source.number}`;
  return { ...remote, what, isEmpty: false, markerSecret, config: 'remote' };
}

function toRepository(name: string): string {
  if (/^[\w.-]+\/[\w.-]+$/.test(name) && !name.startsWith('local/')) return name;
  throw usageError('repository-invalid', 'Which repository? Write --repo owner/name, or a URL.');
}

async function hold(
  stage: Stage,
  flags: ReviewFlags,
  { io, basics, format }: Holding & { format: ReviewFormat },
): Promise<Reviewed> {
  const board = createBoard({
    write: (text) => io.err(text),
    isLive: io.isTty && format === 'text',
    columns: io.columns,
    paint: createPaint(io),
  });
  const request: ReviewRequest = {
    ...stage,
    basics,
    personas: flags.personas,
    detectSecrets: createSecretDetector({
      load: loadSecretlint,
      onMissing: (error) =>
        basics.log.warn({ err: error }, 'the detector of credentials cannot be loaded'),
    }),
    onLook: (run: Run | undefined) => board.show([{ name: '', title: stage.what, run }]),
  };
  return flags.model && !stage.isEmpty ? reviewByCouncil(request) : reviewByRules(request);
}

function tell(
  reviewed: Reviewed,
  to: { io: Io; format: ReviewFormat; stage: Stage; version: string },
): void {
  const { io, format, stage, version } = to;
  if (format === 'json') return outJson(io, toReviewJson(reviewed));
  if (format === 'sarif') {
    const rules = new Map(REVIEW_RULES.map((rule) => [rule.id, rule]));
    const { findings, notRead } = reviewed;
    return outJson(io, toSarif(findings, { version, rules, notRead }));
  }
  const diff = parseDiff(reviewed.view.diff);
  if (diff.files.length === 0 && reviewed.notRead.length === 0)
    return io.out(`Nothing changed in ${stage.what}: there is nothing to review.\n`);
  return io.out(renderReviewText(reviewed, { io, diff, what: stage.what }));
}
