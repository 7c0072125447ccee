/** Can tasks be worked on: is it allowed, is there a sandbox for what runs here, and somebody who writes code. */
import { trySandbox } from '../../../adapters/bubblewrap/try-sandbox.ts';
import { CLAUDE_VERSION, findClaude } from '../../../adapters/coder/claude/find-claude.ts';
import { allHosts } from '../../../adapters/bubblewrap/egress/open-egress.ts';
import { QuorumError } from '../../../domain/event/errors.ts';
import { HOSTS_SETTING, renderAllowed } from '../../../domain/sandbox/sandbox-hosts.ts';
import { egressOf } from '../../environment/read-egress.ts';
import { claudeModels } from '../../environment/claude-models.ts';
import type { Env } from '../../environment/env-file.ts';
import { filled } from '../../environment/host-settings.ts';
import { checkSandboxPaths, runnerOf, sandboxOf } from '../../open-coding-runtime.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Basics } from '../../host-parts.ts';
import { checkWorkflowCoder, showOwnId } from './check-workflow-coder.ts';
import type { Finding } from './doctor-finding.ts';

const GUIDE = 'docs/install-app.md, step 4';

/** One sandbox is made and removed again; the machine's package clients are asked which registries they use. */
export async function checkCoder(basics: Basics): Promise<Finding[]> {
  const { env, clock } = basics;
  try {
    sandboxOf(env, { sandbox: 'on' });
    if (runnerOf(env) === 'off') return [codingIsOff(env)];
  } catch (error) {
    return [{ level: 'fail', about: 'coder', says: said(error), fix: 'Correct the environment.' }];
  }
  return [
    await checkSandbox(clock),
    found('sandbox paths', () => describePaths(env), {
      level: 'fail',
      fix: 'Until then nothing is run in a sandbox: see `sandbox-path-refused` in docs/troubleshooting.md.',
    }),
    ...(runnerOf(env) === 'actions'
      ? [await checkWorkflowCoder(basics)]
      : [checkClaude(env), ...(await showOwnId(basics))]),
    await checkHosts(env),
  ];
}

/** An owner who says `off` means it; one who says nothing may not know. */
function codingIsOff(env: Env): Finding {
  const about = 'coder';
  const word = filled(env['QUORUM_CODER']);
  if (word === 'off')
    return { level: 'ok', about, says: 'no code is written here (QUORUM_CODER=off)' };
  return {
    level: 'warn',
    about,
    says: 'no code is written here: QUORUM_CODER is not set, so approved plans are not carried out',
    fix: `Set QUORUM_CODER=local or actions to let it write code (${GUIDE}), or QUORUM_CODER=off if it must not.`,
  };
}

async function checkSandbox(clock: Clock): Promise<Finding> {
  const about = 'sandbox';
  try {
    return { level: 'ok', about, says: await trySandbox(clock) };
  } catch (error) {
    const details = error instanceof QuorumError ? error.details : undefined;
    const fix = `${details ?? 'Without a sandbox nothing is run.'} ${GUIDE}, has the flags for containers and systemd.`;
    return { level: 'warn', about, says: said(error), fix };
  }
}

function checkClaude(env: Env): Finding {
  const program = found('coder', () => findClaude(filled(env['CLAUDE_BIN'])), {
    level: 'warn',
    fix: `Install Claude Code (npm install -g @anthropic-ai/claude-code@${CLAUDE_VERSION}) or name it in CLAUDE_BIN; until then only tasks that carry their own \`diff\` are done.`,
  });
  if (program.level !== 'ok' || claudeModels(env).length > 0) return program;
  return {
    level: 'warn',
    about: 'coder',
    says: `${program.says}, and no model that it can use`,
    fix: 'Set ANTHROPIC_API_KEY; until then only tasks that carry their own `diff` are done.',
  };
}

function describePaths(env: Env): string {
  checkSandboxPaths(env);
  return 'no home folder and nothing of Quorum’s own is shown';
}

async function checkHosts(env: Env): Promise<Finding> {
  const about = 'sandbox hosts';
  const fix = `Programs in a sandbox with network reach these hosts only. Add others to ${HOSTS_SETTING}.`;
  try {
    const egress = egressOf(env);
    const hosts = allHosts(egress, await egress.clients());
    const named = hosts.map((host) => `${renderAllowed(host)} (${host.source})`);
    if (named.length > 0) return { level: 'ok', about, says: named.join(', ') };
    return { level: 'warn', about, says: 'none: installations cannot fetch anything', fix };
  } catch (error) {
    return { level: 'fail', about, says: said(error), fix: 'Correct the environment.' };
  }
}

function found(
  about: string,
  find: () => string,
  missing: Pick<Finding, 'level' | 'fix'>,
): Finding {
  try {
    return { level: 'ok', about, says: find() };
  } catch (error) {
    return { about, says: said(error), ...missing };
  }
}

function said(error: unknown): string {
  if (error instanceof QuorumError) return error.message;
  throw error;
}
