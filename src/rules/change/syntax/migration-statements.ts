/** Reads the SQL statements that a change adds, and which of them belong to a migration or to its undoing. */
import type { ReadLine } from './lex.ts';
import type { Change, ChangedFile } from '../read-change.ts';
import type { Sighting } from '../change-rule.ts';

const MIGRATION =
  /(?:^|\/)(?:migrations?|migrate|alembic\/versions|flyway)\/|(?:^|\/)V\d+(?:_\d+)*__[^/]+\.sql$/i;

const DOWN_PATH = /\bdown\b[^/]*$|(?:^|\/)U\d+__/i;

const DOWN_MARK =
  /\+goose Down|migrate:down|-- *!?(?:down|rollback)|@down|\bdef downgrade\b|\bexports\.down\b|\basync down\(|\bfunction down\b|\bdown\s*[:=(]/i;

const UP_MARK =
  /\+goose Up|migrate:up|-- *!?up\b|@up|\bdef upgrade\b|\bexports\.up\b|\basync up\(|\bfunction up\b|\bup\s*[:=(]/i;

interface Statement {
  file: ChangedFile;
  line: number;
  endLine: number;
  /** One line, comments left out. */
  text: string;
}

export function isMigration({ path, isTest }: ChangedFile): boolean {
  return MIGRATION.test(path) && !isTest;
}

/** Whether a line undoes a migration: there, dropping what was made is right. */
export function isDown(file: ChangedFile, line: number): boolean {
  if (DOWN_PATH.test(file.path)) return true;
  for (let at = line; at > 0 && line - at < 400; at -= 1) {
    const text = file.lines.get(at)?.text ?? '';
    if (UP_MARK.test(text)) return false;
    if (DOWN_MARK.test(text)) return true;
  }
  return false;
}

/** The new statements of an SQL file. */
function statementsOf(file: ChangedFile): Statement[] {
  const found: Statement[] = [];
  let open: ReadLine[] = [];
  const close = (): void => {
    const [first, last] = [open[0], open.at(-1)];
    if (first !== undefined && last !== undefined)
      found.push({
        file,
        line: first.line,
        endLine: last.line,
        text: open.map(({ live }) => live.trim()).join(' '),
      });
    open = [];
  };
  for (const line of file.added) {
    const last = open.at(-1);
    if (last !== undefined && line.line !== last.line + 1) close();
    if (line.code.trim() === '') continue;
    open.push(line);
    if (/;\s*$/.test(line.code)) close();
  }
  close();
  return found;
}

function sqlFiles({ files }: Change): ChangedFile[] {
  return files.filter(({ language, isTest }) => language === 'sql' && !isTest);
}

export function findStatements(
  change: Change,
  wanted: (statement: Statement) => boolean,
): Sighting[] {
  return sqlFiles(change)
    .flatMap(statementsOf)
    .filter((statement) => wanted(statement) && !isDown(statement.file, statement.line))
    .map(({ file, line, endLine }) => ({ file, line, endLine }));
}
