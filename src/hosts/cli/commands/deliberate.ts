/** `quorum deliberate`: the team on one issue or idea, through the same engine as the App; nothing is posted. */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { openLocalRepository, type LocalChange } from '../../../adapters/local/local-repository.ts';
import type { Perform } from '../../../act/perform.ts';
import type { CouncilMode } from '../../../domain/run/state/run-base.ts';
import {
  isDiscussionRun,
  type Run,
  type DiscussionRun,
} from '../../../domain/run/state/run-record.ts';
import { ConfigError } from '../../../domain/event/errors.ts';
import type { RunAuthority } from '../../../domain/run/permit/run-authority.ts';
import { threadName } from '../../../domain/run/thread-ref.ts';
import type { GitHub } from '../../../ports/github/github.ts';
import type { Store } from '../../../ports/store.ts';
import type { Basics } from '../../host-parts.ts';
import { filled, readHostSettings } from '../../environment/host-settings.ts';
import { performAtTerminal, runAtTerminal } from '../at-terminal.ts';
import { createBasics } from '../basics.ts';
import { createBoard } from '../terminal/progress-display.ts';
import { renderOutcome, toOutcomeJson } from '../deliberate/render-outcome.ts';
import { openRemote, type RemoteStage } from '../deliberate/open-remote.ts';
import { parseSubject, type Subject } from '../deliberate/parse-subject.ts';
import { checkFileOnDisk } from '../check-file-on-disk.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';

interface Flags {
  json?: true;
  subject: string;
  dir: string;
  repo?: string;
  mode?: CouncilMode;
}

/** Nothing is written and the user pays, so no role is needed. */
const YOURS: RunAuthority = { kind: 'terminal', waives: ['role'] };

export async function deliberate(flags: Flags, io: Io): Promise<ExitCode> {
  const words = flags.subject === '-' ? await io.readStdin() : flags.subject;
  const subject = parseSubject(words);
  const basics = createBasics(
    { ...io, env: { ...io.env, LOG_LEVEL: io.env['LOG_LEVEL'] ?? 'error' } },
    { to: 'err' },
  );
  const changes: LocalChange[] = [];
  const council: Council = {
    basics: { ...basics, env: io.env },
    markerSecret: randomBytes(32).toString('base64url'),
    // Nobody at a terminal needs to be notified.
    onWrite: (change) => {
      if (change.kind !== 'comment' || change.isNotice !== true) changes.push(change);
    },
    ...(flags.mode === undefined ? {} : { mode: flags.mode }),
  };
  const stage = await openStage(subject, flags, { io, council });
  const run = await hold(stage, council, { io, wantsJson: flags.json === true, subject });
  const comment = changes.findLast((change) => change.kind === 'comment')?.body ?? '';
  if (flags.json === true) outJson(io, toOutcomeJson(run, { comment, changes }));
  else io.out(renderOutcome(run, { comment, changes }, io));
  return run.verdict === undefined ? EXIT.failure : EXIT.ok;
}

/** Where a discussion happens, and who asked for it. */
type Stage = Omit<RemoteStage, 'github'> & { github: GitHub };

interface Council {
  basics: Basics;
  markerSecret: string;
  onWrite: (change: LocalChange) => void;
  mode?: CouncilMode;
}

async function openStage(
  subject: Subject,
  flags: Flags,
  { io, council }: { io: Io; council: Council },
): Promise<Stage> {
  const dir = path.resolve(io.cwd, flags.dir);
  const { basics, markerSecret, onWrite } = council;
  const issue =
    subject.kind === 'text' ? { number: 1, ...subject } : { number: 1, title: '-', body: '' };
  if (!isFolder(dir))
    throw usageError('folder-missing', `${dir} is not a directory. Name one with --dir.`);
  if (subject.kind === 'text') await checkFileOnDisk(dir, { io });
  const local = await openLocalRepository({
    dir,
    clock: basics.clock,
    issue,
    markerSecret,
    onWrite,
  });
  if (subject.kind === 'text') {
    const { author } = await local.github.at(local.thread).read.issue(local.thread);
    return { ...local, actor: author };
  }
  const token = filled(io.env['GITHUB_TOKEN']);
  if (token === undefined)
    throw new ConfigError({
      code: 'token-missing',
      message: `Reading issue #${subject.number} needs GITHUB_TOKEN (gh auth token prints one). Text needs none.`,
    });
  const here = `${local.thread.owner}/${local.thread.repo}`;
  const repository = toRepository(
    subject.repository ?? flags.repo ?? io.env['GITHUB_REPOSITORY'] ?? here,
  );
  const { apiUrl } = readHostSettings(io.env);
  if (subject.apiUrl !== undefined && subject.apiUrl !== apiUrl) throw foreignHost(apiUrl);
  return openRemote({
    basics,
    token,
    apiUrl,
    repository,
    number: subject.number,
    markerSecret,
    onWrite,
  });
}

/** A token is for one GitHub; an address that somebody sent must not get it. */
function foreignHost(apiUrl: string): ConfigError {
  return usageError(
    'host-unknown',
    `This issue is on another GitHub than ${apiUrl}. Set GHE_HOST to its host (GITHUB_API_URL=https://api.SUBDOMAIN.ghe.com on ghe.com), with a GITHUB_TOKEN for it.`,
  );
}

function isFolder(dir: string): boolean {
  return statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true;
}

function toRepository(name: string): string {
  if (/^[\w.-]+\/[\w.-]+$/.test(name)) return name;
  throw usageError('repository-invalid', `${name} is no repository. Write --repo owner/name.`);
}

interface Holding {
  io: Io;
  wantsJson: boolean;
  subject: Subject;
}

async function hold(stage: Stage, council: Council, holding: Holding): Promise<DiscussionRun> {
  const { thread, actor } = stage;
  const run = await runAtTerminal({
    basics: council.basics,
    thread,
    trigger: {
      kind: 'requested',
      thread,
      actor,
      label: 'deliberate',
      by: 'cli',
      authority: YOURS,
    },
    config: holding.subject.kind === 'text' ? 'local' : 'remote',
    perform: (store) => createTerminalPerform(stage, council, store),
    onLook: createWatch(stage, holding),
  });
  if (run !== undefined && isDiscussionRun(run)) return run;
  throw usageError('nothing-discussed', 'There was nothing to discuss.');
}

async function createTerminalPerform(
  { github }: Stage,
  { basics, markerSecret, mode }: Council,
  store: Store,
): Promise<Perform> {
  const perform = await performAtTerminal({ basics, github, store, markerSecret });
  if (mode === undefined) return perform;
  return async (effect, attempt) => {
    const done = await perform(effect, attempt);
    // What the terminal says outranks the repository.
    if (done.effectKind === 'look') done.result.view.config.council.mode = mode;
    return done;
  };
}

function createWatch(stage: Stage, { io, wantsJson, subject }: Holding) {
  const board = createBoard({
    write: (text) => io.err(text),
    isLive: io.isTty && !wantsJson,
    columns: io.columns,
    paint: createPaint(io),
  });
  const isText = subject.kind === 'text';
  const name = isText ? '' : threadName(stage.thread);
  const title = isText ? subject.title : '';
  return (run: Run | undefined): void => board.show([{ name, title, run }]);
}
