/** The labels that Quorum reads and sets: default names, descriptions and colours (spec 13). */
import * as z from 'zod';

export const Label = z.enum([
  'deliberate',
  'prd',
  'board',
  'board:general',
  'board:research',
  'board:content',
  'board:finance',
  'board:strategy',
  'board:critic',
  'plan-me',
  'plan',
  'plan:active',
  'plan:complete',
  'plan:blocked',
  'plan:superseded',
  'ready',
  'draft',
  'needs-human',
  'changes-requested',
  'hold',
  'keep-open',
  'quorum:skip',
  'memo',
  'finished',
  'code-watch',
]);
export type Label = z.infer<typeof Label>;

export interface LabelLook {
  description: string;
  /** Six hexadecimal digits, as GitHub wants them. Used at creation only; never recoloured. */
  color: string;
}

const TRIGGER = '1f6feb';
const PLAN = '8250df';
const GOOD = '1a7f37';
const WAITING = 'bf8700';
const STOP = 'cf222e';
const PLAIN = '6e7781';

const topic = (role: string): LabelLook => ({
  description: `Goes to the board's ${role} persona`,
  color: TRIGGER,
});

/** How each label is created on first use. */
export const LABEL_LOOKS: Readonly<Record<Label, LabelLook>> = {
  deliberate: { description: 'Ask the engineering personas to discuss this', color: TRIGGER },
  prd: { description: 'Ask how this would be built', color: TRIGGER },
  board: { description: 'Ask for a board meeting', color: TRIGGER },
  'board:general': topic('general'),
  'board:research': topic('research'),
  'board:content': topic('content'),
  'board:finance': topic('finance'),
  'board:strategy': topic('strategy'),
  'board:critic': topic('critic'),
  'plan-me': { description: 'Ask the PM for a plan', color: TRIGGER },
  plan: { description: 'The body lists tasks for the team', color: PLAN },
  'plan:active': { description: 'Tasks of this plan may be claimed', color: PLAN },
  'plan:complete': { description: 'Every task of this plan is done', color: GOOD },
  'plan:blocked': { description: 'This plan waits for somebody', color: WAITING },
  'plan:superseded': { description: 'Another plan took over', color: PLAIN },
  ready: { description: 'Discussed and clear enough to start', color: GOOD },
  draft: { description: 'Needs more before work can start', color: WAITING },
  'needs-human': {
    description: 'The team asked a question only a person can answer',
    color: WAITING,
  },
  'changes-requested': { description: 'The review ended with changes to make', color: WAITING },
  hold: { description: 'Nothing merges while this is set', color: STOP },
  'keep-open': { description: 'Never closed automatically', color: PLAIN },
  'quorum:skip': { description: 'The team stays out of this thread', color: STOP },
  memo: { description: 'A note, closed after three quiet days', color: PLAIN },
  finished: { description: 'The project is done; the team sleeps until this closes', color: PLAIN },
  'code-watch': { description: 'Found by the team in the code', color: TRIGGER },
};

/** Each label under its default name. */
export const DEFAULT_LABELS: Readonly<Record<Label, string>> = Label.enum;
