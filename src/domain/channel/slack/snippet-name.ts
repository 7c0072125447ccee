/** What a block of code is called as a file. */

const ENDINGS: Readonly<Record<string, string>> = {
  bash: 'sh',
  c: 'c',
  cpp: 'cpp',
  csharp: 'cs',
  css: 'css',
  diff: 'diff',
  go: 'go',
  html: 'html',
  java: 'java',
  javascript: 'js',
  js: 'js',
  json: 'json',
  jsx: 'jsx',
  kotlin: 'kt',
  markdown: 'md',
  md: 'md',
  patch: 'patch',
  php: 'php',
  py: 'py',
  python: 'py',
  rb: 'rb',
  ruby: 'rb',
  rs: 'rs',
  rust: 'rs',
  scala: 'scala',
  sh: 'sh',
  shell: 'sh',
  sql: 'sql',
  swift: 'swift',
  toml: 'toml',
  ts: 'ts',
  tsx: 'tsx',
  typescript: 'ts',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yml',
};

/** The name that the block gives itself, or one by its language. */
export function snippetName(code: { name?: string; language: string }, place: number): string {
  if (code.name !== undefined) return code.name;
  const ending = Object.hasOwn(ENDINGS, code.language) ? ENDINGS[code.language] : undefined;
  return `snippet-${place}.${ending ?? 'txt'}`;
}
