/** The model that needs no key and no network: it judges from the facts that code found, and says so. */
import { z } from 'zod';
import type { OfflineBrief } from '../../../domain/run/evidence.ts';
import { InvalidOutputError } from '../../../domain/event/errors.ts';
import { NO_USAGE } from '../../../domain/run/ledger.ts';
import type { Model, ModelAnswer, ModelRequest } from '../../../ports/model.ts';
import { answerQuestion } from './offline-answer.ts';
import { judgeCandidate } from './judge/candidate.ts';
import { reachBuildVerdict, takeBuildPosition } from './judge/judge-build.ts';
import { reachChangeVerdict, takeChangePosition } from './judge/judge-change.ts';
import { draftPlan } from './draft-plan.ts';
import { reflect } from './reflect.ts';
import { proposeForRoles } from './propose-for-roles.ts';
import { takePosition } from './judge/position.ts';
import { reachVerdict } from './judge/verdict.ts';

/** What must hold before the evidence is believed to be a brief; the rest is typed at its source. */
const BriefShape = z.looseObject({
  evidence: z.looseObject({
    signals: z.array(z.looseObject({ ruleId: z.string() })),
    files: z.array(z.unknown()),
    positions: z.array(z.unknown()),
    answers: z.array(z.unknown()),
    symbols: z.array(z.unknown()).optional(),
    relatedIssues: z.array(z.unknown()).optional(),
  }),
  purpose: z.enum([
    'position',
    'verdict',
    'answer',
    'candidate',
    'plan',
    'reflection',
    'role-memory',
    'consolidation',
    'standup',
  ]),
  persona: z.looseObject({
    handle: z.string(),
    role: z.string(),
    lens: z.string(),
    domains: z.array(z.string()),
  }),
  verdicts: z.array(z.string()).min(1),
  round: z.number(),
});

function isBrief(value: unknown): value is OfflineBrief {
  return BriefShape.safeParse(value).success;
}

type Other = Exclude<OfflineBrief['purpose'], 'position' | 'verdict'>;

const ANSWERS: { readonly [P in Other]: (brief: OfflineBrief) => unknown } = {
  answer: answerQuestion,
  candidate: judgeCandidate,
  plan: draftPlan,
  reflection: reflect,
  'role-memory': proposeForRoles,
  // Rules cannot say a thing in fewer words: repeated lessons keep the newest wording, and long files stay.
  consolidation: () => ({ lines: [] }),
  standup: ({ standup }) => standup ?? { insights: [] },
};

function judge(brief: OfflineBrief): unknown {
  const { purpose } = brief;
  if (purpose !== 'position' && purpose !== 'verdict') return ANSWERS[purpose](brief);
  const { build } = brief.evidence;
  if (build !== undefined)
    return brief.purpose === 'position'
      ? takeBuildPosition(brief, build)
      : reachBuildVerdict(brief, build);
  const isAboutIssue = brief.verdicts.includes('READY');
  if (brief.purpose === 'position')
    return isAboutIssue ? takePosition(brief) : takeChangePosition(brief);
  return isAboutIssue ? reachVerdict(brief) : reachChangeVerdict(brief);
}

/**
 * A deterministic model without a network: the same facts give the same bytes, at no cost.
 *
 * It answers only requests that carry an {@link OfflineBrief} as `evidence`. Its JSON fits the council's positions
 * and verdicts, an answer to a question, or a plan. Anything else is InvalidOutputError `offline-needs-evidence`.
 */
export function createOfflineModel(): Model {
  return { name: 'offline', generate };
}

function generate(request: ModelRequest): Promise<ModelAnswer> {
  const { evidence } = request;
  if (!isBrief(evidence))
    return Promise.reject(
      new InvalidOutputError({
        code: 'offline-needs-evidence',
        message:
          'The offline model judges facts and was given none. Configure a model with a key for free text.',
      }),
    );
  return Promise.resolve({
    text: JSON.stringify(judge(evidence)),
    toolCalls: [],
    finishReason: 'stop',
    calls: [
      {
        provider: 'offline',
        pool: request.model,
        model: 'offline',
        usage: NO_USAGE,
        costUsd: 0,
        latencyMs: 0,
        outcome: 'ok',
        retries: 0,
      },
    ],
  });
}
