/** Answers a question from what code found for it: where things are, what was said before, what does not exist. */
import type { Evidence, OfflineBrief } from '../../../domain/run/evidence.ts';
import type { Signal } from '../../../domain/review/signal.ts';
import type { TalkAnswer } from '../../../domain/run/talk.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';
import { citeFile, citePlace, cutAtWord, list } from './cite.ts';
import { isOwn, viewOf } from './lens.ts';
import { say } from './voice.ts';

const MAX_SYMBOLS = 4;
const MAX_FILES = 4;
const MAX_ISSUES = 3;
const MAX_MISSING = 5;
const MAX_SIGNALS = 3;
const MAX_TEXT = 1_500;
/** Files below this only sound like the question. */
const TELLING = 3;

/** What the rules can say to a question; they find and do not reason, and say so when they find nothing. */
export function answerQuestion({ evidence, persona }: OfflineBrief): TalkAnswer {
  const symbols = evidence.symbols.slice(0, MAX_SYMBOLS);
  const files = filesFor(evidence);
  const issues = evidence.relatedIssues.slice(0, MAX_ISSUES);
  const signals = evidence.signals.filter((signal) => isOwn(signal, persona)).slice(0, MAX_SIGNALS);
  const said = new Set(signals.map(({ place }) => place?.path));
  const parts = [
    ...symbols.map(({ name, place }) => `- \`${name}\` is in ${citePlace(place)}.`),
    ...files
      .filter(({ path, lines }) => lines !== undefined || !said.has(path))
      .map((file) => `- ${citeFile(file)}: ${file.why}.`),
    ...testsFor(evidence),
    ...issues.map(
      ({ number, title, state, sharedTerms }) =>
        `- #${number} (${state}), ${title}: shares ${list(sharedTerms.slice(0, 4).map((term) => `\`${term}\``))}.`,
    ),
    ...signals.map((signal: Signal) => `- ${say(signal, viewOf(persona))}`),
    ...missingFrom(evidence),
  ];
  const text =
    parts.length === 0 ? nothing(evidence) : [introduction(evidence), '', ...parts].join('\n');
  return {
    text: cutAtWord(text, MAX_TEXT),
    references: [
      ...symbols.map(({ place }) => place),
      ...files.map(({ path, lines }) => toPlace(path, lines)),
      ...issues.map(({ number }) => ({ issue: number })),
    ].slice(0, 10),
  };
}

/** Nobody should take what is found for the thread for an answer to the question. */
function introduction({ isAboutThread }: Evidence): string {
  return isAboutThread === true
    ? 'Without a model I can only look up names, and I found none of this question in the repository. This is what the thread itself is about:'
    : 'What the code shows:';
}

/** Lines that answer may stand in one file together; a file that only sounds like the question comes last. */
function filesFor({ files, symbols }: Evidence): Evidence['files'] {
  const named = new Set(symbols.map(({ place }) => place.path));
  const isInside = ({ path, lines: [at] = [0, 0] }: Evidence['files'][number]): boolean =>
    symbols.some(
      ({ place }) =>
        place.path === path && (place.line ?? 0) <= at && at <= (place.endLine ?? place.line ?? 0),
    );
  const fresh = files.filter((file) =>
    file.lines === undefined ? !named.has(file.path) : !isInside(file),
  );
  const telling = fresh.filter(({ score }) => score >= TELLING);
  const told = new Map(
    telling.toReversed().map((file) => [`${file.path}#${file.lines?.[0] ?? 0}`, file]),
  );
  const best = [...told.values()].toReversed();
  return (best.length > 0 || symbols.length > 0 ? best : fresh).slice(0, MAX_FILES);
}

function testsFor({ tests }: Evidence): string[] {
  if (tests.length === 0) return [];
  return [`- Tests beside it: ${list(tests.slice(0, 3).map(codeSpan))}.`];
}

function missingFrom({ missing }: Evidence): string[] {
  if (missing.length === 0) return [];
  const names = missing.slice(0, MAX_MISSING).map((name) => `\`${name.replaceAll('`', "'")}\``);
  return [`- Not found in what was read: ${list(names)}.`];
}

function nothing({ notRead }: Evidence): string {
  const unread = notRead.length === 0 ? '' : ` Not read: ${list(notRead.slice(0, 3))}.`;
  return `I found no file, symbol or past issue for this, and without a model I only find, I do not reason. Name a file, a function or an issue, or configure a model.${unread}`;
}

function toPlace(
  path: string,
  lines: [number, number] | undefined,
): TalkAnswer['references'][number] {
  if (lines === undefined) return { path };
  const [line, endLine] = lines;
  return endLine === line ? { path, line } : { path, line, endLine };
}
