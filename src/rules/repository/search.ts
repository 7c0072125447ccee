/** Searches a whole repository for what may be worth an issue: pure, in steps, so that a host can do other work between. */
import type { Finding } from '../../domain/review/finding.ts';
import type { SourceFile } from '../../domain/run/view.ts';
import type { WatchedCode, WatchFindings } from '../../domain/repository/watched-code.ts';
import { isBelow } from '../../domain/repository/watch-paths.ts';
import type { ReviewContext } from '../change/context.ts';
import { applyRules } from '../change/decide-review-signals.ts';
import { readChange, type Change } from '../change/read-change.ts';
import { asNew } from './as-new.ts';
import { toCandidates } from './candidates.ts';
import { createLinks, toRuleRepository } from './repository-links.ts';
import { STANDING_RULES, WATCH_RULES } from './watch-rules.ts';

/** Files and characters that are read in one step: some tens of milliseconds. */
const FILES_AT_ONCE = 10;
const TEXT_AT_ONCE = 60_000;

/**
 * The search, step by step; what it returns is the same however the steps are spaced. Total, and linear in the texts.
 *
 * @param limit - how many candidates are wanted at most
 */
export function* searchInSteps(
  code: WatchedCode,
  limit: number,
): Generator<undefined, WatchFindings> {
  const texts = new Map(code.files.map(({ path, text }) => [path, text]));
  const context: ReviewContext = {
    paths: code.paths,
    head: texts,
    base: new Map(),
    secrets: new Map(Object.entries(code.secrets)),
  };
  const links = createLinks(new Set(code.paths));
  const changes: Change[] = [];
  const findings: Finding[] = [];
  for (const part of partsOf(code.files)) {
    const change = readChange(asNew(part), context);
    changes.push(change);
    links.add(change.files, part);
    findings.push(...applyRules(STANDING_RULES, change));
    yield;
  }
  const repository = toRuleRepository(joined(changes, context), links, code);
  for (const rule of WATCH_RULES) {
    yield;
    findings.push(
      ...applyRules([{ ...rule, find: () => rule.find(repository) }], repository.change),
    );
  }
  const known = new Set(code.known);
  const isAskedFor = (path: string): boolean => isBelow(path, code.path);
  const found = toCandidates(findings, { isAskedFor, known, texts, limit });
  const notRead = changes.flatMap(({ leftOut }) => leftOut);
  return { ...found, notRead: notRead.map(({ path, reason }) => `${path}: ${reason}`) };
}

function* partsOf(files: readonly SourceFile[]): Generator<readonly SourceFile[]> {
  let part: SourceFile[] = [];
  let size = 0;
  for (const file of files) {
    part.push(file);
    size += file.text.length;
    if (part.length < FILES_AT_ONCE && size < TEXT_AT_ONCE) continue;
    yield part;
    [part, size] = [[], 0];
  }
  if (part.length > 0) yield part;
}

function joined(changes: readonly Change[], context: ReviewContext): Change {
  return {
    diff: { files: changes.flatMap(({ diff }) => diff.files), problems: [] },
    files: changes.flatMap(({ files }) => files),
    leftOut: changes.flatMap(({ leftOut }) => leftOut),
    unread: changes.flatMap(({ unread }) => unread),
    context,
  };
}
