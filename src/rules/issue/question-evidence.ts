/** What code finds for a question: the question takes the place of the issue, and the change of a pull request goes with it. */
import { parseDiff } from '../../domain/diff/parse-diff.ts';
import type { Evidence } from '../../domain/run/evidence.ts';
import { isSourcePath, isTestPath } from '../../domain/repository/paths.ts';
import { redactSecrets } from '../../domain/secrets/secret-text.ts';
import type { IssueView } from '../../domain/run/view.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import { tokenise } from '../../domain/text/words.ts';
import { decideEvidence } from './decide-evidence.ts';
import { findDefinitions } from './definitions.ts';

const MAX_TITLE = 300;
const MAX_CHANGED = 20;
/** Enough to be listed, too little to come before what the question names. */
const CHANGED_SCORE = 4;
const LINE_SCORE = 12;
const MAX_LINES = 4;

type File = Evidence['files'][number];

export function evidenceFor(question: string, view: IssueView): Evidence {
  const { text } = visibleText(question);
  const asked = decideEvidence(about(text, view));
  // A question that names nothing is about its own thread.
  const own = decideEvidence({ ...view, comments: [] });
  const symbols = [...definedNames(text, view), ...asked.symbols];
  const lines = tellingLines(text, view);
  const isVague = symbols.length === 0 && lines.length === 0 && !asked.files.some(isNamed);
  const files = isVague ? own.files : asked.files;
  const known = new Set([...lines, ...files].map((file) => file.path));
  return {
    ...asked,
    files: [...lines, ...files, ...changedFiles(view).filter((file) => !known.has(file.path))],
    missing: [...new Set([...asked.missing, ...unseenNames(text, view)])],
    symbols: [...new Map(symbols.map((symbol) => [symbol.name, symbol])).values()],
    relatedIssues:
      asked.relatedIssues.length > 0 || !isVague ? asked.relatedIssues : own.relatedIssues,
    // Faults of a question, read as an issue, do not matter; signals about the thread may.
    signals: isVague ? own.signals : [],
    ...(isVague && { isAboutThread: true as const }),
  };
}

function about(text: string, view: IssueView): IssueView {
  const issue = { ...view.issue, title: text.slice(0, MAX_TITLE), body: text };
  return { ...view, issue, comments: [] };
}

/** Scores above this come from the question's own words. */
function isNamed({ score }: File): boolean {
  return score >= 5;
}

const CODE_WORD = /`([A-Za-z_$][\w$.]{0,80})(?:\(\))?`/g;

/** Names written as code are looked for as they stand, common words included. */
function definedNames(text: string, { files }: IssueView): Evidence['symbols'] {
  const names = Array.from(text.matchAll(CODE_WORD), (match) => match[1] ?? '');
  return names.length === 0 ? [] : findDefinitions([...new Set(names)], files);
}

/** Names written as code that stand in nothing of what was read. */
function unseenNames(text: string, { files, paths }: IssueView): string[] {
  const names = Array.from(text.matchAll(CODE_WORD), (match) => match[1] ?? '');
  const stands = (name: string): boolean =>
    files.some((file) => file.text.includes(name)) || paths.some((path) => path.includes(name));
  return names.filter((name) => name.length > 2 && !stands(name));
}

interface Line {
  path: string;
  at: number;
  text: string;
  score: number;
}

/** Lines of what was read that share the most telling words with the question. */
function tellingLines(text: string, { files }: IssueView): File[] {
  const wanted = new Set(tokenise(text));
  if (wanted.size === 0) return [];
  const sources = files.filter(({ path }) => isSourcePath(path) && !isTestPath(path));
  const lines = sources.flatMap(({ path, text: source }) =>
    source.split('\n').map((line, at): Line => ({ path, at: at + 1, text: line, score: 0 })),
  );
  const stems = lines.map((line) => new Set(tokenise(line.text.slice(0, 400))));
  const rarity = rarities(wanted, stems);
  for (const [index, line] of lines.entries())
    for (const word of stems[index] ?? []) line.score += rarity.get(word) ?? 0;
  const least = wanted.size === 1 ? 1 : 2;
  return lines
    .filter(
      (line, index) =>
        shared(stems[index], wanted) >= least && line.score > 0 && !IMPORTING.test(line.text),
    )
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, MAX_LINES)
    .map(toFile);
}

/** Says where something is from, not what it does. */
const IMPORTING =
  /^\s*(?:import\b|from\b|export \*|(?:const|let|var)\b.*\brequire\(|#include\b|use )/;

function shared(stems: ReadonlySet<string> | undefined, wanted: ReadonlySet<string>): number {
  return stems === undefined ? 0 : [...stems].filter((word) => wanted.has(word)).length;
}

/** A word on few lines says more than one that is everywhere. */
function rarities(
  wanted: ReadonlySet<string>,
  stems: readonly ReadonlySet<string>[],
): Map<string, number> {
  const entries = [...wanted].map((word): [string, number] => {
    const count = stems.filter((line) => line.has(word)).length;
    return [word, count === 0 ? 0 : Math.log(1 + stems.length / count)];
  });
  return new Map(entries);
}

const MAX_SHOWN = 100;

function toFile({ path, at, text }: Line): File {
  const shown = redactSecrets(text.trim()).slice(0, MAX_SHOWN).replaceAll('`', "'");
  return { path, why: `\`${shown}\``, lines: [at, at], score: LINE_SCORE };
}

function changedFiles({ diff }: IssueView): File[] {
  if (diff === undefined) return [];
  return parseDiff(diff)
    .files.slice(0, MAX_CHANGED)
    .map((file) => ({
      path: file.path,
      why: `${file.status} here, +${file.additions} −${file.deletions}`,
      score: CHANGED_SCORE,
    }));
}
