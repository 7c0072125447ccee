/** What the GitHub adapter is built from: credentials, address, budgets and what is injected. */
import type { JobSignatures } from '../../../domain/github/job-signature.ts';
import type { Clock, Random } from '../../../ports/clock.ts';

export type GitHubAuth =
  | { kind: 'app'; appId: number | string; privateKey: string }
  | {
      kind: 'token';
      token: string;
      /** Login of the account that it acts as, where that is known: then it is not asked for. */
      login?: string;
    };

/** Own ceilings of one installation, well below GitHub's (80 and 500 creations, 900 points, 100 at once). */
export interface GitHubBudgets {
  /** Comments created in a minute. */
  contentPerMinute: number;
  contentPerHour: number;
  /** A read costs 1, a write 5. */
  pointsPerMinute: number;
  /** Requests under way at once. */
  concurrent: number;
}

export const DEFAULT_BUDGETS: GitHubBudgets = {
  contentPerMinute: 20,
  contentPerHour: 250,
  pointsPerMinute: 450,
  concurrent: 10,
};

/** The part of a pino logger that the adapter uses. */
export interface GitHubLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

export interface GitHubOptions {
  auth: GitHubAuth;
  /** Default `https://api.github.com`; GitHub Enterprise Server: `https://host/api/v3`. */
  baseUrl?: string;
  /** Signs the markers of our comments. */
  markerSecret: string;
  /**
   * Where others write as the same account, and nothing is signed: whether the comment or review of this id is one that
   * we recorded. All of the account's are ours when absent.
   */
  isRecorded?: (id: number) => boolean;
  /** With `isRecorded`: what an earlier attempt of this job signed is ours too, before its id is recorded. */
  jobSignatures?: JobSignatures;
  clock: Clock;
  random: Random;
  log?: GitHubLog;
  /** `off` only where nobody is harmed: sandbox, demo and tests. GitHub's own refusals are honoured all the same. */
  budgets?: GitHubBudgets | 'off';
  /** For one request, body included. Default 15 s. */
  timeoutMs?: number;
  fetch?: typeof fetch;
  /**
   * The token is of one job of a workflow: it reaches no other repository, and lives as long as the job. So fewer calls
   * are made. A commit on the memory branch is one call of GraphQL instead of three of REST. GitHub signs that commit, and
   * names the account of the token as its author. A text is edited and read back in one call. The name of the repository
   * is looked up once: under a name that another one took, the token could write nothing. False by default.
   */
  isJobToken?: boolean;
  /**
   * A commit on which the caller has just found no check run of a review. The first one there is created without another
   * look, where the caller also says that it is new.
   */
  uncheckedHead?: string;
}

export const SILENT: GitHubLog = { info: () => undefined, warn: () => undefined };
