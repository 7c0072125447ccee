/** What the reconcile pass could not look at: it is kept, told to people, and asked for again. */
import type { ErrorCode } from '../event/error-codes.ts';

/** A repository in which lost webhooks were not looked for, or not everywhere. */
export interface OwedRepository {
  repositoryId: number;
  /** `owner/name`, for people. */
  name: string;
  /** Of the failure. */
  code: ErrorCode;
  /** What happened since then was not looked for, ISO 8601; absent where the pass looks for labels only. */
  since?: string;
}

/** One installation's part of a pass. */
export interface InstallationPart {
  installationId: number;
  /** From earlier passes. */
  owed: OwedRepository[];
}

/** The pass of the whole App has the stream {@link SWEEP_KEY}; each installation has its own. */
export interface SweepState {
  v: number;
  /** The pass that is under way; the next one waits for it. */
  running?: string;
  /** The effect of that pass which lists the installations; absent in passes of older versions. */
  listing?: string;
  /** Since when that pass looks for what was lost, ISO 8601. */
  foundSince?: string;
  /** Start of the first pass, ISO 8601: what happened before it is not looked for. */
  begunAt?: string;
  /** Start of the last pass that ended well, ISO 8601. */
  doneSince?: string;
  /** Installations of the last list. */
  installations?: number[];
  /** Of one installation: what the last pass could not look at. */
  owed?: OwedRepository[];
  /** Code of what kept the last pass of one installation from all of its repositories. */
  failure?: ErrorCode;
}

export const SWEEP_KEY = 'tick:reconcile';

/** The stream of the daily pass that erases what is past its retention. */
export const PURGE_KEY = 'tick:purge';

/** The stream of one installation's passes. */
export function sweepKey(installationId: number): string {
  return `${SWEEP_KEY}/${installationId}`;
}

/** A stored value as this state; undefined when nothing, or something newer, is kept. */
export function toSweepState(value: unknown): SweepState | undefined {
  return isSweepState(value) ? value : undefined;
}

function isSweepState(value: unknown): value is SweepState {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === 1;
}
