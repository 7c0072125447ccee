/** Rules about databases: changes that lose data, fail on full tables or block those who use them. */
import { escapePattern } from '../../../domain/text/pattern.ts';
import type { Change } from '../read-change.ts';
import { inFile, type ReviewRule } from '../change-rule.ts';
import { isMigration, isDown, findStatements } from '../syntax/migration-statements.ts';

const DROP =
  /\bdrop\s+(?:table|column|schema|database)\b(?!\s+if\s+exists\s+(?:tmp|temp)_)|\btruncate\b/i;

const DROP_CALL =
  /\b(?:drop_column|drop_table|dropColumn|dropColumns|dropTable|dropTableIfExists|removeColumn|remove_column|RemoveField|DeleteModel)\s*\(/;

export const MIGRATION_RULES: readonly ReviewRule[] = [
  {
    id: 'migration-loses-data',
    area: 'migrations',
    severity: 'high',
    personas: ['priya', 'carlos'],
    title: 'A migration removes data that cannot be brought back.',
    explanation:
      'Code that still runs during the roll-out reads what is gone, and going back does not restore it.',
    advice: 'stop reading it in one release and remove it in a later one, with a copy kept',
    examples: {
      yes: [
        inFile('db/migrations/7.sql', '+ALTER TABLE users DROP COLUMN email;'),
        inFile('migrations/7.py', '+def upgrade():\n+    op.drop_column("users", "email")'),
      ],
      no: [
        inFile('db/migrations/7.down.sql', '+DROP TABLE users;'),
        inFile('migrations/7.py', '+def downgrade():\n+    op.drop_column("users", "email")'),
        inFile(
          'db/migrations/7.sql',
          '+-- DROP TABLE users;\n+ALTER TABLE users ADD COLUMN email text;',
        ),
      ],
    },
    find: (change) => [
      ...findStatements(change, ({ file, text }) => isMigration(file) && DROP.test(text)),
      ...change.files
        .filter((file) => isMigration(file) && file.language !== 'sql')
        .flatMap((file) =>
          file.added
            .filter(({ code, line }) => DROP_CALL.test(code) && !isDown(file, line))
            .map(({ line }) => ({ file, line })),
        ),
    ],
  },
  {
    id: 'migration-column-without-default',
    area: 'migrations',
    severity: 'high',
    personas: ['priya', 'dev'],
    title: 'A column that may not be empty is added without a value for the rows that are there.',
    explanation: 'On a table with rows the statement fails, and the roll-out with it.',
    advice: 'give a default, or add it as nullable, fill it, then forbid empty values',
    examples: {
      yes: [inFile('db/migrations/8.sql', '+ALTER TABLE users\n+  ADD COLUMN role text NOT NULL;')],
      no: [
        inFile(
          'db/migrations/8.sql',
          "+ALTER TABLE users ADD COLUMN role text NOT NULL DEFAULT 'user';",
        ),
        inFile(
          'db/migrations/8.sql',
          '+CREATE TABLE roles (name text NOT NULL);\n+ALTER TABLE roles ADD COLUMN rank int NOT NULL;',
        ),
      ],
    },
    find: (change) =>
      findStatements(change, ({ file, text }) => {
        const table = /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?["'`]?([\w.]+)/i.exec(
          text,
        )?.[1];
        if (
          table === undefined ||
          !/\badd\s+(?:column\s+)?(?!constraint|primary|foreign|unique|check|index)\S+.*\bnot\s+null\b/i.test(
            text,
          )
        )
          return false;
        const isMadeHere = file.added.some(({ code }) =>
          new RegExp(
            `\\bcreate\\s+table\\s+(?:if\\s+not\\s+exists\\s+)?["'\`]?${escapePattern(table)}\\b`,
            'i',
          ).test(code),
        );
        return (
          !/\bdefault\b|\bgenerated\b|\bauto_?increment\b|\bserial\b/i.test(text) && !isMadeHere
        );
      }),
  },
  {
    id: 'migration-index-blocks-writes',
    area: 'migrations',
    severity: 'medium',
    personas: ['dev', 'carlos'],
    title: 'Building this index keeps everybody from writing to the table.',
    explanation:
      'PostgreSQL locks the table against writes until the index is built, minutes on large ones.',
    advice: 'use `CREATE INDEX CONCURRENTLY`, outside a transaction',
    examples: {
      yes: [
        {
          change: { 'db/migrations/9.sql': '+CREATE INDEX users_email ON users (email);' },
          repository: { 'package.json': '{"dependencies":{"pg":"^8"}}' },
        },
      ],
      no: [
        {
          change: {
            'db/migrations/9.sql': '+CREATE INDEX CONCURRENTLY users_email ON users (email);',
          },
          repository: { 'package.json': '{"dependencies":{"pg":"^8"}}' },
        },
        {
          change: {
            'db/migrations/9.sql':
              '+CREATE TABLE users (email text);\n+CREATE INDEX users_email ON users (email);',
          },
          repository: { 'package.json': '{"dependencies":{"pg":"^8"}}' },
        },
        inFile('db/migrations/9.sql', '+CREATE INDEX users_email ON users (email);'),
      ],
    },
    find: (change) =>
      usesPostgres(change)
        ? findStatements(change, ({ file, text }) => {
            const table =
              /^create\s+(?:unique\s+)?index\s+(?!concurrently\b).*?\bon\s+(?:only\s+)?["']?([\w.]+)/i.exec(
                text,
              )?.[1];
            return (
              table !== undefined &&
              isMigration(file) &&
              !file.added.some(({ code }) =>
                new RegExp(`\\bcreate\\s+table\\b.*\\b${escapePattern(table)}\\b`, 'i').test(code),
              )
            );
          })
        : [],
  },
  {
    id: 'migration-edited',
    area: 'migrations',
    severity: 'high',
    personas: ['carlos', 'dev'],
    title: 'A migration that may have run already is changed.',
    explanation:
      'Where it ran, the change never arrives; where it did not, the schema differs from everywhere else.',
    advice: 'leave it as it is and add a new migration',
    examples: {
      yes: [
        inFile(
          'db/migrations/0003_users.sql',
          ' CREATE TABLE users (\n-  email text\n+  email varchar(200)\n );',
        ),
      ],
      no: [
        inFile('db/migrations/0003_users.sql', '+CREATE TABLE users (email text);'),
        inFile(
          'db/migrations/0003_users.sql',
          '+-- People who may sign in.\n CREATE TABLE users (email text);',
        ),
        inFile('src/migrate/run.ts', '-run(1);\n+run(2);'),
      ],
    },
    find: ({ files }) =>
      files
        .filter(
          (file) =>
            isMigration(file) &&
            file.file.status === 'modified' &&
            /\d{3,}|V\d+__/.test(file.path) &&
            ['sql', 'python', 'script'].includes(file.language),
        )
        .flatMap((file) => {
          const first = file.added.find(({ code }) => code.trim() !== '');
          return first === undefined ? [] : [{ file, line: first.line }];
        }),
  },
  {
    id: 'sql-changes-every-row',
    area: 'migrations',
    severity: 'high',
    personas: ['dev', 'priya'],
    title: 'A statement changes or deletes every row of a table.',
    explanation:
      'Without a condition it reaches all of them; that is seldom meant, and cannot be undone.',
    advice: 'add the condition, or say in a comment that all rows are meant',
    examples: {
      yes: [
        inFile('scripts/clean.sql', '+DELETE FROM sessions;'),
        inFile('scripts/clean.sql', "+UPDATE users\n+  SET role = 'user';"),
      ],
      no: [
        inFile('scripts/clean.sql', '+DELETE FROM sessions WHERE expires_at < now();'),
        inFile(
          'db/migrations/10.sql',
          "+-- all rows: the column is new\n+UPDATE users SET role = 'user';",
        ),
        inFile(
          'scripts/clean.sql',
          '+CREATE TRIGGER t AFTER UPDATE ON users EXECUTE FUNCTION f();',
        ),
      ],
    },
    find: (change) =>
      findStatements(
        change,
        ({ file, line, text }) =>
          /^(?:delete\s+from\s+\S+|update\s+\S+\s+set\b)/i.test(text) &&
          /;\s*$/.test(text) &&
          !/\b(?:where|join|using|limit)\b/i.test(text) &&
          !/\ball\b/i.test(file.lines.get(line - 1)?.comment ?? ''),
      ),
  },
  {
    id: 'sql-grants-everything',
    area: 'migrations',
    severity: 'medium',
    personas: ['maya'],
    title: 'A role is given every right, or everybody is given one.',
    explanation: 'A fault in the program can then do what no part of it ever needed.',
    advice: 'grant the rights that are used, on the tables that are used',
    examples: {
      yes: [inFile('db/roles.sql', '+GRANT ALL PRIVILEGES ON ALL TABLES IN SCHEMA public TO app;')],
      no: [inFile('db/roles.sql', '+GRANT SELECT, INSERT ON users TO app;')],
    },
    find: (change) =>
      findStatements(change, ({ text }) => /^grant\s+(?:all\b|.*\bto\s+public\b)/i.test(text)),
  },
];

/** Whether the repository's manifests name a PostgreSQL driver. */
function usesPostgres({ context }: Change): boolean {
  return [...context.head].some(
    ([path, text]) =>
      /(?:^|\/)(?:package\.json|pyproject\.toml|requirements[^/]*\.txt|go\.mod)$/.test(path) &&
      /"pg"|"postgres"|psycopg|asyncpg|\blib\/pq\b|\bpgx\b/.test(text),
  );
}
