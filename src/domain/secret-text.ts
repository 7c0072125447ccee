/** Finds what looks like a credential in text, to say where it stands and never what it is. */

export interface SecretSighting {
  /** What kind of credential its shape is of. */
  kind: string;
  /** 1-based line. */
  line: number;
  length: number;
}

/** Finds credentials in a text; the real one asks a maintained detector. Lines are counted in that text. */
export type DetectSecrets = (text: string, path: string) => Promise<readonly SecretSighting[]>;

/** What stands before a row of a key that was quoted, numbered, or shown as a change. */
const MARGIN = String.raw`(?:[ \t>|+"']|-(?!-)){0,20}(?:\d{1,6}\t)?(?:[ \t>|+"']|-(?!-)){0,20}`;
/** A header of an encrypted key, a row of base64, or a short last row. */
const ROW = String.raw`(?:(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{0,200}|[A-Za-z0-9+/]{16,8000}={0,2}|[A-Za-z0-9+/]{1,15}={1,2}|[A-Za-z0-9+/]{1,15}(?=["'+,\s]{0,10}(?:\\n|\d{1,6}\t|[ \t>|+"']){0,20}(?:-{5,6}END|$)))`;
/** A key with its last line, or, where that was cut off, as far as its rows go. */
const PRIVATE_KEY = new RegExp(
  String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:["'+,]{0,4}(?:\r?\n|\\[rn]| )${MARGIN}${ROW}?){0,4000}(?:-{5,6}END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?`,
  'g',
);

/** Shapes that their issuers document; each starts with a fixed prefix, so chance hits are rare. */
const SHAPES: readonly (readonly [string, RegExp])[] = [
  ['GitHub token', /\bgh[pousr]_[A-Za-z0-9]{30,255}/g],
  ['GitHub fine-grained token', /\bgithub_pat_[A-Za-z0-9_]{50,255}/g],
  ['AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{20,250}/g],
  ['model provider key', /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,200}/g],
  ['Stripe live key', /\b[rs]k_live_[A-Za-z0-9]{20,200}/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['Google API key', /\bAIza[A-Za-z0-9_-]{35}\b/g],
  [
    'signed web token',
    /\beyJ[A-Za-z0-9_-]{15,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,2000}/g,
  ],
  ['private key', PRIVATE_KEY],
  [
    'password in an address',
    /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{1,100}:(?!\*{3}|<|\$|x{3}|password@|pass@)[^\s:@/]{6,200}@/g,
  ],
];

/** Where credentials seem to stand, in order of shape. */
export function findSecrets(text: string): SecretSighting[] {
  return SHAPES.flatMap(([kind, shape]) =>
    Array.from(text.matchAll(shape), (match) => ({
      kind,
      line: text.slice(0, match.index).split('\n').length,
      length: match[0].length,
    })),
  ).slice(0, 20);
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

/** A name that ends in what only credentials are called, and what is assigned to it. */
const ASSIGNMENT =
  /((?:password|passwd|pwd|passphrase|secret|token|credentials?|(?:api|access|private|secret|auth|account|encryption|signing|master|service|session|storage)[_-]?key)["'\]]{0,2}(?:\s?:\s?string)?\s{0,4}(?::=|=>|={1,3}|:)\s{0,4}(["'`]?))([^\s"'`]{8,400})/gi;
const PLACEHOLDER =
  /example|dummy|fake|placeholder|change[_-]?me|your[_-]?|redacted|removed|x{4}|\*{3}|\.{3}|<|>|\$\{|\$\(|\{\{|%\w+%|1234567|^\$|^env[.:(]/i;
/** Names, dotted names, paths and addresses: what code assigns, unless it is too random for one. */
const NAMED = /^[\w$@.~/-]+$|:\/\//;
const CODE = /[(){}[\]]|[!=]==?|&&|\|\||\?\.|\?\?/;

/** Whether a value could be a credential: a mixture of characters that nobody would give to a name. */
function isCredible(value: string, isQuoted: boolean): boolean {
  if (PLACEHOLDER.test(value) || (!isQuoted && CODE.test(value))) return false;
  const numbers = value.match(/\d+/g)?.length ?? 0;
  if (NAMED.test(value)) return value.length >= 16 && numbers >= 3 && varietyOf(value) >= 3;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return numbers > 0 && kinds >= 3 && varietyOf(value) >= 2.5;
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

/**
 * Replaces whatever {@link findSecrets} would find by its kind, and values that are assigned to names of
 * credentials. Those are not sighted: a name is enough for caution and too little for a claim. Lines stay countable.
 */
export function redactSecrets(text: string): string {
  const known = SHAPES.reduce(
    (kept, [kind, shape]) =>
      kept.replaceAll(
        shape,
        (found) => `(${kind} removed)${'\n'.repeat(found.split('\n').length - 1)}`,
      ),
    text,
  );
  return known.replaceAll(
    ASSIGNMENT,
    (found: string, ...[name = '', quote = '', given = '']: string[]) => {
      const value = quote === '' ? given.replace(/(?<![,;)])[,;)]+$/, '') : given;
      return isCredible(value, quote !== '')
        ? `${name}(credential removed)${given.slice(value.length)}`
        : found;
    },
  );
}
