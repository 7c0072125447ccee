/**
 * Counts the steps that the Markdown parser takes: `node markdown-steps.ts` reads texts as JSON from standard input and
 * prints for each the number of blocks of code that ran, or null when it was not parsed. A process of its own, as
 * counting blocks is a setting of the whole process.
 */
import { Session } from 'node:inspector';
import { parseMarkdown } from '../../../src/domain/markdown/markdown-tree.ts';

const OURS = /micromark|mdast|markdown-tree/;

interface Coverage {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[];
}

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Since it was last called. */
function takeSteps(): number {
  let taken: Coverage = { result: [] };
  session.post('Profiler.takePreciseCoverage', (_, coverage) => {
    taken = coverage;
  });
  const functions = taken.result
    .filter(({ url }) => OURS.test(url))
    .flatMap((script) => script.functions);
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
}

let input = '';
for await (const chunk of process.stdin) input += String(chunk);
const texts: string[] = JSON.parse(input);
const steps = texts.map((text) => {
  takeSteps();
  return parseMarkdown(text) === undefined ? null : takeSteps();
});
process.stdout.write(JSON.stringify(steps));
