/** Buttons below a plan in a channel: each stands for a command about exactly the text that was shown. */

export const PLAN_VERBS = ['approve', 'reject'] as const;
export type PlanVerb = (typeof PLAN_VERBS)[number];

/** The plan that a message in a channel shows. */
export interface PlanShown {
  repositoryId: number;
  number: number;
  /** Of its text. */
  digest: string;
}

/** A plan that people may answer with a button. */
export interface PlanAsks extends PlanShown {
  /** Ids of the channels that are for its repository: it has no buttons elsewhere. */
  places: readonly string[];
}

/** Somebody pressed a button below a plan. */
export interface PlanClick extends PlanShown {
  verb: PlanVerb;
}

/** What became of a plan that waited for approval. */
export interface PlanAnswer {
  verb: PlanVerb;
  /** Login on GitHub. */
  by: string;
  digest: string;
}

/** The command that a person would write instead. An approval names the whole digest, so it can mean no other text. */
export function clickCommand({ verb, digest }: Pick<PlanClick, 'verb' | 'digest'>): string {
  return verb === 'approve' ? `/pm approve ${digest}` : '/pm reject';
}

/** Digits of a digest that people compare. */
const SHORT = 12;

/** Markdown, above the buttons. */
export function askForApproval({ digest }: Pick<PlanShown, 'digest'>): string {
  return `Plan \`${digest.slice(0, SHORT)}\` waits for approval. Press a button, or answer \`yes\`. Your GitHub account must be linked.`;
}

/** Markdown, in place of the buttons. */
export function describePlanAnswer({ verb, by, digest }: PlanAnswer): string {
  return `\`${by}\` ${verb === 'approve' ? 'approved' : 'rejected'} plan \`${digest.slice(0, SHORT)}\`.`;
}
