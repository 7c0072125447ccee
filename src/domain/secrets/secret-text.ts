/** Finds what looks like a credential in text, to say where it is and never what it is, and takes it out. */
import { SECRET_SHAPES, SERVICES } from './secret-shapes.ts';

export interface SecretSighting {
  /** What kind of credential its shape is of. */
  kind: string;
  /** 1-based line. */
  line: number;
  length: number;
}

/** Finds credentials in a text; the real one asks a maintained detector too. Lines are counted in that text. */
export type DetectSecrets = (text: string, path: string) => Promise<readonly SecretSighting[]>;

/** Where credentials seem to be, in order of shape. */
export function findSecrets(text: string): SecretSighting[] {
  const sightings: SecretSighting[] = [];
  replaceSecrets(text, ({ kind, isVague, index }, found) => {
    if (isVague) return found;
    sightings.push({ kind, line: text.slice(0, index).split('\n').length, length: found.length });
    // Blanks, so that no other kind finds the same again, and places stay as they are.
    return found.replaceAll(/[^\n]/g, ' ');
  });
  return sightings.slice(0, 20);
}

/** Puts the kind of a credential in place of each line in which one was sighted. */
export function maskSighted(text: string, sighted: readonly SecretSighting[]): string {
  if (sighted.length === 0) return text;
  const kinds = new Map(sighted.map(({ line, kind }) => [line, kind]));
  return text
    .split('\n')
    .map((line, index) => {
      const kind = kinds.get(index + 1);
      return kind === undefined ? line : `(${kind} removed)`;
    })
    .join('\n');
}

/**
 * Replaces what looks like a credential by its kind, and values that are assigned to names of credentials. Of those
 * {@link findSecrets} tells only the ones with a shape or a service: a name is enough for caution and too little for a
 * claim. Lines stay countable.
 */
export function redactSecrets(text: string): string {
  return replaceSecrets(
    text,
    ({ kind }, found) => `(${kind} removed)${'\n'.repeat(found.split('\n').length - 1)}`,
  );
}

interface Place {
  kind: string;
  isVague: boolean;
  /** Where the match begins. */
  index: number;
}

/** Says what is put in place of a credential. */
type Replace = (place: Place, found: string) => string;

/** Looks for everything that looks like a credential, each kind in the text that is left by those before it. */
export function replaceSecrets(text: string, replace: Replace): string {
  let kept = replaceWebTokens(text, replace);
  for (const { kind, shape, isVague = false } of SECRET_SHAPES)
    kept = kept.replaceAll(shape, (found: string, ...rest: unknown[]) => {
      const keep = groupsOf(rest)['keep'] ?? '';
      const secret = found.slice(keep.length);
      return keep + replace({ kind, isVague, index: indexOf(rest) }, secret);
    });
  return replaceAssigned(replaceCutKeys(kept, replace), replace);
}

function groupsOf(rest: readonly unknown[]): Record<string, string | undefined> {
  const last = rest.at(-1);
  return typeof last === 'object' && last !== null ? { ...last } : {};
}

function indexOf(rest: readonly unknown[]): number {
  return rest.find((each) => typeof each === 'number') ?? 0;
}

/** Three words with dots between, from the beginning of the first: a search that begins inside one takes the square. */
const DOTTED = /(?<![\w-])[\w-]{11,}\.[\w-]{8,}\.[\w-]{8,}/g;

/** JSON web tokens begin with an encoded `{"`, at times behind a name and a dash. */
function replaceWebTokens(text: string, replace: Replace): string {
  return text.replaceAll(DOTTED, (found, index: number) => {
    const at = found.search(/(?<![A-Za-z0-9])eyJ[\w-]{8}/);
    if (at === -1 || at > found.indexOf('.')) return found;
    const place = { kind: 'signed web token', isVague: false, index: index + at };
    return found.slice(0, at) + replace(place, found.slice(at));
  });
}

const KEY_END = /-{5,6}END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/;
const KEY_ROW = /^[A-Za-z0-9+/-]{1,8000}={0,2}$/;

/** Whether a line may be a row of a key: one word of base64, at most with a number or a sign before it. */
function isKeyRow(line: string): boolean {
  const words = line.split(/[\s>|"',]/).filter((word) => word !== '');
  const [row = '', before] = words.toReversed();
  if (words.length > 2 || !KEY_ROW.test(row)) return false;
  return before === undefined || /^[\d+-]{1,8}$/.test(before);
}

/** The rows before a key's last line: its first lines were cut off. */
function replaceCutKeys(text: string, replace: Replace): string {
  if (!KEY_END.test(text)) return text;
  const lines = text.split('\n');
  lines.forEach((line, end) => {
    if (!KEY_END.test(line)) return;
    let from = end;
    while (from > 0 && isKeyRow(lines[from - 1] ?? '')) from -= 1;
    let index = lines.slice(0, from).reduce((sum, { length }) => sum + length + 1, 0);
    for (let at = from; at <= end; at += 1) {
      const row = lines[at] ?? '';
      lines[at] = replace({ kind: 'private key', isVague: false, index }, row);
      index += row.length + 1;
    }
  });
  return lines.join('\n');
}

/** A name that ends in what only credentials are called, and what is assigned to it. */
const ASSIGNMENT =
  /((?:password|passwd|pwd|passphrase|secret|token|credentials?|(?:api|access|private|secret|auth|account|encryption|signing|master|service|session|storage)[_-]?key)(?:\\?["'\]]){0,2}(?:\s?:\s?string)?\s{0,4}(?::=|=>|={1,3}|:)\s{0,4}(\\?["'`]|))((?:[^\s"'`\\]|\\(?![nrt"'])){8,400})/gi;
const PLACEHOLDER =
  /example|dummy|fake|placeholder|change[_-]?me|your[_-]?|redacted|removed|x{4}|\*{3}|\.{3}|<|>|\$\{|\$\(|\{\{|%\w+%|1234567|^\$|^env[.:(]/i;
/** Names, dotted names, paths and addresses: what code assigns, unless it is too random for one. */
const NAMED = /^[\w$@.~/-]+$|:\/\//;
const CODE = /[(){}[\]]|[!=]==?|&&|\|\||\?\.|\?\?/;
/** The service that the name before a credential's begins with or has in it: `TWILIO_`, `dd-api-`. */
function serviceIn(before: string): string | undefined {
  const words = (before.split(/[^A-Za-z_-]/).at(-1) ?? '').toLowerCase().split(/[_-]/);
  const key = Object.keys(SERVICES).find((name) =>
    words.some((word) => word === name || (name.length > 3 && word.startsWith(name))),
  );
  return key === undefined ? undefined : SERVICES[key];
}

/** Whether a value could be a credential: a mixture of characters that nobody would give to a name. */
function isCredible(
  value: string,
  { isQuoted, isOfService }: { isQuoted: boolean; isOfService: boolean },
): boolean {
  if (PLACEHOLDER.test(value) || (!isQuoted && CODE.test(value))) return false;
  const numbers = value.match(/\d+/g)?.length ?? 0;
  if (!NAMED.test(value)) return isMixed(value) && numbers > 0;
  const least = isOfService && !value.includes('.') ? 1 : 3;
  return value.length >= 16 && numbers >= least && varietyOf(value) >= 3;
}

/** Whether a text mixes three of small and capital letters, digits and signs, and repeats few of them. */
function isMixed(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return kinds >= 3 && varietyOf(value) >= 2.5;
}

/** Bits of information in each character, by how often it occurs (Shannon). */
function varietyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => {
    const share = count / value.length;
    return bits - share * Math.log2(share);
  }, 0);
}

function replaceAssigned(text: string, replace: Replace): string {
  return text.replaceAll(ASSIGNMENT, (found, ...[name, quote, given, index]: unknown[]) => {
    const [before, whole] = [String(name), String(given)];
    const value = quote === '' ? whole.replace(/(?<![,;:.)])[,;:.)]+$/, '') : whole;
    const at = Number(index);
    const service = serviceIn(text.slice(Math.max(0, at - 40), at));
    if (!isCredible(value, { isQuoted: quote !== '', isOfService: service !== undefined }))
      return found;
    const kind = service === undefined ? 'credential' : `${service} credential`;
    const put = replace({ kind, isVague: service === undefined, index: at }, value);
    return `${before}${put}${whole.slice(value.length)}`;
  });
}
