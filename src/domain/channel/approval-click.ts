/** Buttons below a plan or a pull request in a channel: each stands for a command about exactly what was shown. */

export const APPROVAL_VERBS = ['approve', 'reject'] as const;
export type ApprovalVerb = (typeof APPROVAL_VERBS)[number];

/** What a message in a channel shows, and a person may approve: a plan's text, or the head of a pull request. */
export interface Approvable {
  repositoryId: number;
  number: number;
  /** Of the plan's text; of a pull request the SHA of its head. */
  digest: string;
  /** The number is that of a pull request; a plan's when absent. */
  of?: 'head';
}

/** Something that people may answer with a button. */
export interface ApprovalAsks extends Approvable {
  /** Ids of the channels that are for its repository: it has no buttons elsewhere. */
  places: readonly string[];
}

/** Somebody pressed a button. */
export interface ApprovalClick extends Approvable {
  verb: ApprovalVerb;
}

/** What became of a plan that waited for approval. */
export interface PlanAnswer {
  verb: ApprovalVerb;
  /** Login on GitHub. */
  by: string;
  digest: string;
}

/** A head that waits for no approval any more. */
export interface HeadAnswer {
  headSha: string;
  /** Login on GitHub of somebody who approved it; absent where it was merged, closed or replaced. */
  by?: string;
}

/** A plan is approved or rejected. A head is only approved: people ask for changes in a review. */
export function verbsFor({ of }: Pick<Approvable, 'of'>): readonly ApprovalVerb[] {
  return of === 'head' ? ['approve'] : APPROVAL_VERBS;
}

/**
 * The command that a person would write instead. An approval names the whole digest or commit, so it can mean nothing
 * else.
 */
export function clickCommand({ verb, digest }: Pick<ApprovalClick, 'verb' | 'digest'>): string {
  return verb === 'approve' ? `/pm approve ${digest}` : '/pm reject';
}

/** Digits of a digest or a commit that people compare. */
const SHORT = 12;

const LINKED = 'Your GitHub account must be linked.';

/** Markdown, above the buttons. */
export function askForApproval({ digest, of }: Pick<Approvable, 'digest' | 'of'>): string {
  const short = digest.slice(0, SHORT);
  return of === 'head'
    ? `Head \`${short}\` waits for approval. Read the change on GitHub, then press the button. ${LINKED}`
    : `Plan \`${short}\` waits for approval. Press a button, or answer \`yes\`. ${LINKED}`;
}

/** Markdown, in place of the buttons. */
export function describePlanAnswer({ verb, by, digest }: PlanAnswer): string {
  return `\`${by}\` ${verb === 'approve' ? 'approved' : 'rejected'} plan \`${digest.slice(0, SHORT)}\`.`;
}

/** Markdown, in place of the button. */
export function describeHeadAnswer({ headSha, by }: HeadAnswer): string {
  const head = `\`${headSha.slice(0, SHORT)}\``;
  return by === undefined
    ? `Head ${head} no longer waits for approval.`
    : `\`${by}\` approved head ${head}.`;
}

/** Markdown, for the one person who pressed the button of a head that is not the newest any more. */
export function describeNewerHead(headSha: string): string {
  return `Not approved. The pull request has a newer head, \`${headSha.slice(0, SHORT)}\`. Read it on GitHub. If it needs your approval, its own button appears here.`;
}
