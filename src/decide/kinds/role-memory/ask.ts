/** The one question to the extraction model. */
import type { RoleLook } from '../../../domain/memory/role/role-run.ts';
import { noEvidence } from '../../run/no-evidence.ts';
import { emitEffect } from '../../run/decision.ts';
import type { RunContext } from '../../run/thread-context.ts';
import { rolePrompt } from './prompt.ts';

/** Used where the team has no persona that plans. */
const NOBODY = { handle: 'pm', name: 'PM', role: 'PM', lens: '', domains: [] };

export function askForRoles(
  { run, step }: Pick<RunContext<'role_memory'>, 'run' | 'step'>,
  { config, material, texts, pm, nonce }: RoleLook,
): string {
  const { handle, name, role, lens, domains } = pm ?? NOBODY;
  return emitEffect(step, {
    kind: 'ask',
    thread: run.thread,
    persona: handle,
    trigger: 'role_memory',
    purpose: 'role-memory',
    round: 1,
    model: config.models.aliases.memoryExtraction ?? 'memoryExtraction',
    tier: 'strong',
    prompt: rolePrompt({ material, texts, nonce: run.nonce ?? nonce }),
    brief: {
      evidence: noEvidence(),
      purpose: 'role-memory',
      work: material,
      persona: { handle, name, role, lens, domains: [...domains] },
      verdicts: ['APPROVE'],
      round: 1,
      mode: 'single',
    },
    caps: run.settings.caps,
  });
}
