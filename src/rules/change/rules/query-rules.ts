/** Rules about queries: what of them is made from values. */
import type { Language } from '../syntax/language.ts';
import type { ReadLine } from '../syntax/lex.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule } from '../change-rule.ts';

/** A string that begins like a query; the words alone are English too, so two of them must stand in order. */
const QUERY =
  /["'`](?:\s{0,20})(?:select\s[^"'`]{1,300}?\sfrom\s|insert\s+into\s|update\s+\S{1,80}\s+set\s|delete\s+from\s)/i;
/** Where a query holds a value and not a name, a list of columns or a list of assignments. */
const VALUE_SPOT = /(?:=|<|>|\blike|\blimit|\bin|\bvalues|\(|\([^()]*,)\s*\(?\s*(?:'%?|\\?"%?)?$/i;
/** What is made for a query and not taken from outside. */
const MADE =
  /placeholder|columns?|fields|clause|condition|\bjoin\(|\bmap\(|\bsql\b|escape|quote|\?/i;
/** `LIMIT`, or a member of what is written so, as `STATES.done`. */
const CONSTANT = /^[A-Z][A-Z0-9_]+(?:\.\w+)?$/;
/** A template tag that turns values into parameters. */
const TAG = /\b(?:\w+\.)?(?:sql|SQL|query|raw)\w*(?:<[^>]{0,80}>)?`/;

/** How each language puts a value into a string: group 1 is the value, where the pattern shows it. */
const SPOTS: Readonly<Partial<Record<Language, readonly RegExp[]>>> = {
  script: [/\$\{([^}]{1,80})\}/g, /["'`]\s*\+\s*([\w.[\]]{1,80})/g],
  python: [
    /(?<=\bf["'].*)\{([^}]{1,80})\}/g,
    /%s(?=.*["']\s*%\s*[\w(])/g,
    /\{\w*\}(?=.*["']\.format\()/g,
    /["']\s*\+\s*([\w.]{1,80})/g,
  ],
  go: [/(?<=Sprintf\(.*)%[svd]/g, /["`]\s*\+\s*([\w.]{1,80})/g],
  code: [/["']\s*\+\s*([\w.]{1,80})/g],
};

function isBuiltQuery({ live, code }: ReadLine, spots: readonly RegExp[]): boolean {
  const start = QUERY.exec(live.slice(0, 2000));
  if (start === null || TAG.test(live)) return false;
  // A quote that is no quote of the code is inside another string.
  if (code[start.index] !== live[start.index]) return false;
  return spots.some((spot) =>
    Array.from(live.slice(0, 2000).matchAll(spot)).some(
      (match) =>
        match.index > start.index &&
        VALUE_SPOT.test(live.slice(start.index, match.index)) &&
        // What a dot follows is the schema of a name.
        live[match.index + match[0].length] !== '.' &&
        !CONSTANT.test(match[1] ?? '') &&
        !MADE.test(match[1] ?? ''),
    ),
  );
}

export const QUERY_RULES: readonly ReviewRule[] = [
  {
    id: 'sql-from-values',
    area: 'injection',
    severity: 'high',
    personas: ['maya', 'dev'],
    title: 'A query is put together from values.',
    explanation:
      'A value with a quote in it changes the query: rows of others are read, changed or deleted.',
    advice: 'pass the values as parameters of the query',
    examples: {
      yes: [
        inFile('src/a.ts', "+db.query(`SELECT id FROM users WHERE name = '${name}'`);"),
        inFile('src/a.ts', "+db.query('DELETE FROM users WHERE id = ' + id);"),
        inFile('app/a.py', '+cur.execute(f"SELECT id FROM users WHERE name = \'{name}\'")'),
        inFile('app/a.py', '+cur.execute("UPDATE users SET name = \'%s\'" % name)'),
        inFile('a.go', '+db.Query(fmt.Sprintf("SELECT id FROM users WHERE name = \'%s\'", name))'),
      ],
      no: [
        inFile('src/a.ts', "+db.query('SELECT id FROM users WHERE name = $1', [name]);"),
        inFile('src/a.ts', '+sql`SELECT id FROM users WHERE name = ${name}`;'),
        inFile('app/a.py', '+cur.execute("UPDATE users SET name = %s", (name,))'),
        inFile('src/a.ts', "+const text = 'select one from the list of ' + names;"),
        inFile('src/a.ts', '+db.query(`SELECT ${COLUMNS} FROM users WHERE id = $1`, [id]);'),
      ],
    },
    find: ({ files }) =>
      files.flatMap((file) => {
        const spots = SPOTS[file.language];
        if (spots === undefined || file.isTest) return [];
        return file.added
          .filter((line) => isBuiltQuery(line, spots))
          .map(({ line }) => ({ file, line }));
      }),
  },
];
