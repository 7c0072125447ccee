/** Files of code that nobody wrote, in the languages that a review reads, with the faults that people make now and then. */

export interface MixedFile {
  path: string;
  /** Without a line end at the end. */
  lines: string[];
}

interface Language {
  path: (n: number) => string;
  head: readonly string[];
  /** One piece of code; `$noun`, `$verb` and `$n` are filled in. */
  pieces: readonly string[];
}

const NOUNS = ['order', 'invoice', 'basket', 'parcel', 'customer', 'refund', 'coupon', 'stock'];
const VERBS = ['load', 'merge', 'check', 'render', 'store', 'count', 'split', 'close'];

const SCRIPT: Language = {
  path: (n) => `src/${NOUNS[n % 8]}/${VERBS[n % 7]}-${n}.ts`,
  head: ["import { readFile } from 'node:fs/promises';", "import { log } from '../log.ts';", ''],
  pieces: [
    `export interface $Noun$n {
  id: string;
  total: number;
  lines: readonly { sku: string; count: number }[];
}
`,
    `/** Adds up what one customer owes; returns cents. */
export function $verb$Noun$n(items: readonly { price: number; count: number }[]): number {
  let sum = 0;
  for (const item of items) {
    if (item.count <= 0) continue;
    sum += item.price * item.count;
  }
  return Math.round(sum * 100);
}
`,
    `export async function read$Noun$n(file: string): Promise<string | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    return text.trim();
  } catch (error) {
    log.warn({ error, file }, 'no $noun there');
    return undefined;
  }
}
`,
    `const LIMIT_$n = 50;

export class $Noun$nQueue {
  #waiting: string[] = [];

  add(id: string): boolean {
    if (this.#waiting.length >= LIMIT_$n) return false;
    this.#waiting.push(id);
    return true;
  }
}
`,
    `export async function $verb$Noun$n(db: { query(text: string): Promise<unknown> }, name: string) {
  // TODO: check the name first
  const rows = await db.query(\`SELECT * FROM $nouns WHERE name = '\${name}'\`);
  console.log(rows);
  return rows;
}
`,
  ],
};

const TEST: Language = {
  path: (n) => `test/${NOUNS[n % 8]}/${VERBS[n % 7]}-${n}.test.ts`,
  head: ["import { expect, test } from 'vitest';", ''],
  pieces: [
    `test('$verb takes the $noun of step $n', () => {
  const taken = $verb({ id: '$n', lines: [] });
  expect(taken.id).toBe('$n');
  expect(taken.lines).toHaveLength(0);
});
`,
  ],
};

const PYTHON: Language = {
  path: (n) => `service/${NOUNS[n % 8]}_${n}.py`,
  head: ['"""Takes what the shop sends."""', 'import json', 'import logging', ''],
  pieces: [
    `def $verb_$noun_$n(rows, limit=None):
    """Return the rows that are still open, newest first."""
    found = [row for row in rows if row.get("open")]
    found.sort(key=lambda row: row["at"], reverse=True)
    return found[:limit] if limit is not None else found

`,
    `class $Noun$n:
    def __init__(self, client, retries=3):
        self.client = client
        self.retries = retries

    def $verb(self, key):
        for attempt in range(self.retries):
            try:
                return self.client.get(key)
            except TimeoutError:
                logging.info("attempt %s of %s", attempt, key)
        return None

`,
  ],
};

const GO: Language = {
  path: (n) => `internal/${NOUNS[n % 8]}/${VERBS[n % 7]}_${n}.go`,
  head: ['package shop', '', 'import (', '\t"context"', '\t"fmt"', ')', ''],
  pieces: [
    `// $Verb$Noun$n returns the totals by day.
func $Verb$Noun$n(ctx context.Context, days []int) (map[int]int, error) {
	totals := make(map[int]int, len(days))
	for _, day := range days {
		if day < 0 {
			return nil, fmt.Errorf("day %d is before the first", day)
		}
		totals[day]++
	}
	return totals, ctx.Err()
}
`,
    `type $noun$nStore struct {
	rows map[string]int
}

func (s *$noun$nStore) $Verb(key string) int {
	count, ok := s.rows[key]
	if !ok {
		return 0
	}
	return count
}
`,
  ],
};

const SQL: Language = {
  path: (n) => `migrations/${String(n).padStart(4, '0')}_${NOUNS[n % 8]}.sql`,
  head: [],
  pieces: [
    `CREATE TABLE $nouns_$n (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customers (id),
  total_cents integer NOT NULL CHECK (total_cents >= 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX CONCURRENTLY $nouns_$n_by_customer ON $nouns_$n (customer_id, created_at);
`,
  ],
};

const WORKFLOW: Language = {
  path: (n) => `.github/workflows/${VERBS[n % 7]}-${n}.yml`,
  head: ['name: checks', 'on: [push]', 'permissions:', '  contents: read', 'jobs:'],
  pieces: [
    `  $verb-$n:
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v5
      - run: npm ci
      - run: npm run $verb -- --only $noun
        env:
          CI: 'true'`,
  ],
};

const MARKUP: Language = {
  path: (n) => `web/${NOUNS[n % 8]}-${n}.tsx`,
  head: ["import { useState } from 'react';", ''],
  pieces: [
    `export function $Noun$nCard({ name, price }: { name: string; price: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="card">
      <h3>{name}</h3>
      <img src={\`/img/\${name}.png\`} alt="" />
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {price.toFixed(2)}
      </button>
    </section>
  );
}
`,
  ],
};

/** As a pull request mixes them: mostly code, then its tests, then the rest. */
const MIX: readonly Language[] = [
  SCRIPT,
  TEST,
  PYTHON,
  SCRIPT,
  GO,
  TEST,
  MARKUP,
  SCRIPT,
  PYTHON,
  SQL,
  GO,
  WORKFLOW,
];

/** So many lines in files of at most `perFile`; the same numbers give the same bytes. */
export function mixedFiles(lines: number, perFile = 250): MixedFile[] {
  const files: MixedFile[] = [];
  for (let left = lines, n = 0; left > 0; n += 1) {
    const count = Math.min(perFile, left);
    files.push(writeFile(MIX[n % MIX.length] ?? SCRIPT, n, count));
    left -= count;
  }
  return files;
}

/** Each of a few lines, as many as are wanted. */
export function manyFiles(count: number, perFile = 20): MixedFile[] {
  return mixedFiles(count * perFile, perFile);
}

function writeFile(language: Language, n: number, count: number): MixedFile {
  const lines = [...language.head];
  for (let at = 0; lines.length < count; at += 1) {
    const piece = language.pieces[(n + at) % language.pieces.length] ?? '';
    lines.push(...fill(piece, n * 100 + at).split('\n'));
  }
  return { path: language.path(n), lines: lines.slice(0, count) };
}

function fill(piece: string, n: number): string {
  const noun = NOUNS[n % NOUNS.length] ?? '';
  const verb = VERBS[(n * 3) % VERBS.length] ?? '';
  return piece
    .replaceAll('$Noun', capital(noun))
    .replaceAll('$noun', noun)
    .replaceAll('$Verb', capital(verb))
    .replaceAll('$verb', verb)
    .replaceAll('$n', String(n));
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
