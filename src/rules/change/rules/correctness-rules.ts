/** Rules about code that does something else than it says. */
import { around, lines } from '../line-rule.ts';
import type { ChangedFile } from '../read-change.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule } from '../change-rule.ts';

/** Whether a Go line is in a loop of its own function, by the indentation that gofmt gives. */
function isInGoLoop(file: ChangedFile, line: number): boolean {
  let indent = (file.lines.get(line)?.text ?? '').search(/\S/);
  for (let at = line - 1; at > 0 && line - at < 200; at -= 1) {
    const code = file.lines.get(at)?.code;
    if (code === undefined) return false;
    const own = code.search(/\S/);
    if (own === -1 || own >= indent) continue;
    if (/^\s*for\b.*\{\s*$/.test(code)) return true;
    if (/\bfunc\b/.test(code)) return false;
    indent = own;
  }
  return false;
}

export const CORRECTNESS_RULES: readonly ReviewRule[] = [
  {
    id: 'merge-conflict-marker',
    area: 'correctness',
    severity: 'critical',
    personas: ['dev', 'carlos'],
    title: 'A merge conflict is committed unresolved.',
    explanation:
      'The file holds both versions and the marks between them; it cannot be what anybody meant.',
    advice: 'choose one side, or write what both meant, and remove the marks',
    examples: {
      yes: [
        inFile(
          'src/a.ts',
          `+${'<'.repeat(7)} HEAD\n+const a = 1;\n+${'='.repeat(7)}\n+const a = 2;\n+${'>'.repeat(7)} other`,
        ),
      ],
      no: [inFile('docs/a.md', `+Title\n+${'='.repeat(7)}`)],
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
        'json',
        'code',
        'other',
        'markdown',
      ],
      view: 'text',
      tests: 'both',
      pattern: /^(?:<{7}|>{7}) \S/,
    }),
  },
  {
    id: 'nan-compared',
    area: 'correctness',
    severity: 'high',
    personas: ['dev', 'priya'],
    title: 'A comparison with NaN is never true.',
    explanation: 'NaN equals nothing, not even itself, so the branch is never or always taken.',
    advice: 'use `Number.isNaN`, `math.isnan` or `math.IsNaN`',
    examples: {
      yes: [
        inFile('src/a.ts', '+if (value === NaN) return;'),
        inFile('app/a.py', "+if value == float('nan'):"),
      ],
      no: [inFile('src/a.ts', '+if (Number.isNaN(value)) return;')],
    },
    find: lines(
      {
        in: ['script'],
        pattern: /([\w.]+)\s*(===?|!==?)\s*(?:Number\.)?NaN\b/,
        suggest: ({ text }, match) =>
          text.replace(
            match[0],
            `${match[2]?.startsWith('!') === true ? '!' : ''}Number.isNaN(${match[1] ?? ''})`,
          ),
      },
      {
        in: ['python'],
        view: 'live',
        pattern: /(?:==|!=)\s*(?:float\(["']nan["']\)|(?:math|np|numpy)\.nan\b)/,
      },
      { in: ['go'], pattern: /(?:==|!=)\s*math\.NaN\(\)/ },
    ),
  },
  {
    id: 'py-mutable-default',
    area: 'correctness',
    severity: 'medium',
    personas: ['dev', 'priya'],
    title: 'A default value is made once and shared by every call.',
    explanation: 'What one call puts into the list or dict is there in the next one.',
    advice: 'use `None` as the default and make the value inside',
    examples: {
      yes: [inFile('app/a.py', '+def collect(item, into=[]):\n+    into.append(item)')],
      no: [
        inFile('app/a.py', '+def collect(item, into=None):'),
        inFile('app/a.py', '+collect(item, into=[])'),
        inFile('app/a.py', '+def collect(item, into=()):'),
      ],
    },
    find: lines({
      in: ['python'],
      pattern:
        /^\s*(?:async\s+)?def\s+\w+\(.*=\s*(?:\[\s*\]|\{\s*\}|list\(\)|dict\(\)|set\(\))\s*[,)]/,
    }),
  },
  {
    id: 'py-is-literal',
    area: 'correctness',
    severity: 'medium',
    personas: ['dev'],
    title: '`is` compares identity, not value.',
    explanation:
      'Two equal strings or numbers may or may not be one object, so this is right by luck.',
    advice: 'use `==`',
    examples: {
      yes: [inFile('app/a.py', '+if name is "admin":')],
      no: [inFile('app/a.py', '+if name is None:'), inFile('app/a.py', '+if name == "admin":')],
    },
    find: lines({
      in: ['python'],
      pattern: /\bis\s+(not\s+)?(?:["']|\d)/,
      suggest: ({ text }) =>
        text.replace(/\bis\s+not\s+(?=["'\d])/, '!= ').replace(/\bis\s+(?=["'\d])/, '== '),
    }),
  },
  {
    id: 'py-assert-tuple',
    area: 'correctness',
    severity: 'high',
    personas: ['priya', 'dev'],
    title: 'This assertion is always true.',
    explanation:
      'A condition and a message in brackets are one tuple, and a tuple that is not empty is true.',
    advice: 'leave the brackets off',
    examples: {
      yes: [inFile('app/a.py', '+assert (count > 0, "nothing was read")')],
      no: [
        inFile('app/a.py', '+assert count > 0, "nothing was read"'),
        inFile('app/a.py', '+assert (count > 0 and total > 0), "x"'),
      ],
    },
    find: lines({
      in: ['python'],
      tests: 'both',
      pattern: /^\s*assert\s*\([^()]+,\s*f?["'].*["']\s*\)\s*$/,
      suggest: ({ text }) => text.replace(/^(\s*assert)\s*\((.*)\)\s*$/, '$1 $2'),
    }),
  },
  {
    id: 'go-defer-in-loop',
    area: 'correctness',
    severity: 'medium',
    personas: ['dev'],
    title: '`defer` in a loop waits for the end of the function.',
    explanation:
      'Files, connections and locks pile up over all rounds before the first one is given back.',
    advice: 'put the body of the loop into a function of its own',
    examples: {
      yes: [
        inFile(
          'a.go',
          '+func load(names []string) {\n+\tfor _, name := range names {\n+\t\tfile := open(name)\n+\t\tdefer file.Close()\n+\t}\n+}',
        ),
      ],
      no: [
        inFile(
          'a.go',
          '+func load(name string) {\n+\tfile := open(name)\n+\tdefer file.Close()\n+}',
        ),
        inFile(
          'a.go',
          '+\tfor _, name := range names {\n+\t\tfunc() {\n+\t\t\tdefer done()\n+\t\t}()\n+\t}',
        ),
      ],
    },
    find: lines({
      in: ['go'],
      pattern: /^\s+defer\s/,
      confirm: ({ line }, file) => isInGoLoop(file, line),
    }),
  },
  {
    id: 'same-on-both-sides',
    area: 'correctness',
    severity: 'medium',
    personas: ['dev', 'priya'],
    title: 'A value is compared with itself.',
    explanation: 'The result is always the same; one of the two was meant to be something else.',
    advice: 'compare with the other value, or drop the comparison',
    examples: {
      yes: [inFile('src/a.ts', '+if (before.path === before.path) return;')],
      no: [
        inFile('src/a.ts', '+if (before.path === after.path) return;'),
        inFile('src/a.ts', '+if (value.x === value.x.y) return;'),
        inFile('src/a.ts', '+expect(a.b === a.b).toBe(true);'),
      ],
    },
    find: lines({
      in: ['script', 'python', 'go', 'code'],
      pattern:
        /(?<![\w.$)\]+\-*/%])([a-zA-Z_$][\w$]*(?:\.[\w$]+)*)\s*(?:===?|!==?)\s*\1(?![\w.$([+\-*/%])/,
      unless: /isNaN|NaN/,
      confirm: ({ code }) => !/\bexpect\(/.test(code),
    }),
  },
  {
    id: 'debug-mode-on',
    area: 'authentication',
    severity: 'medium',
    personas: ['maya'],
    title: 'Debug mode is switched on in the code.',
    explanation: 'It shows code, settings and often a console to anybody who causes an error.',
    advice: 'read it from the environment, off by default',
    examples: {
      yes: [
        inFile('app/main.py', '+app.run(host="0.0.0.0", debug=True)'),
        inFile('site/settings.py', '+DEBUG = True'),
      ],
      no: [
        inFile('app/main.py', '+app.run(debug=settings.debug)'),
        inFile('site/settings/dev.py', '+DEBUG = True'),
        inFile('app/a.py', '+DEBUG = True'),
      ],
    },
    find: lines(
      {
        in: ['python'],
        pattern: /\bapp\.run\(.*\bdebug\s*=\s*True\b/,
        notPath: /(?:^|\/)(?:examples?|dev|local)/,
      },
      {
        in: ['python'],
        pattern: /^DEBUG\s*=\s*True\b/,
        onlyPath: /(?:^|\/)settings(?:\/(?:base|production|prod|__init__))?\.py$/,
        suggest: ({ text }) => text.replace('True', 'False'),
      },
    ),
  },
  {
    id: 'listener-without-cleanup',
    area: 'correctness',
    severity: 'medium',
    personas: ['dev', 'priya'],
    title: 'An effect starts something that it never stops.',
    explanation: 'Each time the component is shown one more listener or timer is left behind.',
    advice: 'return a function from the effect that takes it away again',
    examples: {
      yes: [
        inFile(
          'src/a.tsx',
          "+useEffect(() => {\n+  window.addEventListener('resize', update);\n+}, []);",
        ),
      ],
      no: [
        inFile(
          'src/a.tsx',
          "+useEffect(() => {\n+  window.addEventListener('resize', update);\n+  return () => window.removeEventListener('resize', update);\n+}, []);",
        ),
      ],
    },
    find: lines({
      in: ['script'],
      pattern: /^\s*(?:React\.)?useEffect\(\s*\(\)\s*=>\s*\{\s*$/,
      confirm: ({ line }, file) => {
        const body = effectBody(file, line);
        return (
          body !== undefined &&
          /\baddEventListener\(|\bsetInterval\(|\.subscribe\(/.test(body) &&
          !/\breturn\b|\bsignal\b|once:\s*true/.test(body)
        );
      },
    }),
  },
];

/** The body of an effect up to the line that closes it; undefined when that is not shown. */
function effectBody(file: ChangedFile, line: number): string | undefined {
  const indent = (file.lines.get(line)?.text ?? '').search(/\S/);
  for (let at = line + 1; at < line + 60; at += 1) {
    const code = file.lines.get(at)?.code;
    if (code === undefined) return undefined;
    if (code.search(/\S/) <= indent && /^\s*\}/.test(code))
      return around(file, line, { after: at - line });
  }
  return undefined;
}
