/** Can tasks be worked on here: is it allowed, is there a sandbox for what runs, and somebody who writes code. */
import { findBwrap } from '../../../adapters/bubblewrap/launch.ts';
import { describeSandbox } from '../../../adapters/bubblewrap/describe-sandbox.ts';
import { findClaude } from '../../../adapters/coder/claude/find-claude.ts';
import { allHosts } from '../../../adapters/bubblewrap/egress/open-egress.ts';
import { QuorumError } from '../../../domain/event/errors.ts';
import { HOSTS_SETTING, renderAllowed } from '../../../domain/sandbox/sandbox-hosts.ts';
import { egressOf } from '../../environment/read-egress.ts';
import type { Env } from '../../environment/env-file.ts';
import { filled } from '../../environment/host-settings.ts';
import { checkSandboxPaths, runnerOf, sandboxOf } from '../../open-coding-runtime.ts';
import type { Finding } from './doctor-finding.ts';

/** No code is run; the machine's package clients are asked which registries they use. */
export async function checkCoder(env: Env): Promise<Finding[]> {
  try {
    sandboxOf(env, { sandbox: 'on' });
    if (runnerOf(env) !== 'local')
      return [{ level: 'ok', about: 'coder', says: 'no code is written here (QUORUM_CODER)' }];
  } catch (error) {
    return [{ level: 'fail', about: 'coder', says: said(error), fix: 'Mend the environment.' }];
  }
  return [
    found('sandbox', () => describeSandbox(findBwrap(undefined)), {
      level: 'warn',
      fix: 'Install bubblewrap (bwrap): without it nothing is run, unless you say QUORUM_SANDBOX=off and a repository `coder.sandbox: off`.',
    }),
    found('sandbox paths', () => describePaths(env), {
      level: 'fail',
      fix: 'Until then nothing is run in a sandbox: see `sandbox-path-refused` in docs/troubleshooting.md.',
    }),
    found('coder', () => findClaude(filled(env['CLAUDE_BIN'])), {
      level: 'warn',
      fix: 'Install Claude Code and name it in CLAUDE_BIN; until then only tasks that carry their own `diff` are done.',
    }),
    await checkHosts(env),
  ];
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
