/** What language a changed file is written in, by its path: which rules look at it, and how its lines are lexed. */
import { nameOf } from '../../../domain/repository/paths.ts';

export type Language =
  | 'script'
  | 'python'
  | 'go'
  | 'sql'
  | 'workflow'
  | 'yaml'
  | 'docker'
  | 'shell'
  | 'markup'
  | 'style'
  | 'markdown'
  | 'json'
  | 'code'
  | 'other';

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/;
const DOCKER = /^(?:Dockerfile|Containerfile)(?:\..+)?$|\.(?:dockerfile|Dockerfile)$/;

const BY_ENDING: Readonly<Record<string, Language>> = {
  ...spread('script', 'js jsx ts tsx mjs cjs mts cts'),
  ...spread('python', 'py pyi'),
  ...spread('go', 'go'),
  ...spread('sql', 'sql'),
  ...spread('yaml', 'yml yaml'),
  ...spread('shell', 'sh bash zsh'),
  ...spread('markup', 'html htm vue svelte'),
  ...spread('style', 'css scss less'),
  ...spread('markdown', 'md mdx markdown'),
  ...spread('json', 'json jsonc json5'),
  ...spread('code', 'java kt kts rs c cc cpp h hpp cs swift php scala dart rb ex exs lua'),
};

function spread(language: Language, endings: string): Record<string, Language> {
  return Object.fromEntries(endings.split(' ').map((ending) => [ending, language]));
}

export function languageOf(path: string): Language {
  if (WORKFLOW.test(path)) return 'workflow';
  const name = nameOf(path);
  if (DOCKER.test(name)) return 'docker';
  return BY_ENDING[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'other';
}

/** Languages that hold a program. */
export const PROGRAMS: readonly Language[] = ['script', 'python', 'go', 'code', 'shell', 'markup'];
