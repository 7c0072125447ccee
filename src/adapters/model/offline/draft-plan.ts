/** Drafts a plan from an issue's own words: its lists, and the files that it names. Nothing in it is made up. */
import { withoutFences } from '../../../domain/markdown/fences.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';
import type { Evidence, OfflineBrief } from '../../../domain/run/evidence.ts';
import type { PlanDraft, PmProposal } from '../../../domain/plan/draft.ts';
import { at, bare, citeFile, citePlace, cutAtWord, list, touched } from './cite.ts';

type Task = PlanDraft['tasks'][number];
type Asked = NonNullable<OfflineBrief['plan']>;

const MAX_TASKS = 20;
const MAX_TITLE = 110;
const MAX_FILES = 5;
const MAX_QUESTIONS = 3;
const MAX_RISKS = 3;

export function draftPlan({ evidence, plan: asked }: OfflineBrief): PmProposal {
  if (asked === undefined || asked.isRevision) return say(CANNOT_REWRITE);
  if (evidence.subject === 'question')
    return say(
      `This reads as a question, and without a model I find and do not reason: \`/pm ask\` looks for what the code says. With \`/pm plan what\` I draft a plan of that.`,
    );
  const questions = openPoints(evidence, asked);
  if (questions.length > 0) return { kind: 'questions', questions, risks: [], answer: '' };
  return {
    kind: 'plan',
    plan: toDraft(evidence, asked),
    questions: [],
    risks: risksIn(evidence),
    answer: '',
  };
}

const CANNOT_REWRITE =
  'Without a model I cannot rewrite a plan. Edit its text: it is read again at once and asks for a new yes. Or configure a model.';

function say(answer: string): PmProposal {
  return { kind: 'answer', answer, questions: [], risks: [] };
}

/** What the words leave open, and no rule can settle. */
function openPoints({ decision }: Evidence, { body, wish, hasAnswers }: Asked): string[] {
  if (hasAnswers) return [];
  const choice = decision === undefined ? [] : [cutAtWord(decision.question, 400)];
  const isEmpty = body.trim() === '' && wish.trim() === '';
  const what = isEmpty ? ['What should be different afterwards, and how can somebody tell?'] : [];
  return [...choice, ...what].slice(0, MAX_QUESTIONS);
}

function toDraft(evidence: Evidence, asked: Asked): PlanDraft {
  const { title } = asked;
  const files = touched(evidence);
  const steps = stepsIn(asked);
  const tasks = steps.length === 0 ? [wholeTask(evidence, asked)] : steps.map(toTask(evidence));
  return {
    title: cutAtWord(title, MAX_TITLE),
    goal: cutAtWord(firstSentence(asked), 700),
    context: cutAtWord(
      [
        'Drafted by offline rules, without a model: tasks are lists of the issue, files are those that it names.',
        files.length === 0
          ? 'It names no file that is in the repository.'
          : `Named in it: ${list(files.slice(0, MAX_FILES).map((file) => citeFile(file)))}.`,
        evidence.missing.length === 0
          ? ''
          : `Named, and not found: ${list(evidence.missing.slice(0, 5).map(codeSpan))}.`,
        ...evidence.symbols
          .slice(0, 5)
          .map(({ name, place }) => `- ${codeSpan(name)} is in ${citePlace(place)}`),
      ]
        .filter((line) => line !== '')
        .join('\n'),
      3_500,
    ),
    tasks: chained(tasks),
    verification: [],
  };
}

interface Step {
  text: string;
  isOrdered: boolean;
}

/** Open boxes where there are any, else a numbered list. */
function stepsIn({ body, wish }: Asked): Step[] {
  const source = withoutFences(`${wish}\n${body}`);
  const find = (pattern: RegExp, isOrdered: boolean): Step[] =>
    Array.from(source.matchAll(pattern), ([, text = '']) => ({ text: text.trim(), isOrdered }))
      .filter(({ text }) => /\p{L}{2}/u.test(text))
      .slice(0, MAX_TASKS);
  const boxes = find(/^[ \t]*[-*+][ \t]+\[ \][ \t]+(.+)$/gm, false);
  return boxes.length > 0 ? boxes : find(/^[ \t]{0,3}\d{1,2}[.)][ \t]+(.+)$/gm, true);
}

function toTask(evidence: Evidence): (step: Step, index: number) => Task {
  return ({ text, isOrdered }, index) => ({
    number: index + 1,
    title: cutAtWord(bare(text), MAX_TITLE),
    files: filesOf(text, evidence),
    dependencies: isOrdered && index > 0 ? [index] : [],
    description: `${text}\n\nAcceptance:\n\n- it does what the line above says\n- a test shows it`,
    estimate: '',
  });
}

function wholeTask(evidence: Evidence, { title, body, wish }: Asked): Task {
  const words = [wish, body].filter((part) => part.trim() !== '').join('\n\n');
  return {
    number: 1,
    title: cutAtWord(bare(title), MAX_TITLE),
    files: toFiles([...touched(evidence).map(({ path }) => path), ...evidence.tests]),
    dependencies: [],
    description: cutAtWord(words === '' ? title : words, 5_500),
    estimate: '',
  };
}

/** Files that a step's own words name. */
function filesOf(text: string, { files, tests }: Evidence): Task['files'] {
  const known = [...files.map(({ path }) => path), ...tests];
  return toFiles(known.filter((path) => text.includes(path) || text.includes(baseOf(path))));
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function toFiles(paths: readonly string[]): Task['files'] {
  return [...new Set(paths)].slice(0, MAX_FILES).map((path) => ({ path, note: '' }));
}

/** Two tasks on one file are done one after the other. */
function chained(tasks: readonly Task[]): Task[] {
  return tasks.map((task, index) => {
    const last = tasks
      .slice(0, index)
      .findLast(({ files }) =>
        files.some(({ path }) => task.files.some((own) => own.path === path)),
      );
    const before = last === undefined ? [] : [last.number];
    return { ...task, dependencies: [...new Set([...task.dependencies, ...before])] };
  });
}

function firstSentence({ title, body, wish }: Asked): string {
  const words = (wish.trim() === '' ? body : wish).replaceAll(/\s+/g, ' ').trim();
  const sentence = /^.{10,400}?[.!?](?=\s|$)/.exec(words)?.[0];
  return sentence ?? title;
}

function risksIn({ signals }: Evidence): string[] {
  return signals
    .filter(({ severity }) => severity !== 'info' && severity !== 'low')
    .slice(0, MAX_RISKS)
    .map((signal) => cutAtWord(`${bare(signal.title)}${at(signal)}`, 300));
}
