/** Takes secrets out of text that leaves the process: log lines, error messages. A second line: secrets belong elsewhere. */

const GONE = '[redacted]';

/** Shapes of keys, by their makers' own prefixes. */
const SHAPES: readonly RegExp[] = [
  // GitHub: personal, OAuth, user-to-server, server-to-server and refresh tokens; fine-grained tokens.
  /\bgh[oprsu]_[A-Za-z0-9_]{16,}/g,
  /\bgithub_pat_\w{16,}/g,
  // Anthropic and OpenAI.
  /\bsk-[\w-]{16,}/g,
  // Slack tokens and incoming webhooks.
  /\bxox[a-z]-[\w-]{10,}/g,
  /\bxapp-[\w-]{10,}/g,
  /\bhooks\.slack\.com\/services\/[\w/]+/g,
  // Telegram.
  /\b\d{8,10}:[\w-]{35}\b/g,
  // Private keys, cut ones included; line ends may be escaped.
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----(?:(?!-----END)[\s\S])*(?:-----END [A-Z ]{0,20}PRIVATE KEY-----)?/g,
  // Signatures of deliveries.
  /\bsha256=[0-9a-f]{64}\b/g,
];

/** Three words with dots between, from the beginning of the first: a search that begins inside one takes the square. */
const DOTTED = /(?<![\w-])[\w-]{11,}\.[\w-]{8,}\.[\w-]{8,}/g;

/** JSON web tokens begin with an encoded `{"`, at times behind a name and a dash. */
function withoutWebToken(found: string): string {
  const at = found.search(/\beyJ[\w-]{8}/);
  return at === -1 || at > found.indexOf('.') ? found : `${found.slice(0, at)}${GONE}`;
}

/** Credentials in a URL, and what follows the name of a scheme in a header. */
const AFTER: readonly RegExp[] = [
  /(:\/\/[^\s/:@"]{0,100}:)[^\s/@"]{1,200}(?=@)/g,
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{12,}/gi,
];

/**
 * `text` without anything that looks like a key, and without any of `known`, the values of this process's own
 * secrets (those under 8 characters are left: they would hit ordinary words).
 */
export function scrubSecrets(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const value of known) if (value.length >= 8) clean = clean.replaceAll(value, GONE);
  clean = clean.replace(DOTTED, withoutWebToken);
  for (const shape of SHAPES) clean = clean.replace(shape, GONE);
  for (const shape of AFTER) clean = clean.replace(shape, `$1${GONE}`);
  return clean;
}
