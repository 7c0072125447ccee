/** Rules about Python in which text becomes code, a command, an object or a page. */
import { lines } from '../line-rule.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule } from '../change-rule.ts';

export const PYTHON_INJECTION_RULES: readonly ReviewRule[] = [
  {
    id: 'py-eval',
    area: 'injection',
    severity: 'high',
    personas: ['maya', 'dev'],
    title: 'Text is run as code.',
    explanation: 'Anybody who can influence the text can run code with the rights of the program.',
    advice: 'use `ast.literal_eval` for values, or choose among known functions by name',
    examples: {
      yes: [inFile('app/a.py', '+value = eval(expression)')],
      no: [
        inFile('app/a.py', '+value = ast.literal_eval(expression)'),
        inFile('app/a.py', '+model.eval()\n+frame.eval("a + b")'),
        inFile('app/a.py', '+"""Never eval(x)."""'),
      ],
    },
    find: lines({
      in: ['python'],
      pattern: /(?<![\w.])(?:eval|exec)\(\s*(?!["'][^"']*["']\s*[,)])[^)\s]/,
      unless: /^\s*def\s/,
    }),
  },
  {
    id: 'py-shell-command',
    area: 'injection',
    severity: 'high',
    personas: ['maya', 'dev'],
    title: 'A shell command is put together from values.',
    explanation: 'A value with `;`, `$(…)` or a space in it becomes a command of its own.',
    advice: 'give `subprocess.run` a list of arguments and leave `shell` off',
    examples: {
      yes: [
        inFile('app/a.py', '+subprocess.run(f"tar xf {name}", shell=True)'),
        inFile('app/a.py', '+os.system("rm " + path)'),
      ],
      no: [
        inFile('app/a.py', '+subprocess.run(["tar", "xf", name])'),
        inFile('app/a.py', '+subprocess.run("make all", shell=True)'),
      ],
    },
    find: lines(
      {
        in: ['python'],
        pattern:
          /\bsubprocess\.(?:run|call|check_call|check_output|Popen)\((?!\s*["'][^"']*["']\s*,).*\bshell\s*=\s*True/,
      },
      {
        in: ['python'],
        pattern:
          /\bos\.(?:system|popen)\(\s*(?:f["']|["'][^"']*["']\s*[+%]|["'][^"']*["']\.format|[a-z_]\w*\s*[+)])/,
      },
    ),
  },
  {
    id: 'py-unsafe-load',
    area: 'injection',
    severity: 'high',
    personas: ['maya'],
    title: 'Data is loaded in a way that can run code.',
    explanation: 'Pickles and full YAML may name any function to call while they are read.',
    advice: 'use `yaml.safe_load`, or JSON for data that others may write',
    examples: {
      yes: [
        inFile('app/a.py', '+config = yaml.load(text)'),
        inFile('app/a.py', '+state = pickle.loads(request.data)'),
      ],
      no: [
        inFile('app/a.py', '+config = yaml.safe_load(text)'),
        inFile('app/a.py', '+config = yaml.load(text, Loader=yaml.SafeLoader)'),
      ],
    },
    find: lines(
      {
        in: ['python'],
        pattern: /\byaml\.(?:load|load_all)\((?!.*(?:Safe|Base)Loader)[^)]*\)/,
        suggest: ({ text }) =>
          /\byaml\.load\(\s*[\w.]+\s*\)/.test(text)
            ? text.replace('yaml.load(', 'yaml.safe_load(')
            : undefined,
      },
      { in: ['python'], pattern: /\b(?:c?[pP]ickle|dill|marshal|shelve)\.(?:loads|load|open)\(/ },
    ),
  },
  {
    id: 'py-template-unescaped',
    area: 'injection',
    severity: 'medium',
    personas: ['maya'],
    title: 'A template puts values into the page without escaping them.',
    explanation: 'Markup in a value runs as script in the reader’s session.',
    advice: 'leave `autoescape` on, and mark only text that your code made as safe',
    examples: {
      yes: [
        inFile('app/a.py', '+env = jinja2.Environment(loader=loader, autoescape=False)'),
        inFile('app/a.py', '+return mark_safe(comment.body)'),
      ],
      no: [
        inFile('app/a.py', '+env = jinja2.Environment(loader=loader, autoescape=True)'),
        inFile('app/a.py', '+return mark_safe("<br>")'),
      ],
    },
    find: lines(
      { in: ['python'], pattern: /\bautoescape\s*=\s*False\b/ },
      {
        in: ['python'],
        pattern: /\b(?:mark_safe|Markup)\(\s*(?:f["']|[a-z_][\w.]*\s*[,)+%])/,
        unless: /escape|clean|saniti[sz]e|bleach/i,
      },
    ),
  },
];
