/** What of a change is shown to the voices: all of it in one prompt, or its riskiest parts, one prompt each. */
import type { Diff, DiffFile } from '../../../../domain/diff/diff.ts';
import type { Signal } from '../../../../domain/review/signal.ts';
import { isAtLeast } from '../../../../domain/review/finding.ts';
import { leftOutReason } from '../../../../domain/repository/left-out.ts';
import { isSourcePath, isTestPath } from '../../../../domain/repository/paths.ts';
import type { Reading, ShownFile } from '../../../../domain/review/reading.ts';
import { cutFile, joinPieces, type FilePieces } from './pieces-of-file.ts';

/** UTF-16 units of a diff in one prompt: some 50,000 tokens. */
const PART_SIZE = 160_000;
/** The least: a prompt below that is mostly rules and soul. */
const LEAST_SIZE = 16_000;
/** Of a diff: code has shorter words than prose, whose tokens have some four units. */
const UNITS_PER_TOKEN = 3;
/** For rules, description, evidence, soul, and the answer. */
const TOKENS_BESIDE = 14_000;

/** How much of a diff goes into a prompt for this window, in UTF-16 units. */
export function partSize(contextTokens: number | undefined): number {
  if (contextTokens === undefined) return PART_SIZE;
  const room = (contextTokens - TOKENS_BESIDE) * UNITS_PER_TOKEN;
  return Math.max(LEAST_SIZE, Math.min(PART_SIZE, room));
}

type Signals = readonly Signal[];

export interface PartLimits {
  /** Parts at most. */
  parts: number;
  /** UTF-16 units of a diff in each. */
  size: number;
}

/** Undefined where all fits into one prompt. Pure: the same change and signals are always the same parts. */
export function planReading(
  { files }: Diff,
  signals: Signals,
  { parts: most, size }: PartLimits,
): Reading | undefined {
  const cut = files.map((file) => cutFile(file, size));
  const whole = cut.map((file) => joinPieces(file, all(file)).length);
  if (whole.reduce((sum, length) => sum + length, 0) <= size) return undefined;
  const items = ranked(cut, signals).flatMap((file) => toItems(file, size));
  const parts = pack(items, { parts: most, size });
  return { parts, size, at: 0, asked: [], heard: [], callsBefore: 0 };
}

/** Files in the order in which they are shown: where evidence is first, then the larger change. */
export function byEvidence(files: readonly DiffFile[], signals: Signals): DiffFile[] {
  const told = signalsByPath(signals);
  const risk = (file: DiffFile): number =>
    (told.get(file.path)?.length ?? 0) * 1000 + file.additions;
  return files.toSorted((a, b) => risk(b) - risk(a));
}

/** What voices were shown only in part or not at all, in words for people. Part `at` counts as read. */
export function unseenOf(
  { files }: Diff,
  { parts, size, heard, stopped }: Reading,
  at: number | undefined,
): string[] {
  const seen = parts.filter((_, index) => heard.includes(index) || index === at).flat();
  const byPath = Map.groupBy(seen, ({ path }) => path);
  const why = stopped === 'budget' ? 'the budget is used up' : 'the change is too large';
  return files.filter(isWritten).flatMap((file) => {
    const shown = byPath.get(file.path);
    const pieces = new Set(shown?.flatMap((each) => each.pieces)).size;
    if (shown === undefined) return [`${file.path}: read by rules only, ${why}`];
    return pieces === cutFile(file, size).pieces.length
      ? []
      : [`${file.path}: partly read by rules only, ${why}`];
  });
}

interface Item extends ShownFile {
  length: number;
  /** Nobody wrote it: it opens no part but the first. */
  isNoise: boolean;
}

function ranked(cut: readonly FilePieces[], signals: Signals): FilePieces[] {
  const told = signalsByPath(signals);
  const risks = new Map(
    cut.map((each) => [each, riskOf(each.file, told.get(each.file.path) ?? [])]),
  );
  return cut.toSorted((a, b) => compare(risks.get(a) ?? [], risks.get(b) ?? []));
}

/** A file that fits into a part stays whole, so that its reader sees all of it. */
function toItems(file: FilePieces, size: number): Item[] {
  const isNoise = !isWritten(file.file);
  const item = (pieces: number[]): Item => {
    const { length } = joinPieces(file, pieces);
    return { path: file.file.path, pieces, length, isNoise };
  };
  const whole = item(all(file));
  return whole.length <= size ? [whole] : file.pieces.map((_, index) => item([index]));
}

/** Each goes where there is room first; what does not fit into the last part allowed is left out. */
function pack(items: readonly Item[], { parts: most, size }: PartLimits): ShownFile[][] {
  const parts: { left: number; shown: Map<string, number[]> }[] = [];
  for (const { path, pieces, length, isNoise } of items) {
    let part = parts.find(({ left }) => length <= left);
    const mayOpen = parts.length === 0 || (parts.length < most && !isNoise);
    if (part === undefined && mayOpen && length <= size) {
      part = { left: size, shown: new Map() };
      parts.push(part);
    }
    if (part === undefined) continue;
    part.left -= length;
    part.shown.set(path, [...(part.shown.get(path) ?? []), ...pieces]);
  }
  return parts.map(({ shown }) => Array.from(shown, ([path, pieces]) => ({ path, pieces })));
}

/** What guards something, or is trusted by others. */
const SECURITY =
  /(?:^|[/_.-])(?:auth\w*|login|sessions?|permissions?|oauth|jwt|rbac|acl|crypto\w*|secrets?|tokens?|password\w*|security|sandbox|sanitiz\w*|migrations?)(?:[/_.-]|$)|^\.github\/(?:workflows|actions)\/|(?:^|\/)Dockerfile|\.sql$/i;

/** Numbers to compare one by one, the riskiest file's the least. */
function riskOf(file: DiffFile, signals: Signals): number[] {
  const isSerious = signals.some(({ severity }) => isAtLeast(severity, 'medium'));
  const isUrgent = Number(isSerious) + Number(SECURITY.test(file.path));
  return [
    Number(!isWritten(file)),
    -isUrgent,
    isSourcePath(file.path) ? 0 : isTestPath(file.path) ? 1 : 2,
    -signals.length,
    -(file.additions + file.deletions),
  ];
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isWritten(file: DiffFile): boolean {
  return leftOutReason(file, undefined) === undefined;
}

function signalsByPath(signals: Signals): Map<string, Signals> {
  const placed = signals.filter(({ place }) => place !== undefined);
  return Map.groupBy(placed, ({ place }) => place?.path ?? '');
}

function all({ pieces }: FilePieces): number[] {
  return pieces.map((_, index) => index);
}
