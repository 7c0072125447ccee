/** The forms in which a known secret may leave: as it is, in a string of JSON, in an address, in base64 or hexadecimal. */

/** Shorter values, and parts of values, would hit ordinary words. */
const MIN_FORM = 8;
/** A row of a key; shorter ones may be anything. */
const MIN_ROW = 20;

/** Every form of one secret, longest first, so that none leaves a rest of another. */
export function formsOf(secret: string): string[] {
  if (secret.trim().length < MIN_FORM) return [];
  const forms = [secret, secret.trim(), ...rowsOf(secret)].flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
    encodeAddress(text),
    encodeAddress(text).replaceAll('%20', '+'),
    new URLSearchParams({ a: text }).toString().slice(2),
    ...base64Of(text),
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('hex').toUpperCase(),
  ]);
  return [...new Set(forms)]
    .filter((form) => form.length >= MIN_FORM)
    .toSorted((a, b) => b.length - a.length);
}

/** Rows of a secret with several lines: a log may show them one by one. */
function rowsOf(secret: string): string[] {
  const rows = secret.split(/\r?\n|\\n/).map((row) => row.trim());
  return rows.length === 1
    ? []
    : rows.filter((row) => row.length >= MIN_ROW && !row.startsWith('-----'));
}

function encodeAddress(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/**
 * Base64 of the text alone, and of a text that contains it. The encoding depends on whether 0, 1 or 2 bytes are left
 * over before it. Characters that its neighbours decide are left out.
 */
function base64Of(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const from = before === 0 ? 0 : before + 1;
    const isEven = (before + bytes.length) % 3 === 0;
    const form = padded.slice(from, isEven ? undefined : -1);
    return form.length < 12 ? [] : [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
