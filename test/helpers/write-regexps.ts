/**
 * Asks recheck about every pattern of the sources that the fixture does not know, and writes down those that are safe:
 * `node test/helpers/write-regexps.ts`. The others are printed: repair them, or copy the line into `accepted`, with how
 * much text the pattern reads at most and why that bounds it.
 */
import { writeFileSync } from 'node:fs';
import { check } from 'recheck';
import {
  captureConstants,
  digestOf,
  findPatterns,
  readVerdicts,
  VERDICTS,
  type FoundPattern,
} from './regexps.ts';

const TIMEOUT_MS = 60_000;

const { literals, made } = findPatterns();
const files = [...new Set(made.filter(({ isConstant }) => isConstant).map(({ file }) => file))];
const dynamic = made.flatMap(({ source, flags, at, isConstant }): FoundPattern[] =>
  isConstant || source === undefined ? [] : [{ source, flags, at }],
);
const all = new Map(
  [...literals, ...dynamic, ...(await captureConstants(files))].map((one) => [digestOf(one), one]),
);
const { safe, accepted } = readVerdicts();
const known = new Set([...safe, ...accepted.map(digestOf)]);
const kept = safe.filter((digest) => all.has(digest));
for (const [digest, pattern] of all) {
  if (known.has(digest)) continue;
  const told = await check(pattern.source, pattern.flags, { timeout: TIMEOUT_MS });
  if (told.status === 'safe') kept.push(digest);
  else {
    const attacked = told.status === 'vulnerable' ? told.attack : undefined;
    const pumps = attacked?.pumps ?? [];
    const attack = [
      ...pumps.flatMap(({ prefix, pump }) => [
        { text: prefix, isRepeated: false },
        { text: pump, isRepeated: true },
      ]),
      { text: attacked?.suffix ?? '', isRepeated: false },
    ];
    const verdict = told.status === 'vulnerable' ? told.complexity.summary : told.status;
    const { source, flags, at } = pattern;
    process.stdout.write(`${JSON.stringify({ at, source, flags, verdict, attack })}\n`);
  }
}
const still = accepted.filter((one) => all.has(digestOf(one)));
writeFileSync(VERDICTS, JSON.stringify({ safe: kept.toSorted(), accepted: still }, undefined, 1));
