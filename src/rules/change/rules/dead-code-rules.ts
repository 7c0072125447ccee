/** Rules about code that does nothing: in comments, or where nothing leads. */
import { escapePattern } from '../../../domain/text/pattern.ts';
import { around, lines } from '../line-rule.ts';
import type { ReadLine } from '../syntax/lex.ts';
import type { ChangedFile } from '../read-change.ts';
import { inFile } from '../change-rule.ts';
import { wholeText } from '../syntax/workflow-file.ts';
import type { ReviewRule, Sighting } from '../change-rule.ts';
import type { ScriptFacts } from '../syntax/script-facts.ts';
import { askTree } from '../script-rule.ts';

const CODE_COMMENT =
  /(?:[;{}]|\)\s*=>.*|^\s*(?:return|if|for|while|const|let|var|import|await|else|def|print|elif|func|export)\b.*[({=:;].*|^\s*[\w.$[\]]+\s*(?:=|\+=)\s*[^=].*|^\s*[\w.$]+\(.*\))\s*[;,]?$/;
const PROSE =
  /^[A-Z][^;{}()]*[.:]?$|\b(?:the|this|that|when|because|so that|which|must|should|e\.g\.|i\.e\.)\b/i;
const MIN_DEAD_COMMENT = 3;

/** The text of a line comment, when the line holds nothing else. */
function commentedText({ code, comment }: ReadLine): string | undefined {
  if (code.trim() !== '') return undefined;
  return /^\s*(?:\/\/(?!\/)|#(?!!))\s?(.*)$/.exec(comment)?.[1];
}

/** Runs of comment lines that read as code. */
function deadComments(file: ChangedFile): Sighting[] {
  const found: Sighting[] = [];
  let run: ReadLine[] = [];
  const close = (): void => {
    const texts = run.map((line) => commentedText(line) ?? '').filter((text) => text.trim() !== '');
    const code = texts.filter((text) => CODE_COMMENT.test(text) && !PROSE.test(text));
    const [first, last] = [run[0], run.at(-1)];
    if (
      first !== undefined &&
      last !== undefined &&
      code.length >= MIN_DEAD_COMMENT &&
      code.length / texts.length >= 0.75
    )
      found.push({
        file,
        line: first.line,
        endLine: last.line,
        suggestion: '',
        evidence: `${run.length} lines of code in comments`,
      });
    run = [];
  };
  for (const line of file.added) {
    const last = run.at(-1);
    if (last !== undefined && line.line !== last.line + 1) close();
    if (commentedText(line) === undefined) close();
    else run.push(line);
  }
  close();
  return found;
}

const SCRIPT_IMPORT =
  /^\s*import\s+(?:type\s+)?(?:([\w$]+)|\{\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*\}|\*\s+as\s+([\w$]+))\s+from\s+["'][^"']+["'];?\s*$/;
const PYTHON_IMPORT =
  /^\s*(?:import\s+([\w]+)(?:\s+as\s+(\w+))?|from\s+(?!__future__)[\w.]+\s+import\s+(\w+)(?:\s+as\s+(\w+))?)\s*$/;

/** The one name that an import line brings, for lines that bring one. */
function importedName({ live, text }: ReadLine, language: string): string | undefined {
  const match = (language === 'python' ? PYTHON_IMPORT : SCRIPT_IMPORT).exec(live);
  if (match === null || /noqa|eslint-disable|@jsx/.test(text)) return undefined;
  return match[4] ?? match[3] ?? match[2] ?? match[1];
}

/** Characters of a line that a suggestion may rewrite; a longer one gets none. */
const MAX_IMPORT = 1_000;

/** Removes the whole line, or the one name where that can be done in the line. */
function toUnused(
  { name, line, endLine, isOnly }: ScriptFacts['unusedImports'][number],
  file: ChangedFile,
): Omit<Sighting, 'file'> {
  const text = (file.lines.get(line)?.text ?? '').slice(0, MAX_IMPORT);
  const without = text
    .replace(new RegExp(`(?<=[{,]\\s*)(?:type\\s+)?${escapePattern(name)}\\s*,\\s*`), '')
    .replace(new RegExp(`\\s*,\\s*(?:type\\s+)?${escapePattern(name)}(?=\\s*\\})`), '');
  const isShort =
    isOnly ||
    (text.length < MAX_IMPORT && without !== text && text.includes('{') && line === endLine);
  return {
    line,
    title: `\`${name}\` is imported and not used.`,
    code: `import ${name}`,
    ...(isShort ? { suggestion: isOnly ? '' : without } : {}),
  };
}

function unusedImports(file: ChangedFile): Sighting[] {
  if (wholeText(file) === undefined || /(?:^|\/)__init__\.py$|\.d\.ts$/.test(file.path)) return [];
  const all = [...file.lines.values()];
  if (all.some(({ text }) => /\b__all__\b|@jsx\b/.test(text))) return [];
  return file.added.flatMap((line): Sighting[] => {
    const name = importedName(line, file.language);
    if (name === undefined || name === 'React') return [];
    const word = new RegExp(`(?<![\\w$])${escapePattern(name)}(?![\\w$])`);
    // Strings and comments count as a use: annotations in quotes and JSDoc types are some.
    const isUsed = all.some((other) => other.line !== line.line && word.test(other.text));
    return isUsed
      ? []
      : [{ file, line: line.line, title: `\`${name}\` is imported and not used.`, suggestion: '' }];
  });
}

export const DEAD_CODE_RULES: readonly ReviewRule[] = [
  {
    id: 'commented-out-code',
    area: 'dead code',
    severity: 'low',
    personas: ['dev', 'carlos'],
    title: 'Code is left in comments.',
    explanation:
      'Nobody knows whether it is still needed, no test keeps it correct, and the history has it anyway.',
    advice: 'delete it',
    examples: {
      yes: [
        inFile(
          'src/a.ts',
          '+// const old = load(path);\n+// if (old === undefined) return;\n+// save(old);',
        ),
      ],
      no: [
        inFile(
          'src/a.ts',
          '+// Loads the file when there is one (see load).\n+// If it is missing, nothing happens;\n+// that is meant.',
        ),
        inFile('app/a.py', '+# Steps:\n+#   1. load\n+#   2. save'),
      ],
    },
    find: ({ files }) =>
      files
        .filter(
          ({ language, isTest }) =>
            ['script', 'python', 'go', 'code'].includes(language) && !isTest,
        )
        .flatMap(deadComments),
  },
  {
    id: 'unreachable-code',
    area: 'dead code',
    severity: 'medium',
    personas: ['dev', 'priya'],
    title: 'This code is never reached.',
    explanation: 'The line above it always leaves; either this or that is not what was meant.',
    advice: 'remove it, or move it before the line that leaves',
    examples: {
      yes: [
        inFile('src/a.ts', '+  return value;\n+  save(value);'),
        inFile('app/a.py', '+    raise ValueError("x")\n+    save(value)'),
      ],
      no: [
        inFile('src/a.ts', '+  if (x) return value;\n+  save(value);'),
        inFile('src/a.ts', '+    return value;\n+  }\n+  save(value);'),
        inFile('src/a.ts', '+    case 1:\n+      return a;\n+    case 2:\n+      return b;'),
        inFile('src/a.ts', '+  return {\n+  a,\n+  };'),
        inFile('src/a.ts', '+  return value\n+  .trim();'),
        inFile('src/a.ts', '+  return inner;\n+  function inner() {}'),
        inFile('src/a.ts', '+  if (a && b)\n+  return value;\n+  save(value);'),
      ],
    },
    find: askTree(
      ({ unreachable }, { isTest }) => (isTest ? [] : unreachable),
      lines({
        in: ['script', 'python', 'go'],
        pattern:
          /^(\s+)(?![})\]]|case\b|default\b|function\b|async function\b|class\b|type\b|interface\b|else\b|elif\b|except\b|finally\b|catch\b|def\b|@|\.|[?:|&+\-*/]|\w+:\s*$|yield\s*$|break\b)\S/,
        confirm: (line, file) => isAfterLeaving(line, file),
      }),
    ),
  },
  {
    id: 'unused-import',
    area: 'dead code',
    severity: 'low',
    personas: ['dev'],
    title: 'An import is not used.',
    explanation: 'It loads code for nothing and makes readers look for a use that is not there.',
    advice: 'remove the line',
    examples: {
      yes: [
        inFile('src/b.ts', "+import { x } from './a.ts';\n+run();"),
        inFile('src/b.ts', "+import { x, y } from './a.ts';\n+run(y);"),
        inFile('app/a.py', '+import os\n+run()'),
      ],
      no: [
        inFile('src/b.ts', "+import { x } from './a.ts';\n+run(x);"),
        inFile('app/a.py', '+import os\n+run(os.name)'),
        inFile('app/__init__.py', '+from app.a import run'),
        inFile('src/b.ts', "+import './a.ts';"),
      ],
    },
    find: askTree(
      (facts, file) => facts.unusedImports.map((unused) => toUnused(unused, file)),
      ({ files }) =>
        files
          .filter(({ language }) => language === 'script' || language === 'python')
          .flatMap(unusedImports),
    ),
  },
];

/** Whether the line above, at the same depth, always leaves and is a whole statement of its own. */
function isAfterLeaving({ line, code }: ReadLine, file: ChangedFile): boolean {
  const above = file.lines.get(line - 1);
  if (above === undefined || above.code.search(/\S/) !== code.search(/\S/)) return false;
  const isScript = file.language === 'script';
  const leaves = isScript
    ? /^\s*(?:return\b.*|throw\s.+|continue|break);\s*$/.test(above.code)
    : file.language === 'python'
      ? /^\s*(?:return\b[^([{\\]*|raise\s[^([{\\]*(?:\([^()]*\))?|continue|break)\s*$/.test(
          above.code,
        )
      : /^\s*(?:return\b[^({[]*|continue|break|panic\([^()]*\))\s*$/.test(above.code);
  if (!leaves || !isBalanced(above.code)) return false;
  // The statement may be the body of a condition without braces, or go on over lines.
  const before = around(file, line - 2, {}).trimEnd();
  return before === '' || /[;{}:]$/.test(before) || (!isScript && /[)\]\w"']$/.test(before));
}

function isBalanced(code: string): boolean {
  const opens = (code.match(/[([{]/g) ?? []).length;
  return opens === (code.match(/[)\]}]/g) ?? []).length;
}
