/** A gate's verdict on a head, signed: anyone with the secret can verify that it was not changed (TG-5). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { valueDigest } from '../persona/digest.ts';
import type { GateResult, TestCounts } from './test-counts.ts';

/** In the order in which they are asked; the first that does not pass stops. */
export const GATES = ['P', 'S', '1', '2', '3', '4'] as const;
export type Gate = (typeof GATES)[number];

/** What people read in the name of a gate's check run. */
export const GATE_NAMES: Readonly<Record<Gate, string>> = {
  P: 'branch',
  S: 'scope',
  1: 'changes',
  2: 'tests',
  3: 'push',
  4: 'remote',
};

/** Pinned name of a gate's check run (spec 13). */
export function gateCheck(gate: Gate): string {
  return `quorum / gate / ${GATE_NAMES[gate]}`;
}

/** What a gate makes of what it was shown. */
export interface Judgement {
  gate: Gate;
  result: GateResult;
  /** What exactly holds or does not, for people. */
  sentence: string;
  /** What a person should look at although it does not stop. */
  flags: string[];
  /** What was run, where the gate runs something. */
  command?: string;
  exitCode?: number;
  tests?: TestCounts;
  durationMs?: number;
  /** The end of what it printed, cleaned and not signed: it proves nothing. */
  log?: string;
}

export interface GateReceipt extends Judgement {
  /** The commit that it is about; for any other it says nothing. */
  headSha: string;
  /** The base that the head was judged against; absent where there is no such base, and in older receipts. */
  baseSha?: string;
  /** ISO 8601. */
  at: string;
  signature: string;
}

/** Who signs, and for what: a receipt that is shown for another task is not believed. */
export interface Signing {
  secret: string;
  /** The task that it is for, such as `thread:7/12#3`. */
  scope: string;
}

function sign(receipt: Omit<GateReceipt, 'signature'>, { secret, scope }: Signing): string {
  const { log: _, ...signed } = receipt;
  const digest = valueDigest(signed);
  return createHmac('sha256', secret)
    .update(`quorum-gate:v1\n${scope.length}\n${scope}\n${digest}`)
    .digest('base64url');
}

export function signReceipt(
  judgement: Judgement,
  of: Pick<GateReceipt, 'headSha' | 'baseSha' | 'at'>,
  signing: Signing,
): GateReceipt {
  const receipt = { ...judgement, ...of };
  return { ...receipt, signature: sign(receipt, signing) };
}

/** Whether the receipt says what was signed, in every field but the log. */
export function isGenuine(receipt: GateReceipt, signing: Signing): boolean {
  const { signature, ...signed } = receipt;
  const expected = Buffer.from(sign(signed, signing));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
