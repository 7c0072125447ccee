/** Rules about what a report must hold to be acted on: reproduction, expectation, version, acceptance. */
import { sentenceWith, toLine } from '../quote.ts';
import type { Reading } from '../read-issue.ts';
import type { Finding, IssueRule } from '../issue-rule.ts';
import { SLOW } from './risk-rules.ts';

const STEPS =
  /\bi get\b|\bmy (?:file|input|config|project|data) (?:has|contains|is)\b|\bwith (?:the|an?) (?:name|value|input|file|argument|option|header|cell)\b|\battackers? can\b|\bsteps?\b|\breproduc|\bto reproduce\b|\brepro\b|^[ \t]*(?:\d{1,9}[.)]|\$|>)\s+\S|\b(?:when|if|after|by)\s+(?:i|you|we|one|running|calling|passing|opening|clicking|using|a|an|the)\b|\b(?:run|running|call|calling|open|opening|click|clicking|type|typing|pass|passing|execute|start|starting)\s+(?:`|"|the\b|a\b|an\b|on\b|with\b)/im;
const EXPECTED =
  /\bexpect|\bshould(?:n't| not)?\b|\bsupposed to\b|\binstead of\b|\bought to\b|\bmust\b|\brather than\b|\bwould like it to\b|\bused to\b|\bdocs? sa(?:y|id)|\bdocumented\b/i;
const ACTUAL =
  /\bactual(?:ly)?\b|\b(?:crash|throw|print|show|return|output|hang|exit|fail|report|lose|drop|ignor|reject|duplicat|truncat|swallow|leak|stop|time)(?:s|es|ed|ing)?(?: out)?\b|\bgot\b|\bget(?:s)? (?:an?|the)\b|\bnothing happens\b|\bblank\b|\bempty\b|\berror\b|\bis (?:not )?(?:shown|written|missing|wrong|ignored|lost|set|read|created|deleted|called|sent)\b|\binstead\b/i;
const VERSION =
  /\bv?\d+\.\d+(?:\.\d+)?\b|\bversion\s{0,9}[:=]?\s{0,9}\d|\bnode(?:\.?js)?\s{0,9}v?\d{1,2}\b|\bpython\s*3|\blatest\b|\b(?:main|head|master)\b|\bcommit\s+[0-9a-f]{7,}|\b[0-9a-f]{40}\b/i;
const ACCEPTANCE =
  /^[ \t]*[-*+] \[[ xX]\]|\bacceptance\b|\bdone when\b|\bdefinition of done\b|(?<!nobody )(?<!\bwe )\bshould\s+(?!we\b|i\b|need\b|have\b|be (?:nice|great|easy|possible)\b)\w+|\bmust\b|\bexpected (?:output|result|behaviou?r)\b|\bgiven\b[^.\n]{3,120}\bwhen\b[^.\n]{3,120}\bthen\b|\bso that\b|\bexit(?:s)? (?:code|with)\b|\bfor example\b|\be\.g\.|\bexample:/im;

function isBug({ subject }: Reading): boolean {
  return subject === 'bug';
}

function hasCode({ code }: Reading): boolean {
  return code.some((block) => block.trim() !== '');
}

function isEmpty({ said }: Reading): boolean {
  return said.trim().length < 15;
}

function hasSteps(reading: Reading): boolean {
  return (
    hasCode(reading) ||
    reading.names.frames.length > 0 ||
    STEPS.test(`${reading.title}\n${reading.said}`)
  );
}

function bodyQuote(reading: Reading): string {
  const words = toLine(reading.prose, 120);
  return words === '' ? 'the body is empty' : `it only says "${words}"`;
}

function one(finding: Finding): Finding[] {
  return [finding];
}

export const REPORT_RULES: readonly IssueRule[] = [
  {
    id: 'no-reproduction',
    severity: 'medium',
    concerns: ['priya', 'quality', 'dev'],
    explanation: 'A fault that nobody can bring about can neither be fixed nor proved fixed.',
    find: (reading) =>
      isBug(reading) && !SLOW.test(reading.title) && !hasSteps(reading)
        ? one({
            title: 'The report says that something is wrong and not how to bring it about.',
            evidence: bodyQuote(reading),
            suggestion: 'the exact command or steps, with the input, that show the fault',
          })
        : [],
  },
  {
    id: 'has-reproduction',
    severity: 'info',
    concerns: ['priya', 'quality'],
    explanation: 'Steps or a failing example turn into a test.',
    find: (reading) =>
      isBug(reading) && hasSteps(reading) && !isEmpty(reading)
        ? one({
            title: 'The report says how to bring the fault about.',
            evidence: stepsQuote(reading),
          })
        : [],
  },
  {
    id: 'no-expected-behaviour',
    severity: 'low',
    concerns: ['priya', 'quality'],
    explanation: 'Without the expected result the fix is a guess at what was wanted.',
    find: (reading) =>
      isBug(reading) &&
      !isEmpty(reading) &&
      !hasFailure(reading) &&
      !EXPECTED.test(`${reading.title}\n${reading.said}`)
        ? one({
            title: 'The report does not say what should have happened.',
            evidence: bodyQuote(reading),
            suggestion: 'the result that was expected, in one line',
          })
        : [],
  },
  {
    id: 'no-actual-behaviour',
    severity: 'low',
    concerns: ['priya', 'quality'],
    explanation: 'What was seen tells a wrong result from a missing one.',
    find: (reading) =>
      isBug(reading) &&
      !hasCode(reading) &&
      !SLOW.test(reading.title) &&
      !ACTUAL.test(`${reading.title}\n${reading.said}`)
        ? one({
            title: 'The report does not say what happened.',
            evidence: bodyQuote(reading),
            suggestion: 'the output, message or state that was seen',
          })
        : [],
  },
  {
    id: 'no-version',
    severity: 'info',
    concerns: ['priya', 'quality'],
    explanation: 'A fault may be gone already in a newer version.',
    find: (reading) =>
      isBug(reading) && !isEmpty(reading) && !VERSION.test(reading.said)
        ? one({
            title: 'No version, commit or platform is named.',
            evidence: 'no version number or commit in the text',
            suggestion: 'the version or commit it was seen on',
          })
        : [],
  },
  {
    id: 'no-acceptance-criteria',
    severity: 'medium',
    concerns: ['priya', 'quality', 'product', 'dev'],
    explanation: 'The people who build it have to know when it is done.',
    find: (reading) =>
      (reading.subject === 'feature' || reading.subject === 'chore') &&
      !hasAcceptance(reading) &&
      !isPrecise(reading)
        ? one({
            title: 'Nothing says when this is done.',
            evidence: bodyQuote(reading),
            suggestion: 'one example of input and the output or behaviour that is wanted',
          })
        : [],
  },
  {
    id: 'has-acceptance-criteria',
    severity: 'info',
    concerns: ['priya', 'quality', 'product'],
    explanation: 'Stated outcomes become tests.',
    find: (reading) =>
      (reading.subject === 'feature' || reading.subject === 'chore') && hasAcceptance(reading)
        ? one({ title: 'The outcome is stated.', evidence: acceptanceQuote(reading) })
        : [],
  },
];

/** A report of an outright failure need not say what should have happened. */
function hasFailure(reading: Reading): boolean {
  const { frames, errorMessages } = reading.names;
  if (SLOW.test(reading.title)) return true;
  return frames.length > 0 || errorMessages.length > 0 || /\bcrash/i.test(reading.title);
}

/** The last command that was typed, or the sentence that tells the steps, or the first line of the example. */
function stepsQuote(reading: Reading): string {
  const lines = reading.code
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.trim() !== '');
  const typed = lines.findLast((line) => /^\s*[$>] \S/.test(line))?.replace(/^\s*[$>] /, '');
  const sentence = sentenceWith(reading.prose, STEPS);
  return `"${toLine(typed ?? sentence ?? lines[0] ?? reading.title, 120)}"`;
}

function hasAcceptance(reading: Reading): boolean {
  return ACCEPTANCE.test(reading.said) || hasCode(reading);
}

/** A chore on named files, or one that its title says whole, is its own criterion. */
function isPrecise({ subject, ground }: Reading): boolean {
  return subject === 'chore' && ground.files.some(({ score }) => score >= 7);
}

function acceptanceQuote(reading: Reading): string {
  const boxes = reading.said.match(/^[ \t]*[-*+] \[[ xX]\] .*/gm) ?? [];
  if (boxes.length > 1)
    return `${boxes.length} criteria, the first: "${toLine((boxes[0] ?? '').replace(/^\s*[-*+] \[[ xX]\]/, ''), 120)}"`;
  const sentence = sentenceWith(reading.prose, ACCEPTANCE);
  return sentence === undefined ? 'an example in code' : `"${sentence}"`;
}
