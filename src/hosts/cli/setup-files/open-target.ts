/** Where the three set-up commands work: this working tree, or a pull request made with a person's own token. */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { createPullTarget } from '../../../adapters/github/setup/pull-target.ts';
import { webUrl } from '../../../adapters/github/client/web-host.ts';
import { openDiskTarget } from '../../../adapters/local/setup/disk-target.ts';
import { CONFIG_FILES } from '../../../domain/config/config-file.ts';
import { ConfigError, RefusedError } from '../../../domain/event/errors.ts';
import { PROJECT_TEXTS } from '../../../domain/setup/detect-project.ts';
import { SETUP_PATHS } from '../../../domain/setup/setup-files.ts';
import type { SetupLook, SetupTarget } from '../../../ports/setup-target.ts';
import { filled, readHostSettings } from '../../environment/host-settings.ts';
import type { SetupFlags } from './flags.ts';
import { usageError } from '../report-failure.ts';
import type { Io } from '../terminal/io.ts';

const GH_TIMEOUT_MS = 10_000;
const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;

/** A `--branch` as git takes it; GitHub checks the rest. */
const BRANCH = /^(?!.*(?:\.\.|\/\/|@\{))[A-Za-z0-9_][\w./-]{0,200}$/;

type Purpose = 'init' | 'upgrade' | 'uninstall';

/** The branch of the pull request. ConfigError `choice-invalid`. */
export function branchOf(flags: SetupFlags, purpose: Purpose): string {
  const branch = flags.branch ?? `quorum/${purpose}`;
  if (BRANCH.test(branch)) return branch;
  throw usageError('choice-invalid', `--branch is ${branch}, which is no name of a branch.`);
}

export async function openTarget(
  flags: SetupFlags,
  io: Io,
  purpose: Purpose,
): Promise<SetupTarget> {
  const dir = path.resolve(io.cwd, flags.dir);
  if (flags.pr !== true) return openDiskTarget(existingFolder(dir));
  const branch = branchOf(flags, purpose);
  const { apiUrl } = readHostSettings(io.env);
  const repository = await nameRepository(flags, io, dir);
  const token = await findToken(io, apiUrl);
  return createPullTarget({ apiUrl, token, repository, branch, isForced: flags.force === true });
}

function existingFolder(dir: string): string {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) return dir;
  throw usageError('folder-missing', `${dir} is not a directory. Name one with --dir.`);
}

async function nameRepository(flags: SetupFlags, io: Io, dir: string): Promise<string> {
  const named = flags.repo ?? filled(io.env['GITHUB_REPOSITORY']);
  if (named !== undefined) {
    if (/^[\w.-]+\/[\w.-]+$/.test(named)) return named;
    throw usageError('repository-invalid', `${named} is no repository. Write --repo owner/name.`);
  }
  const target = await openDiskTarget(existingFolder(dir));
  const { repository } = await target.look(() => false);
  if (!repository.startsWith('local/')) return repository;
  throw usageError(
    'repository-invalid',
    `${dir} has no remote origin on GitHub. Name the repository with --repo owner/name.`,
  );
}

/** `GITHUB_TOKEN`, `GH_TOKEN`, or the one that gh keeps. ConfigError `token-missing`. */
async function findToken(io: Io, apiUrl: string): Promise<string> {
  const token =
    filled(io.env['GITHUB_TOKEN']) ?? filled(io.env['GH_TOKEN']) ?? (await askGh(io, apiUrl));
  if (token !== undefined) return token;
  throw new ConfigError({
    code: 'token-missing',
    message: 'A pull request needs your token: set GITHUB_TOKEN, or run gh auth login.',
  });
}

/** Undefined without gh, or without a login. */
function askGh(io: Io, apiUrl: string): Promise<string | undefined> {
  const host = new URL(webUrl(apiUrl)).host;
  const options = { env: io.env, timeout: GH_TIMEOUT_MS };
  return new Promise((resolve) => {
    execFile('gh', ['auth', 'token', '--hostname', host], options, (error, stdout) =>
      resolve(error === null ? filled(stdout.trim()) : undefined),
    );
  });
}

/**
 * Everything that one of the three commands needs to know. RefusedError `path-refused` for a link at a target, but not at one
 * of `more`, which may stay as they are.
 */
export async function lookAt(
  target: SetupTarget,
  more: readonly string[] = [],
): Promise<SetupLook> {
  const look = await target.look((file) => isWanted(file) || more.includes(file), more);
  const [first] = look.notFiles.filter((each) => isOwn(each));
  if (first === undefined) return look;
  throw new RefusedError({
    code: 'path-refused',
    message: `${first} is not a plain file. Nothing was written.`,
    details: 'Replace the link, folder or submodule there with a file, or remove it.',
  });
}

function isWanted(file: string): boolean {
  return isOwn(file) || PROJECT_TEXTS.includes(file) || WORKFLOW.test(file);
}

function isOwn(file: string): boolean {
  return SETUP_PATHS.includes(file) || CONFIG_FILES.includes(file);
}
