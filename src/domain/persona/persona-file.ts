/** Parses one persona file: Markdown with YAML front matter becomes a Persona, or problems that say where and what. */
import type { ErrorCode } from '../event/error-codes.ts';
import { nearest } from '../text/nearest.ts';
import { Handle, PersonaFrontMatter } from './persona.ts';
import type { Persona } from './persona.ts';
import { parseSections } from './persona-sections.ts';
import { schemaProblems } from '../config/schema-problems.ts';
import { fileProblem, readYaml } from '../config/yaml.ts';
import type { FileProblem } from '../config/yaml.ts';

/** What a person wrote, as text; bytes that are not UTF-8 never get here. */
export interface TextFile {
  /** Path as people know it, for messages. */
  file: string;
  text: string;
}

export type PersonaFile =
  | { kind: 'persona'; file: string; persona: Persona; warnings: FileProblem[] }
  /** Only a handle and `active: false`: takes a persona of a lower layer out of the team. */
  | { kind: 'removal'; file: string; handle: string }
  | { kind: 'invalid'; file: string; problems: FileProblem[] };

/** A whole soul fits well below this; more would crowd out the matter in every prompt. */
export const MAX_PERSONA_BYTES = 64 * 1024;

const OPENING = /^---[ \t]*$/;

/**
 * Parses a persona file. Never throws. CRLF and a byte order mark are fine.
 *
 * @example
 * ```ts
 * import { parsePersonaFile } from 'quorum';
 *
 * const parsed = parsePersonaFile({ file: 'rita.md', text: 'no front matter' });
 * if (parsed.kind === 'invalid') console.log(parsed.problems.length); // 1
 * ```
 */
export function parsePersonaFile(source: TextFile): PersonaFile {
  const { file } = source;
  const invalid = (problems: FileProblem[]): PersonaFile => ({ kind: 'invalid', file, problems });
  const split = splitFrontMatter(source);
  if (!split.ok) return invalid([split.problem]);
  const yaml = readYaml({ file, text: split.front, firstLine: 2 });
  if (!yaml.ok) return invalid(yaml.problems);
  const removal = toRemoval(yaml.reading.value);
  if (removal !== undefined && split.body.trim() === '')
    return { kind: 'removal', file, handle: removal };
  const front = PersonaFrontMatter.safeParse(yaml.reading.value);
  const { sections, problems } = parseSections({
    file,
    body: split.body,
    firstLine: split.bodyLine,
  });
  if (!front.success) {
    const context = { file, reading: yaml.reading, schema: PersonaFrontMatter };
    return invalid([...schemaProblems(context, front.error.issues), ...problems]);
  }
  const persona: Persona = { ...front.data, ...sections };
  const all = [...problems, ...missingSections(persona, file, split.bodyLine)];
  if (all.some((problem) => problem.severity === 'error')) return invalid(all);
  return { kind: 'persona', file, persona, warnings: all };
}

type Split =
  { ok: true; front: string; body: string; bodyLine: number } | { ok: false; problem: FileProblem };

function splitFrontMatter({ file, text }: TextFile): Split {
  const refuse = (code: ErrorCode, message: string): Split => ({
    ok: false,
    problem: fileProblem(file, code, message),
  });
  if (Buffer.byteLength(text) > MAX_PERSONA_BYTES)
    return refuse('too-large', `is larger than ${MAX_PERSONA_BYTES / 1024} KB`);
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  if (!OPENING.test(lines[0] ?? '')) {
    const hint = nearest(lines[0] ?? '', ['---']) === undefined ? '' : ' (exactly three hyphens)';
    return refuse('missing-front-matter', `must start with a line \`---\`${hint}`);
  }
  const end = lines.findIndex((line, index) => index > 0 && OPENING.test(line));
  if (end === -1)
    return refuse('unterminated-front-matter', 'has no second `---` that ends the front matter');
  const front = lines.slice(1, end).join('\n');
  return { ok: true, front, body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 };
}

function toRemoval(value: Readonly<Record<string, unknown>>): string | undefined {
  if (Object.keys(value).length !== 2 || value['active'] !== false) return undefined;
  const handle = Handle.safeParse(value['handle']);
  return handle.success ? handle.data : undefined;
}

/** Without these a persona has no one to be; the rest may be left out. */
function missingSections(persona: Persona, file: string, line: number): FileProblem[] {
  if (persona.systemPromptOverride !== undefined || persona.whoIAm !== '') return [];
  const message = 'needs a section `## Who I am` with some text, or a systemPromptOverride';
  return [{ ...fileProblem(file, 'missing-section', message), line, key: 'who i am' }];
}
