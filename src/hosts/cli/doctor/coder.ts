/** Can tasks be worked on here: is it allowed, is there a fence for what runs, and somebody who writes code. */
import { findBwrap } from '../../../adapters/bubblewrap/launch.ts';
import { findClaude } from '../../../adapters/coder/claude/find-claude.ts';
import { QuorumError } from '../../../domain/errors.ts';
import type { Env } from '../../env-file.ts';
import { filled } from '../../settings.ts';
import { runnerOf, sandboxOf } from '../../workshop.ts';
import type { Finding } from './finding.ts';

/** Nothing of it is run: what is there is only looked for. */
export function checkCoder(env: Env): Finding[] {
  try {
    sandboxOf(env, { sandbox: 'on' });
    if (runnerOf(env) !== 'local')
      return [{ level: 'ok', about: 'coder', says: 'no code is written here (QUORUM_CODER)' }];
  } catch (error) {
    return [{ level: 'fail', about: 'coder', says: said(error), fix: 'Mend the environment.' }];
  }
  return [
    found('sandbox', () => findBwrap(undefined), {
      level: 'warn',
      fix: 'Install bubblewrap (bwrap): without it nothing is run, unless you say QUORUM_SANDBOX=off and a repository `coder.sandbox: off`.',
    }),
    found('coder', () => findClaude(filled(env['CLAUDE_BIN'])), {
      level: 'warn',
      fix: 'Install Claude Code and name it in CLAUDE_BIN; until then only tasks that carry their own `diff` are done.',
    }),
  ];
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
