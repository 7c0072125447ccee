/** What belongs into the files of roles, by rules: what people with write access answered, or said to be a rule. */
import type { SaidInThread } from '../../../domain/memory/role/role-run.ts';
import type { OfflineBrief } from '../../../domain/run/evidence.ts';

interface Operation {
  op: 'append';
  file: 'pm' | 'artist';
  category: 'workflow' | 'project' | 'planning' | 'style';
  text: string;
  /** Number of the Coder's question whose answer it keeps. */
  answer?: number;
}

const MOST = 5;
const MAX_TEXT = 280;
const RULE =
  /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?(workflow|decision|planning|style)(?:\*\*)?:(?:\*\*)?[ \t]+(\S.*)$/gim;
const QUESTION = /^Coder asks: (\S.*)$/m;

const PLACES: Readonly<Record<string, Pick<Operation, 'file' | 'category'>>> = {
  workflow: { file: 'pm', category: 'workflow' },
  decision: { file: 'pm', category: 'project' },
  planning: { file: 'pm', category: 'planning' },
  style: { file: 'artist', category: 'style' },
};

export function proposeForRoles({ work }: OfflineBrief): { operations: Operation[] } {
  const said = work?.said ?? [];
  const questions = work?.answered?.map(({ question }) => question) ?? [];
  const operations = said.flatMap((each, at) => [
    ...answerTo(said, at, questions),
    ...rulesIn(each),
  ]);
  return { operations: operations.slice(0, MOST) };
}

/** The operations after `Workflow:` and similar labels. */
function rulesIn({ trust, text }: SaidInThread): Operation[] {
  if (trust !== 'maintainer') return [];
  return Array.from(text.matchAll(RULE), ([, word = '', rule = '']) => ({ word, rule })).flatMap(
    ({ word, rule }) => toOperation(word.toLowerCase(), rule),
  );
}

/** The first answer to a question of the Coder, of somebody who may give one. */
function answerTo(
  said: readonly SaidInThread[],
  at: number,
  questions: readonly string[],
): Operation[] {
  const question = QUESTION.exec(said[at]?.text ?? '')?.[1];
  if (question === undefined) return [];
  const answer = said.slice(at + 1).find(({ trust }) => trust === 'maintainer');
  const [line = ''] = answer?.text.trim().split('\n') ?? [];
  if (line === '') return [];
  const number = questions.indexOf(question) + 1;
  return toOperation('decision', `Asked "${question}", the answer is: ${line}`).map((each) =>
    number === 0 ? each : { ...each, answer: number },
  );
}

function toOperation(word: string, rule: string): Operation[] {
  const place = PLACES[word];
  const text = plain(rule);
  return place === undefined || text === '' ? [] : [{ op: 'append', ...place, text }];
}

/** One line without what memory refuses. */
function plain(text: string): string {
  const flat = text
    .replaceAll(/[`<>@]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
  return flat.length > MAX_TEXT ? `${flat.slice(0, MAX_TEXT - 1)}…` : flat;
}
