/** Rules about what was meant to go before anybody saw it: debugging, notes, switched-off checks. */
import { lines } from '../line-rule.ts';
import type { ChangedFile } from '../read-change.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule } from '../change-rule.ts';

/** Where printing is what the program is for. */
const PRINTS =
  /(?:^|\/)(?:bin|cli|cmd|scripts?|tools?|examples?|demo|bench(?:marks?)?|hosts)\/|(?:^|\/)server(?:\.node)?\.[a-z]+$|(?:^|\/)(?:cli|main|manage|setup|conftest|gulpfile|webpack\.config|vite\.config|[^/]*\.config)\.[a-z]+$|logg(?:er|ing)|(?:^|\/)(?:write|make|build|generate|run)-[^/]*$/i;
/** Whether the file printed before this change: then it is its way. */
function printedBefore(file: ChangedFile, pattern: RegExp): boolean {
  return [...file.lines.values()].some(
    ({ line, code }) => !file.addedNumbers.has(line) && pattern.test(code),
  );
}

/** Whether the file had no such directive before: a file that uses them already may get another one. */
function isNewHabit(_line: unknown, file: ChangedFile, match: RegExpExecArray): boolean {
  const [word = ''] = /[a-z-]{4,}/.exec(match[0]) ?? [];
  return ![...file.lines.values()].some(
    ({ line, comment }) => !file.addedNumbers.has(line) && comment.includes(word),
  );
}

function isAlone(text: string): boolean {
  return /^\s*[\w.]+\(.*\);?\s*$/.test(text);
}

export const LEFTOVER_RULES: readonly ReviewRule[] = [
  {
    id: 'debugger-left',
    area: 'leftovers',
    severity: 'high',
    personas: ['dev'],
    title: 'A breakpoint is left in the code.',
    explanation: 'The program stops there, for ever when nobody is watching.',
    advice: 'remove the line',
    examples: {
      yes: [
        inFile('src/a.ts', '+  debugger;'),
        inFile('app/a.py', '+    import pdb; pdb.set_trace()'),
        inFile('app/a.py', '+    breakpoint()'),
      ],
      no: [
        inFile('src/a.ts', "+const name = 'debugger';"),
        inFile('app/a.py', '+# breakpoint() stops here'),
      ],
    },
    find: lines(
      { in: ['script'], tests: 'both', pattern: /^\s*debugger;?\s*$/, suggest: () => '' },
      {
        in: ['python'],
        tests: 'both',
        pattern: /^\s*(?:import i?pdb\s*;\s*)?(?:i?pdb\.set_trace|breakpoint)\(\)\s*$/,
        suggest: () => '',
      },
      { in: ['go'], tests: 'both', pattern: /^\s*runtime\.Breakpoint\(\)/, suggest: () => '' },
    ),
  },
  {
    id: 'debug-print-left',
    area: 'leftovers',
    severity: 'low',
    personas: ['dev'],
    title: 'A line prints for debugging.',
    explanation:
      'It fills the output of a program that others read or pipe, and may show what should stay inside.',
    advice: 'remove it, or use the project’s log',
    examples: {
      yes: [
        inFile('src/parse.ts', "+  console.log('here', value);"),
        inFile('app/parse.py', '+    print("value", value)'),
        inFile('parse/a.go', '+\tfmt.Println("here", value)'),
      ],
      no: [
        inFile('src/cli/run.ts', '+  console.log(usage);'),
        inFile('web/server.js', '+  console.log(`listening on ${url}`);'),
        inFile('src/parse.ts', "   console.log('ready');\n+  console.log('done');"),
        inFile('src/parse.ts', '+  console.error(error);'),
        inFile('app/a.py', '+if __name__ == "__main__":\n+    print(run())'),
        inFile('cmd/tool/a.go', '+\tfmt.Println(result)'),
      ],
    },
    find: lines(
      {
        in: ['script', 'markup'],
        pattern: /^\s*console\.(?:log|debug|dir|table|trace)\(/,
        notPath: PRINTS,
        suggest: ({ text }) => (isAlone(text) ? '' : undefined),
        confirm: (_line, file) => !printedBefore(file, /\bconsole\./),
      },
      {
        in: ['python'],
        pattern: /^\s+p?print\(/,
        notPath: PRINTS,
        suggest: ({ text }) => (isAlone(text) ? '' : undefined),
        confirm: (_line, file) =>
          !printedBefore(file, /\bprint\(/) &&
          ![...file.lines.values()].some(({ code }) =>
            /__main__|argparse|\bclick\b|__name__/.test(code),
          ),
      },
      {
        in: ['go'],
        pattern: /^\s*fmt\.Print(?:ln|f)?\(/,
        notPath: PRINTS,
        suggest: ({ text }) => (isAlone(text) ? '' : undefined),
        confirm: (_line, file) =>
          !printedBefore(file, /\bfmt\.Print/) &&
          ![...file.lines.values()].some(({ code }) => /^package main\b/.test(code)) &&
          file.lines.get(1) !== undefined,
      },
    ),
  },
  {
    id: 'todo-without-issue',
    area: 'leftovers',
    severity: 'low',
    personas: ['dev', 'carlos'],
    title: 'A note of work to do names no issue.',
    explanation:
      'Nobody plans work that is only in a comment; in a year nobody knows whether it is still valid.',
    advice: 'open an issue and name it here, or do it now',
    examples: {
      yes: [
        inFile('src/a.ts', '+// TODO: handle empty files'),
        inFile('app/a.py', '+x = 1  # FIXME wrong for zero'),
      ],
      no: [
        inFile('src/a.ts', '+// TODO(#12): handle empty files'),
        inFile('src/a.ts', "+const LABEL = 'TODO';"),
        inFile('src/a.ts', '+// TODO https://example.org/issues/12'),
        inFile('src/a.ts', '+// Renders the TODO list.'),
      ],
    },
    find: lines({
      in: [
        'script',
        'python',
        'go',
        'sql',
        'workflow',
        'yaml',
        'docker',
        'shell',
        'markup',
        'style',
        'code',
      ],
      tests: 'both',
      view: 'comment',
      pattern: /(?:^|[\s/*#-])(TODO|FIXME|XXX|HACK)(?:\([^)]*\))?(?::|\s+-|\s+[a-z]|\s*$|!)/,
      unless: /#\d+|https?:\/\/|\b[A-Z]{2,10}-\d+\b/,
      confirm: ({ comment }) =>
        /^\s*(?:\/\/+|#+|\/?\*+|--|<!--)?\s*(?:TODO|FIXME|XXX|HACK)\b/.test(comment),
      title: (match) => `A ${match[1]} names no issue.`,
    }),
  },
  {
    id: 'check-switched-off',
    area: 'leftovers',
    severity: 'low',
    personas: ['carlos', 'dev'],
    title: 'Every check of this code is switched off without a reason.',
    explanation:
      'The next reader cannot tell a fault that was hidden from a rule that does not fit.',
    advice: 'name the one check that does not fit and say why, or repair what it complains about',
    examples: {
      yes: [
        inFile('src/a.ts', '+// @ts-ignore'),
        inFile('src/a.ts', '+/* eslint-disable */'),
        inFile('app/a.py', '+x = load()  # type: ignore'),
        inFile('a.go', '+\tx := f() //nolint'),
      ],
      no: [
        inFile('src/a.ts', '+// @ts-expect-error: the types of this library lag behind'),
        inFile('src/a.ts', '+// eslint-disable-next-line no-console -- the reporter prints'),
        inFile('app/a.py', '+import x  # noqa: F401 re-exported'),
        inFile('a.go', '+\tx := f() //nolint:errcheck // closed twice'),
      ],
    },
    find: lines(
      {
        in: ['script'],
        view: 'comment',
        pattern:
          /(?:@ts-ignore|@ts-nocheck)\s*(?:\*\/)?\s*$|(?:eslint|oxlint)-disable(?:-(?:next-)?line)?\s*(?:\*\/)?\s*$/,
        confirm: isNewHabit,
      },
      {
        in: ['python'],
        view: 'comment',
        pattern: /#\s*(?:type:\s*ignore|noqa|pylint:\s*disable=all)\s*$/,
        confirm: isNewHabit,
      },
      { in: ['go'], view: 'comment', pattern: /\/\/\s*nolint(?::all)?\s*$/, confirm: isNewHabit },
    ),
  },
];
