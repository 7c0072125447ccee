/** Rules about failures that nobody hears of. */
import { around, lines } from '../line-rule.ts';
import type { ChangedFile } from '../read-change.ts';
import { inFile, type ReviewRule } from '../change-rule.ts';
import { askTree } from '../script-rule.ts';
import { emptyBlockEnd, isEmptyCatch, passesSilently } from '../syntax/error-handlers.ts';

export const ERROR_RULES: readonly ReviewRule[] = [
  {
    id: 'empty-catch',
    area: 'error handling',
    severity: 'medium',
    personas: ['dev', 'priya'],
    title: 'An error is caught and silently dropped.',
    explanation:
      'When this fails nobody learns of it, and what comes later works on a state that it does not expect.',
    advice: 'act on the error, pass it on, or say in a comment why it may be ignored',
    examples: {
      yes: [
        inFile('src/a.ts', '+try {\n+  save();\n+} catch {}'),
        inFile('src/a.ts', '+try {\n+  save();\n+} catch (error) {\n+}'),
        inFile('src/a.ts', '+await save().catch(() => {});'),
      ],
      no: [
        inFile('src/a.ts', '+try {\n+  save();\n+} catch {\n+  // The cache is only a hint.\n+}'),
        inFile('src/a.ts', '+try {\n+  save();\n+} catch (error) {\n+  report(error);\n+}'),
        inFile('src/a.ts', "+const text = 'catch {}';"),
      ],
    },
    find: askTree(
      ({ emptyCatches }, { isTest }) => (isTest ? [] : emptyCatches),
      lines(
        {
          in: ['script', 'code'],
          pattern: /\bcatch\s*(?:\([^)]*\))?\s*\{\s*(?:\}|$)/,
          confirm: isEmptyCatch,
        },
        {
          in: ['script'],
          pattern:
            /\.catch\(\s*(?:\(\w*\)|\w+)\s*=>\s*\{\s*\}\s*\)|\.catch\(\s*function\s*\(\w*\)\s*\{\s*\}\s*\)/,
          unless: /\/\/|\/\*/,
          confirm: ({ line }, file) => (file.lines.get(line - 1)?.comment.trim() ?? '') === '',
        },
      ),
    ),
  },
  {
    id: 'py-broad-except',
    area: 'error handling',
    severity: 'medium',
    personas: ['dev', 'priya'],
    title: 'Every error is caught and dropped.',
    explanation:
      'A bare `except` also takes interrupts and exits; with `pass` under it nobody learns what failed.',
    advice: 'name the error that may be ignored, or log it',
    examples: {
      yes: [
        inFile('app/a.py', '+try:\n+    save()\n+except:\n+    report()'),
        inFile('app/a.py', '+try:\n+    save()\n+except Exception:\n+    pass'),
      ],
      no: [
        inFile('app/a.py', '+try:\n+    save()\n+except FileNotFoundError:\n+    pass'),
        inFile('app/a.py', '+try:\n+    save()\n+except Exception:\n+    pass  # a hint only'),
        inFile('app/a.py', '+try:\n+    save()\n+except:\n+    undo()\n+    raise'),
      ],
    },
    find: lines(
      {
        in: ['python'],
        pattern: /^\s*except\s*:/,
        confirm: ({ line }, file) => !/^\s*raise\b/m.test(around(file, line, { after: 4 })),
      },
      {
        in: ['python'],
        pattern: /^\s*except\s+(?:\(?\s*(?:Base)?Exception\b.*):\s*$/,
        confirm: passesSilently,
      },
    ),
  },
  {
    id: 'go-error-dropped',
    area: 'error handling',
    severity: 'medium',
    personas: ['dev', 'priya'],
    title: 'The error of a call is thrown away.',
    explanation: 'When it fails, what follows works on an empty value and nobody learns why.',
    advice: 'return or log the error',
    examples: {
      yes: [
        inFile('a.go', '+\tcount, _ := strconv.Atoi(text)'),
        inFile('a.go', '+\tif err != nil {\n+\t}'),
      ],
      no: [
        inFile('a.go', '+\tcount, err := strconv.Atoi(text)'),
        inFile('a.go', '+\tvalue, _ := cache[key]'),
        inFile('a_test.go', '+\tcount, _ := strconv.Atoi(text)'),
      ],
    },
    find: lines(
      {
        in: ['go'],
        pattern:
          /(?:^|\s)\w+,\s*_\s*:?=\s*(?:strconv\.(?:Atoi|Parse\w+)|json\.Marshal\w*|io\.ReadAll|os\.(?:Open|ReadFile|Create|Stat|ReadDir)|http\.(?:Get|Post|NewRequest\w*)|url\.Parse|time\.Parse|base64\.\w+\.DecodeString|hex\.DecodeString)\(/,
      },
      {
        in: ['go'],
        pattern:
          /(?:^|\s)_\s*=\s*(?:json\.Unmarshal|\w+\.Decode|os\.(?:Remove\w*|Rename|WriteFile|Mkdir\w*)|\w+\.(?:Commit|Save|Exec))\(/,
      },
      {
        in: ['go'],
        pattern: /\bif\s+err\s*!=\s*nil\s*\{\s*(?:\}|$)/,
        confirm: (line, file) =>
          /\{\s*\}/.test(line.code) || emptyBlockEnd(file, line.line) !== undefined,
      },
    ),
  },
  {
    id: 'async-callback-not-awaited',
    area: 'error handling',
    severity: 'high',
    personas: ['dev', 'priya'],
    title: '`forEach` does not wait for an async function.',
    explanation:
      'The code goes on before the work is done, and an error in it ends the process or is never seen.',
    advice: 'use `for (const … of …)` with `await`, or `await Promise.all(list.map(…))`',
    examples: {
      yes: [inFile('src/a.ts', '+items.forEach(async (item) => {\n+  await save(item);\n+});')],
      no: [
        inFile('src/a.ts', '+await Promise.all(items.map(async (item) => save(item)));'),
        inFile('src/a.ts', '+items.forEach((item) => queue.push(item));'),
      ],
    },
    find: lines({ in: ['script'], tests: 'both', pattern: /\.forEach\(\s*async\b/ }),
  },
  {
    id: 'async-promise-executor',
    area: 'error handling',
    severity: 'medium',
    personas: ['dev'],
    title: 'A promise is made with an async function.',
    explanation:
      'When that function throws, the promise never settles, and code that awaits it waits forever.',
    advice: 'call the async function itself; it returns a promise already',
    examples: {
      yes: [
        inFile(
          'src/a.ts',
          '+return new Promise(async (resolve) => {\n+  resolve(await load());\n+});',
        ),
      ],
      no: [inFile('src/a.ts', '+return new Promise((resolve) => setImmediate(resolve));')],
    },
    find: lines({
      in: ['script'],
      tests: 'both',
      pattern: /\bnew Promise(?:<[^>]*>)?\(\s*async\b/,
    }),
  },
  {
    id: 'throw-without-error',
    area: 'error handling',
    severity: 'low',
    personas: ['dev'],
    title: 'Something other than an error is thrown.',
    explanation:
      'A thrown string has no stack, and code that reads `.message` of what it caught finds nothing.',
    advice: 'throw an `Error`',
    examples: {
      yes: [inFile('src/a.ts', "+throw 'not found';")],
      no: [
        inFile('src/a.ts', "+throw new Error('not found');"),
        inFile('src/a.ts', '+throw error;'),
      ],
    },
    find: lines({
      in: ['script'],
      pattern: /^(.*\bthrow\s+)((["'`]).*\3)\s*(;?)\s*$/,
      view: 'live',
      suggest: ({ text }) => {
        const parts = /^(.*\bthrow\s+)(["'`].*["'`])\s*(;?)\s*$/.exec(text);
        return parts === null ? undefined : `${parts[1]}new Error(${parts[2]})${parts[3]}`;
      },
    }),
  },
  {
    id: 'error-cause-lost',
    area: 'error handling',
    severity: 'low',
    personas: ['dev'],
    title: 'A caught error is replaced by one that does not say what happened.',
    explanation:
      'The new error has neither the message nor the stack of the first, which is what one looks for.',
    advice: 'pass the first one on: `new Error(message, { cause: error })`',
    examples: {
      yes: [
        inFile(
          'src/a.ts',
          "+try {\n+  load();\n+} catch (error) {\n+  throw new Error('cannot load');\n+}",
        ),
      ],
      no: [
        inFile(
          'src/a.ts',
          "+try {\n+  load();\n+} catch (error) {\n+  throw new Error('cannot load', { cause: error });\n+}",
        ),
        inFile(
          'src/a.ts',
          '+try {\n+  load();\n+} catch (error) {\n+  throw new Error(`cannot load: ${error.message}`);\n+}',
        ),
      ],
    },
    find: lines({
      in: ['script'],
      pattern: /^\s*throw new \w*Error\(\s*(["'`])\s*\1\s*\);?\s*$/,
      confirm: ({ line }, file) =>
        /\bcatch\s*\(\s*\w+(?:\s*:\s*\w+)?\s*\)\s*\{\s*$/.test(
          file.lines.get(line - 1)?.code ?? '',
        ),
    }),
  },
  {
    id: 'request-without-timeout',
    area: 'error handling',
    severity: 'medium',
    personas: ['dev', 'priya'],
    title: 'A request has no time limit.',
    explanation:
      '`requests` waits for ever by default; one server that hangs then hangs everything that waits for it.',
    advice: 'give `timeout=` in seconds',
    examples: {
      yes: [inFile('app/a.py', '+answer = requests.get(url)')],
      no: [
        inFile('app/a.py', '+answer = requests.get(url, timeout=10)'),
        inFile('app/a.py', '+answer = requests.post(\n+    url,\n+    timeout=10,\n+)'),
        inFile('app/a.py', '+answer = requests.get(url, **options)'),
      ],
    },
    find: lines({
      in: ['python'],
      pattern: /(?<![\w.])requests\.(?:get|post|put|patch|delete|head|request)\(/,
      confirm: ({ line }, file) => {
        const call = callText(file, line);
        return call !== undefined && !/\btimeout\s*=|\*\*/.test(call);
      },
      suggest: ({ text }) =>
        /\brequests\.(?:get|post|put|patch|delete|head)\([^()]+\)\s*$/.test(text)
          ? text.replace(/\)\s*$/, ', timeout=10)')
          : undefined,
    }),
  },
];

/** The code of a call from its first line to the bracket that closes it; undefined when that is not shown. */
function callText(file: ChangedFile, line: number): string | undefined {
  const found: string[] = [];
  let depth = 0;
  for (let at = line; at < line + 30; at += 1) {
    const code = file.lines.get(at)?.code;
    if (code === undefined) return undefined;
    found.push(code);
    for (const character of code) {
      if (character === '(') depth += 1;
      if (character === ')') depth -= 1;
    }
    if (depth <= 0) return found.join('\n');
  }
  return undefined;
}
