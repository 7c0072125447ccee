/** Rules about TypeScript and JavaScript in which text becomes code, a command or a page. */
import { around, lines } from '../line-rule.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule } from '../change-rule.ts';

export const SCRIPT_INJECTION_RULES: readonly ReviewRule[] = [
  {
    id: 'js-eval',
    area: 'injection',
    severity: 'high',
    personas: ['maya', 'dev'],
    title: 'Text is run as code.',
    explanation: 'Anybody who can influence the text can run code with the rights of the program.',
    advice: 'parse the text, or choose among known functions by name',
    examples: {
      yes: [
        inFile('src/a.ts', '+const value = eval(body);'),
        inFile('src/a.ts', "+const run = new Function('x', body);"),
        inFile('src/a.ts', '+setTimeout(`tick(${id})`, 10);'),
      ],
      no: [
        inFile('src/a.ts', "+logger.warn('never use eval(body)'); // eval(body)"),
        inFile('src/a.ts', '+await redis.eval(script, 1, key);'),
        inFile('src/a.ts', '+setTimeout(tick, 10); evaluate(x); retrieval(x);'),
      ],
    },
    find: lines({
      in: ['script'],
      pattern:
        /(?<![\w$.])(?:eval\(\s*[^)\s]|(?:globalThis|window)\.eval\(|new Function\(|set(?:Timeout|Interval)\(\s*["'`])/,
      unless: /\b(?:function|async|def)\s+eval\(|^\s*eval\([^)]*\)\s*(?::[^;]*)?\{/,
    }),
  },
  {
    id: 'js-shell-command',
    area: 'injection',
    severity: 'high',
    personas: ['maya', 'dev'],
    title: 'A shell command is put together from values.',
    explanation: 'A value with `;`, `$(…)` or a space in it becomes a command of its own.',
    advice: 'call `execFile` or `spawn` with a list of arguments and without `shell: true`',
    examples: {
      yes: [
        inFile('src/a.ts', '+execSync(`git log ${branch}`);'),
        inFile('src/a.ts', "+child_process.exec('rm -r ' + path);"),
        inFile('src/a.ts', '+spawn(command, { shell: true });'),
      ],
      no: [
        inFile('src/a.ts', "+execFile('git', ['log', branch]);"),
        inFile('src/a.ts', "+execSync('git status');"),
        inFile('src/a.ts', '+const match = pattern.exec(`a ${b}`);'),
      ],
    },
    find: lines(
      {
        in: ['script'],
        pattern:
          /(?:(?<![\w$.])|\bchild_process\.|\bcp\.)exec(?:Sync)?\(\s*(?:`[^`]*\$\{|["'][^"']*["']\s*\+|\w+\s*\+\s*["'`])/,
      },
      {
        in: ['script'],
        pattern:
          /(?<![\w$.])(?:spawn|spawnSync|execFile|execFileSync)\(\s*(?:`[^`]*\$\{|[a-z]\w*\s*[,+]).*\bshell:\s*true\b/,
      },
    ),
  },
  {
    id: 'js-unescaped-html',
    area: 'injection',
    severity: 'medium',
    personas: ['maya'],
    title: 'A value is put into the page as HTML.',
    explanation: 'Markup in the value runs as script in the reader’s session.',
    advice: 'set `textContent`, render it as text, or clean it with a sanitiser',
    examples: {
      yes: [
        inFile('src/a.ts', '+node.innerHTML = `<b>${name}</b>`;'),
        inFile('src/a.tsx', '+<div dangerouslySetInnerHTML={{ __html: body }} />'),
        inFile('src/a.vue', '+<p v-html="comment"></p>'),
      ],
      no: [
        inFile('src/a.ts', "+node.innerHTML = '';"),
        inFile('src/a.ts', '+node.textContent = name;'),
        inFile('src/a.tsx', '+<div dangerouslySetInnerHTML={{ __html: sanitize(body) }} />'),
      ],
    },
    find: lines(
      {
        in: ['script', 'markup'],
        pattern:
          /\.(?:inner|outer)HTML\s*\+?=(?!=)\s*(?:`[^`]*\$\{|["'][^"']*["']\s*\+|(?!["'`])\S)|\.insertAdjacentHTML\(\s*["'][^"']*["'],\s*(?:`[^`]*\$\{|(?!["'`])\S)|\bdocument\.write(?:ln)?\(\s*(?:`[^`]*\$\{|(?!["'`])\S)/,
        unless: /saniti[sz]e|escape|purify/i,
      },
      {
        in: ['script', 'markup'],
        pattern: /dangerouslySetInnerHTML=\{\{?\s*(?:__html:\s*(?!["'`])\S)?|\bv-html=|\{@html\s/,
        unless: /saniti[sz]e|escape|purify|JSON\.stringify/i,
      },
    ),
  },
  {
    id: 'message-origin-unchecked',
    area: 'injection',
    severity: 'medium',
    personas: ['maya'],
    title: 'A message from another window is taken without a look at its origin.',
    explanation: 'Any page that opened or framed this one can send such messages.',
    advice: 'return unless `event.origin` is the one you expect',
    examples: {
      yes: [
        inFile(
          'src/a.ts',
          "+window.addEventListener('message', (event) => {\n+  apply(event.data);\n+});",
        ),
      ],
      no: [
        inFile(
          'src/a.ts',
          "+window.addEventListener('message', (event) => {\n+  if (event.origin !== HOME) return;\n+  apply(event.data);\n+});",
        ),
      ],
    },
    find: lines({
      in: ['script'],
      view: 'live',
      pattern: /\bwindow\.addEventListener\(\s*["']message["']\s*,\s*(?:async\s*)?(?:\(|function)/,
      confirm: ({ line }, file) => {
        const body = around(file, line, { after: 8 });
        return /\.data\b/.test(body) && !/\borigin\b|\bsource\b/.test(body);
      },
    }),
  },
];
