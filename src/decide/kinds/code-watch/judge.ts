/** Asking the lead whether a candidate is worth an issue: one call, with the code in view. */
import { CHANGE_VERDICTS } from '../../../domain/run/council.ts';
import type { Evidence } from '../../../domain/run/evidence.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import type { CodeLookResult } from '../../../domain/event/result.ts';
import type { Candidate } from '../../../domain/repository/watched-code.ts';
import { modelOf, temperatureOf } from '../../discussion/ask/build-ask.ts';
import { emitEffect } from '../../run/decision.ts';
import { noEvidence } from '../../run/no-evidence.ts';
import { candidatePrompt } from './prompt.ts';
import type { RunContext } from '../../run/thread-context.ts';

/** Wants the judgement and returns the effect's id. */
export function askJudge(
  { run, state, step }: RunContext<'code_watch'>,
  { view, nonce }: CodeLookResult,
  { lead, candidate }: { lead: Persona; candidate: Candidate },
): string {
  const { handle, name, role, lens, domains } = lead;
  return emitEffect(step, {
    kind: 'ask',
    thread: run.thread,
    persona: handle,
    trigger: 'code_watch',
    purpose: 'verdict',
    round: 1,
    ...modelOf(lead, state, view.config.models.aliases),
    ...temperatureOf(lead),
    prompt: candidatePrompt({ view, nonce: run.nonce ?? nonce, lead, candidate }),
    brief: {
      evidence: toEvidence(candidate),
      purpose: 'candidate',
      persona: { handle, name, role, lens, domains: [...domains] },
      verdicts: [...CHANGE_VERDICTS],
      round: 1,
      mode: 'single',
    },
    caps: run.settings.caps,
  });
}

/** The one signal, and why it matters. */
function toEvidence(candidate: Candidate): Evidence {
  const { ruleId, severity, certainty, title, why, step, personas, places } = candidate;
  const [first] = places;
  return {
    ...noEvidence(),
    title,
    excerpt: why,
    signals: [
      {
        ruleId,
        severity,
        certainty,
        title,
        evidence: first?.evidence ?? '',
        ...(first === undefined ? {} : { place: { path: first.path, line: first.line } }),
        concerns: personas,
        suggestion: step,
      },
    ],
    files: places.map(({ path, line, title: why2 }) => ({
      path,
      why: why2,
      lines: [line, line],
      score: 1,
    })),
  };
}
