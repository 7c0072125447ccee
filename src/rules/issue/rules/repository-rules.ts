/** Rules that compare an issue with the repository: what it names, what exists, what is next to it. */
import {
  isDocumentPath,
  isSourcePath,
  isTestPath,
  testsFor,
} from '../../../domain/repository/paths.ts';
import { sentencesOf, toLine } from '../quote.ts';
import type { Reading } from '../read-issue.ts';
import type { Finding, IssueRule } from '../issue-rule.ts';

const ASKING =
  /\b(?:add|support|implement|introduce|provide|offer|expose|want|need|would like|please)\b/i;

function toPlace(path: string, lines: [number, number] | undefined): NonNullable<Finding['place']> {
  if (lines === undefined) return { path };
  const [line, endLine] = lines;
  return endLine > line ? { path, line, endLine } : { path, line };
}

/** Files that the issue points to by name, frame, symbol, message or option. */
function grounded({ ground }: Reading): Reading['ground']['files'] {
  return ground.files.filter(({ score }) => score >= 5);
}

/** An option or symbol that is asked for and is there already: only in a sentence that asks for it first of all. */
function alreadyThere(reading: Reading): Finding[] {
  if (reading.subject !== 'feature') return [];
  const asked = sentencesOf(`${reading.title}\n${reading.prose}`)
    .slice(0, 6)
    .filter((one) => ASKING.test(one));
  return reading.ground.options
    .filter(({ option }) => asked.some((sentence) => asksFor(sentence, option)))
    .map(({ option, place }) => ({
      title: `\`${option}\` is read by the code already.`,
      evidence: `asked for in "${toLine(asked.find((one) => one.includes(option)) ?? '', 100)}"`,
      place,
      suggestion: `how this differs from the existing \`${option}\``,
    }))
    .slice(0, 2);
}

function asksFor(sentence: string, option: string): boolean {
  const at = sentence.indexOf(option);
  const before = sentence.slice(Math.max(0, at - 40), Math.max(0, at));
  // "like --json", "next to --json": named as an example, not asked for.
  return (
    at >= 0 &&
    /\b(?:add|support|implement|introduce|provide|offer|an?|new)\s+(?:an?\s+|new\s+|the\s+)?[`"']?$/i.test(
      before,
    )
  );
}

function withoutTests(reading: Reading): Finding[] {
  const { paths } = reading.view;
  if (!paths.some(isTestPath)) return [];
  return grounded(reading)
    .filter(({ path }) => isSourcePath(path) && testsFor(path, paths).length === 0)
    .slice(0, 1)
    .map(({ path, lines }) => ({
      title: `There is no test next to \`${path}\`.`,
      evidence: `${paths.filter(isTestPath).length} test files in the repository, none of them for it`,
      place: toPlace(path, lines),
      suggestion: `a test for \`${path}\` that fails before the change`,
    }));
}

export const REPOSITORY_RULES: readonly IssueRule[] = [
  {
    id: 'names-existing-code',
    severity: 'info',
    concerns: ['dev', 'carlos', 'implementation', 'architecture'],
    explanation: 'What is named and exists can be started on.',
    find: (reading) =>
      grounded(reading)
        .slice(0, 3)
        .map(({ path, why, lines }) => ({
          title: `\`${path}\` is what this is about.`,
          evidence: why.split('; ').slice(0, 2).join(' and '),
          place: toPlace(path, lines),
        })),
  },
  {
    id: 'names-missing-path',
    severity: 'medium',
    concerns: ['dev', 'carlos', 'implementation'],
    explanation: 'A file that is not there points to another version, another project, or a guess.',
    find: ({ ground, view }) =>
      ground.missingPaths.slice(0, 3).map(({ path }) => ({
        title: `\`${path}\` does not exist on \`${view.repository.defaultBranch}\`.`,
        evidence: `named in the issue; ${view.paths.length} paths looked through`,
        suggestion: `the file that is meant by \`${path}\``,
      })),
  },
  {
    id: 'names-missing-symbol',
    severity: 'medium',
    concerns: ['dev', 'implementation'],
    explanation: 'A name that no source file holds points to another version or a guess.',
    find: ({ ground, view }) =>
      ground.missingSymbols.slice(0, 3).map((name) => ({
        title: `\`${name}\` is in none of the source files.`,
        evidence: `${view.files.length} files read in full`,
        suggestion: `where \`${name}\` comes from`,
      })),
  },
  {
    id: 'stack-trace-resolved',
    severity: 'info',
    concerns: ['dev', 'priya', 'implementation', 'quality'],
    explanation: 'A frame inside the repository says where to begin.',
    find: ({ ground }) =>
      ground.frames.slice(0, 1).map(({ frame, path }) => ({
        title: `The stack trace leads into \`${path}\`.`,
        evidence: `${frame.symbol === undefined ? 'top frame in the repository' : `in \`${frame.symbol}\``}, line ${frame.line}`,
        place: { path, line: frame.line },
      })),
  },
  {
    id: 'error-message-found',
    severity: 'info',
    concerns: ['dev', 'implementation'],
    explanation: 'The message in the report is raised by our own code.',
    find: ({ ground }) =>
      ground.messages.slice(0, 1).map(({ message, place }) => ({
        title: `The message comes from \`${place.path}\`.`,
        evidence: `"${toLine(message, 100)}"`,
        place,
      })),
  },
  {
    id: 'no-test-near-code',
    severity: 'low',
    concerns: ['priya', 'quality'],
    explanation: 'A change without tests can break without anyone noticing.',
    find: withoutTests,
  },
  {
    id: 'tests-near-code',
    severity: 'info',
    concerns: ['priya', 'quality'],
    explanation: 'An existing test file is where the new case goes.',
    find: (reading) =>
      grounded(reading).length > 0 && reading.ground.tests[0] !== undefined
        ? [
            {
              title: `Tests for this part stand in \`${reading.ground.tests[0]}\`.`,
              evidence: `${reading.ground.tests.length} test ${reading.ground.tests.length === 1 ? 'file' : 'files'} next to the files it touches`,
              place: { path: reading.ground.tests[0] },
            },
          ]
        : [],
  },
  {
    id: 'already-implemented',
    severity: 'high',
    concerns: ['dev', 'carlos', 'implementation', 'product'],
    explanation: 'What is asked for seems to exist.',
    find: alreadyThere,
  },
  {
    id: 'docs-only',
    severity: 'info',
    concerns: ['dev', 'carlos', 'docs'],
    explanation: 'Only documents change: nothing can break at run time.',
    find: (reading) => {
      const documents = reading.ground.files.filter(({ path }) => isDocumentPath(path));
      const [first] = documents;
      return reading.subject === 'docs' && first !== undefined
        ? [
            {
              title: 'Only documents are concerned.',
              evidence: first.why,
              place: toPlace(first.path, first.lines),
            },
          ]
        : [];
    },
  },
];
