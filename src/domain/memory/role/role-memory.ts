/** What the PM and the Artist propose to remember after a pull request (CB-9): validated operations on their files. */
import * as z from 'zod';
import { appendLine, hasLine, replaceLine } from './role-file.ts';
import { faultOfModelText } from '../memory-text.ts';

export const ROLE_FILES = ['pm', 'artist'] as const;
export type RoleFileName = (typeof ROLE_FILES)[number];
export const ROLE_CATEGORIES = ['project', 'planning', 'workflow', 'style', 'roles'] as const;
export type RoleCategory = (typeof ROLE_CATEGORIES)[number];

/** Where the files are in a repository, and in this package. */
export const ROLE_PATHS: Readonly<Record<RoleFileName, string>> = {
  pm: 'memory/pm.md',
  artist: 'memory/artist.md',
};

/** The section that a category belongs to. */
export const ROLE_SECTIONS: Readonly<Record<RoleFileName, Readonly<Record<RoleCategory, string>>>> =
  {
    pm: {
      workflow: 'Workflows',
      project: 'Project Knowledge',
      style: 'Project Knowledge',
      planning: 'Planning Notes',
      roles: 'Working with Other Roles',
    },
    artist: {
      style: 'Style',
      project: 'Icons and Assets',
      workflow: 'Defaults',
      planning: 'Learned Preferences',
      roles: 'Working with Other Roles',
    },
  };

export type RoleOperation =
  | ({
      op: 'append';
      file: RoleFileName;
      category: RoleCategory;
      role?: string;
      text: string;
    } & FromQuestion)
  | ({ op: 'replace'; file: RoleFileName; old: string; text: string } & FromQuestion)
  /** Shown to people and never written: CLAUDE.md is theirs. */
  | { op: 'suggest-claude'; text: string };

interface FromQuestion {
  /** The Coder's question whose answer it keeps. */
  question?: string;
}

/** The answer that the prompt asks for. One flat form, because providers handle alternatives differently. */
export const RoleMemoryForm = z.object({
  operations: z
    .array(
      z.object({
        op: z.enum(['append', 'replace', 'suggest-claude', 'none']),
        file: z.enum(ROLE_FILES).nullable().describe('For append and replace; else null'),
        category: z.enum(ROLE_CATEGORIES).nullable().describe('For append; else null'),
        role: z.string().max(40).nullable().describe('For the category roles; else null'),
        old: z.string().max(600).nullable().describe('For replace: the exact line; else null'),
        text: z.string().max(300).describe('One line of plain text; empty for none'),
        answer: z
          .number()
          .int()
          .nullable()
          .describe('Number of the question of the Coder whose answer it keeps; else null'),
      }),
    )
    .max(10)
    .describe('Empty when there is nothing to keep'),
});

/** What is read of an answer: each operation is judged by itself. */
export const RoleMemoryAnswer = z.object({ operations: z.array(z.unknown()) });

const Operation = z.object({
  op: z.enum(['append', 'replace', 'suggest-claude', 'none']),
  file: z.enum(ROLE_FILES).nullish(),
  category: z.enum(ROLE_CATEGORIES).nullish(),
  role: z.string().max(200).nullish(),
  old: z.string().nullish(),
  text: z.string().default(''),
  answer: z.number().nullish().catch(null),
});
type Operation = z.infer<typeof Operation>;

/** A proposal that a person can read at a glance. */
export const MOST_OPERATIONS = 10;

export type RoleTexts = Readonly<Record<RoleFileName, string>>;

export type RoleProposal =
  | {
      kind: 'proposed';
      /** Empty when there is nothing to keep. */
      operations: RoleOperation[];
      /** Why operations were refused, in their order. */
      refused: string[];
      /** Operations beyond the limit. */
      over: number;
    }
  | { kind: 'garbage'; reason: string };

/**
 * Reads a model's answer against the files as they are. It never throws.
 * @param questions of the Coder, in the order in which the model saw their numbers from 1 on
 */
export function readRoleProposal(
  answer: unknown,
  texts: RoleTexts,
  questions: readonly string[] = [],
): RoleProposal {
  const { data } = RoleMemoryAnswer.safeParse(answer);
  if (data === undefined)
    return { kind: 'garbage', reason: 'the answer is not an object with a list of operations' };
  const read = data.operations.map((each) => readOperation(each, { texts, questions }));
  const wanted = read.filter((each) => each !== undefined);
  const fine = wanted.filter((each) => typeof each !== 'string');
  const once = [...new Map(fine.map((each) => [withoutQuestion(each), each])).values()];
  return {
    kind: 'proposed',
    operations: once.slice(0, MOST_OPERATIONS),
    refused: wanted.filter((each) => typeof each === 'string'),
    over: Math.max(0, once.length - MOST_OPERATIONS),
  };
}

/** Two operations are the same whatever they were made from. */
function withoutQuestion(operation: RoleOperation): string {
  return JSON.stringify({ ...operation, question: undefined });
}

/** The operation, the reason why it is invalid, or undefined where no operation was meant. */
function readOperation(
  value: unknown,
  { texts, questions }: { texts: RoleTexts; questions: readonly string[] },
): RoleOperation | string | undefined {
  const { data } = Operation.safeParse(value);
  if (data === undefined) return 'it has not the form of an operation';
  if (data.op === 'none') return undefined;
  const text = data.text.trim();
  const fault = faultOfModelText(text);
  if (fault !== undefined) return fault;
  if (data.op === 'suggest-claude') return { op: data.op, text };
  if (data.file === undefined || data.file === null) return 'it names no file';
  const wanted = { ...data, file: data.file, text };
  const read = data.op === 'append' ? readAppend(wanted, texts) : readReplace(wanted, texts);
  const question = questions[(data.answer ?? 0) - 1];
  return typeof read === 'string' || question === undefined ? read : { ...read, question };
}

type InFile = Operation & { file: RoleFileName };
type InFileOperation = Exclude<RoleOperation, { op: 'suggest-claude' }>;

const ROLE = /^[\p{L}\p{N}][\p{L}\p{N} '-]{0,39}$/u;

function readAppend({ file, text, ...data }: InFile, texts: RoleTexts): InFileOperation | string {
  const { category } = data;
  if (category === undefined || category === null) return 'it names no category';
  const role = data.role?.trim().replace(/^@/, '') ?? '';
  if (category === 'roles' && !ROLE.test(role)) return 'it names no role';
  const operation: InFileOperation = {
    op: 'append',
    file,
    category,
    ...(category === 'roles' ? { role } : {}),
    text: text.replace(/^[-*+][ \t]+/, ''),
  };
  return hasLine(texts[file], describeOperation(operation))
    ? 'it is in the file already'
    : operation;
}

function readReplace({ file, text, ...data }: InFile, texts: RoleTexts): InFileOperation | string {
  const old = data.old?.trim() ?? '';
  const replaced = replaceLine(texts[file], old, text);
  if ('refused' in replaced) return replaced.refused;
  if (replaced.text === texts[file]) return 'it changes nothing';
  return { op: 'replace', file, old, text };
}

/** An appended entry as its line says it. */
export function describeOperation({
  text,
  role,
}: Extract<RoleOperation, { op: 'append' }>): string {
  return role === undefined ? text : `${role}: ${text}`;
}

export interface AppliedOperations {
  texts: RoleTexts;
  /** Those that no longer fit, because a person changed the file since, with why. */
  refused: { operation: RoleOperation; reason: string }[];
}

/** Makes approved operations in the files as they are now. */
export function applyOperations(
  texts: RoleTexts,
  operations: readonly RoleOperation[],
): AppliedOperations {
  return operations.reduce<AppliedOperations>(applyOne, { texts, refused: [] });
}

function applyOne({ texts, refused }: AppliedOperations, operation: RoleOperation) {
  if (operation.op === 'suggest-claude') return { texts, refused };
  const { file } = operation;
  if (operation.op === 'append') {
    const section = ROLE_SECTIONS[file][operation.category];
    return {
      texts: { ...texts, [file]: appendLine(texts[file], section, describeOperation(operation)) },
      refused,
    };
  }
  const replaced = replaceLine(texts[file], operation.old, operation.text);
  if ('refused' in replaced)
    return { texts, refused: [...refused, { operation, reason: replaced.refused }] };
  return { texts: { ...texts, [file]: replaced.text }, refused };
}
