/** A persona's own file, `self.md`: what reaches a prompt, and what waits because nobody vouches for it (TG-1b). */
import * as z from 'zod';

const FOLDER = 'personas/';
const OWN_FILE =
  /^personas\/([a-z0-9][a-z0-9-]{0,39})\/(?:core\.md|working\.md|self\.md|experiences\.jsonl|reflected\.json)$/;
const SELF_FILE = /^personas\/([a-z0-9][a-z0-9-]{0,39})\/self\.md$/;

export function selfPath(persona: string): string {
  return `${FOLDER}${persona}/self.md`;
}

export function experiencesPath(persona: string): string {
  return `${FOLDER}${persona}/experiences.jsonl`;
}

/** Which experiences the file rests on. */
export function reflectedPath(persona: string): string {
  return `${FOLDER}${persona}/reflected.json`;
}

/** Handle of the persona that owns this file, whichever of its files it is. */
export function ownerOfFile(path: string): string | undefined {
  return OWN_FILE.exec(path)?.[1];
}

/** Handle of the persona whose `self.md` this is. */
export function selfOwner(path: string): string | undefined {
  return SELF_FILE.exec(path)?.[1];
}

const Reflected = z.object({
  /** When the file was last rewritten, ISO 8601. */
  at: z.iso.datetime(),
  /** Ids of the experiences that were in view. */
  seen: z.array(z.string().max(200)).max(1_000),
});
export type Reflected = z.infer<typeof Reflected>;

/** Undefined while nothing was rewritten. Damage counts as such. */
export function parseReflected(text: string): Reflected | undefined {
  try {
    return Reflected.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export function renderReflected(reflected: Reflected): string {
  return `${JSON.stringify(reflected)}\n`;
}

/** What may reach a prompt: without comments, and without lines for which nobody vouches. */
export function usableSelf(text: string, doubtful: ReadonlySet<string>): string {
  const vouched = text.split('\n').filter((line) => !doubtful.has(line.trim()));
  return withoutComments(vouched.join('\n'))
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** A comment that is not closed hides the rest, as it does on GitHub. */
function withoutComments(text: string): string {
  const [first = '', ...parts] = text.split('<!--');
  return [first, ...parts.map((part) => part.split('-->').slice(1).join('-->'))].join('');
}

/** Puts such lines into comments, so that they stay out after GitHub's list of pushes has dropped the push. */
export function holdBackSelf(text: string, doubtful: ReadonlySet<string>): string {
  return text
    .split('\n')
    .map((line) => (isHeld(line, doubtful) ? hold(line) : line))
    .join('\n');
}

function isHeld(line: string, doubtful: ReadonlySet<string>): boolean {
  return line.trim() !== '' && doubtful.has(line.trim());
}

/** Only what is inside can end a comment early. */
function hold(line: string): string {
  return `<!-- held back, another App pushed this: ${line.trim().replaceAll(/-{2,}|[<>]/g, ' ')} -->`;
}

/** As many whole lines as there is room for, from the top; nothing where these would be headings alone. */
export function cutSelf(text: string, room: number): string {
  const kept: string[] = [];
  let left = room;
  for (const line of text.split('\n')) {
    if (line.length + 1 > left) break;
    left -= line.length + 1;
    kept.push(line);
  }
  return kept.every(isHeadingOrBlank) ? '' : kept.join('\n').trim();
}

function isHeadingOrBlank(line: string): boolean {
  return line.trim() === '' || line.trimStart().startsWith('#');
}
