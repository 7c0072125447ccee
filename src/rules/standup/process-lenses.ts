/** Lenses on how the work went: gates, tests, estimates, questions. */
import { estimateMs, formatMs } from '../../domain/standup/look-back/estimates.ts';
import { readCitations } from '../../domain/standup/citations.ts';
import type { RecordQuestion, StandupRecord } from '../../domain/standup/look-back/record.ts';
import { codeSpan } from '../../domain/text/code-span.ts';
import { tokenise } from '../../domain/text/words.ts';
import { endQuote, toQuote, type Lens, type LensInput, type Sighted } from './lens.ts';

/** Twice can be bad luck; the third attempt says something about the task or the gate. */
const MIN_FAILED = 2;

export const RETRIED_GATE: Lens = {
  name: 'retried-gate',
  words: 'process efficiency luck retry retries fault steps done twice check checks',
  find: ({ record }) =>
    record.gates
      .filter(({ failed }) => failed >= MIN_FAILED)
      .map(({ task, gate, name, failed, passed, why }): Sighted => {
        const end = passed ? 'before it passed' : 'and never passed';
        const last = toQuote(why) === '' ? '' : ` The last time it said: ${endQuote(why)}`;
        return {
          lens: 'retried-gate',
          type: 'process',
          message: `Gate ${gate} (${name}) of task ${task} failed ${failed} times ${end}.${last}`,
          refs: [],
          actionable: !passed,
          ...aboutTask(record, task),
          weight: failed,
        };
      }),
};

const MIN_GATE_MS = 5_000;
const MOST_OF_IT = 0.5;

export const SLOW_TEST: Lens = {
  name: 'slow-test',
  words: 'reliability tests test slow flaky speed performance user experience quality',
  find: ({ record, viewed }) =>
    slowestOfTask(record)
      .filter(({ ms, gateMs }) => gateMs >= MIN_GATE_MS && ms > gateMs * MOST_OF_IT && ms <= gateMs)
      .map(({ task, name, ms, gateMs }): Sighted => {
        const [cited] = readCitations(codeSpan(name));
        const refs =
          cited !== undefined && viewed.paths.includes(cited.path) ? [{ path: cited.path }] : [];
        return {
          lens: 'slow-test',
          type: 'risk',
          message: `${nameOf(name, refs.length > 0)} takes ${formatMs(ms)} of the ${formatMs(gateMs)} that the tests of task ${task} take.`,
          refs,
          actionable: true,
          weight: ms / gateMs,
        };
      }),
};

function slowestOfTask({ tests }: StandupRecord): StandupRecord['tests'] {
  return [...Map.groupBy(tests, ({ task }) => task).values()].flatMap((all) =>
    all.toSorted((a, b) => b.ms - a.ms).slice(0, 1),
  );
}

/** A name that is no path of the repository is only quoted: a test's name can look like one. */
function nameOf(name: string, isPath: boolean): string {
  return isPath ? codeSpan(name) : `The test "${toQuote(name)}"`;
}

/** A quarter more is still an estimate; below these minutes nobody planned anything with it. */
const TOLERANCE = 1.25;
const MIN_OVER_MS = 5 * 60_000;

export const PASSED_ESTIMATE: Lens = {
  name: 'passed-estimate',
  words: 'cost time process efficiency estimate planning spent budget',
  find: ({ record }) =>
    record.tasks.flatMap(({ task, persona, estimate, workMs }): Sighted[] => {
      const most = estimateMs(estimate);
      if (most === undefined || workMs <= most * TOLERANCE || workMs - most < MIN_OVER_MS)
        return [];
      return [
        {
          lens: 'passed-estimate',
          type: 'process',
          message: `Task ${task} was estimated at ${codeSpan(estimate)} and took ${formatMs(workMs)} of work.`,
          refs: [],
          actionable: false,
          about: persona,
          weight: workMs / most,
        },
      ];
    }),
};

export const ANSWERED_QUESTION: Lens = {
  name: 'answered-question',
  words: 'questions question plan should have answered false sentence process facts found twice',
  find: (input) => {
    const { record } = input;
    const planner = record.steps.find(({ kind }) => kind === 'plan')?.persona;
    return record.questions.flatMap((asked): Sighted[] => {
      const where = answeredWhere(asked, input);
      if (where === undefined) return [];
      const whom = asked.isEscalated ? 'a person' : 'the PM';
      return [
        {
          lens: 'answered-question',
          type: 'process',
          message: `Task ${asked.task} asked ${whom}: ${endQuote(asked.question)} ${where.sentence}`,
          refs: where.refs,
          actionable: false,
          ...(planner === undefined ? {} : { about: planner }),
          weight: asked.isEscalated ? 2 : 1,
        },
      ];
    });
  },
};

/** The answer in the plan's text, or in a file that the task or the plan names. */
function answeredWhere(
  asked: RecordQuestion,
  { record, viewed }: LensInput,
): { sentence: string; refs: Sighted['refs'] } | undefined {
  const line = lineWith(asked, record.planText);
  if (line !== undefined)
    return { sentence: `The plan has the answer: ${endQuote(line)}`, refs: [] };
  const named = new Set([
    ...(record.tasks.find(({ task }) => task === asked.task)?.planned ?? []),
    ...readCitations(record.planText).map(({ path }) => path),
  ]);
  const place = readCitations(asked.source).find(
    ({ path }) => named.has(path) && viewed.paths.includes(path),
  );
  if (place === undefined) return undefined;
  const at = place.line === undefined ? place.path : `${place.path}:${place.line}`;
  return { sentence: `The answer is in ${codeSpan(at)}, which the plan names.`, refs: [place] };
}

/** Words of an answer that one line of a plan has to have. */
const MIN_WORDS = 3;
const MIN_SHARE = 0.8;

/** The one line of a text that holds nearly all telling words of an answer, and some that the question has not. */
function lineWith({ question, answer }: RecordQuestion, text: string): string | undefined {
  const wanted = new Set(tokenise(answer));
  const asked = new Set(tokenise(question));
  const added = [...wanted].filter((word) => !asked.has(word));
  if (wanted.size < MIN_WORDS || added.length === 0) return undefined;
  return text.split('\n').find((line) => {
    const words = new Set(tokenise(line));
    const shared = [...wanted].filter((word) => words.has(word)).length;
    return shared >= wanted.size * MIN_SHARE && added.every((word) => words.has(word));
  });
}

function aboutTask({ tasks }: StandupRecord, number: number): { about?: string } {
  const persona = tasks.find(({ task }) => task === number)?.persona;
  return persona === undefined ? {} : { about: persona };
}

export const PROCESS_LENSES: readonly Lens[] = [
  RETRIED_GATE,
  SLOW_TEST,
  PASSED_ESTIMATE,
  ANSWERED_QUESTION,
];
