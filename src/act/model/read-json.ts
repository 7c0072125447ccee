/** Finds the JSON in what a model wrote: alone, in a fence, or with words around it. */

/** Undefined when the text has no JSON. Never throws, and takes time linear in the length of the text. */
export function readJson(text: string): { value: unknown } | undefined {
  const trimmed = text.trim();
  return tryParse(trimmed) ?? readFenced(trimmed) ?? readEmbedded(trimmed);
}

function readFenced(text: string): { value: unknown } | undefined {
  const open = /```(?:json)?[ \t]*\r?\n/i.exec(text);
  if (open === null) return undefined;
  const start = open.index + open[0].length;
  const end = text.lastIndexOf('```');
  return end <= start ? undefined : tryParse(text.slice(start, end).trim());
}

/** The first balanced object or array that parses; a few starts are tried, because prose has brackets too. */
function readEmbedded(text: string): { value: unknown } | undefined {
  let from = 0;
  for (let tries = 0; tries < 8; tries += 1) {
    const start = findOpening(text, from);
    if (start < 0) return undefined;
    const end = findClosing(text, start);
    const found = end === undefined ? undefined : tryParse(text.slice(start, end + 1));
    if (found !== undefined) return found;
    from = start + 1;
  }
  return undefined;
}

function findOpening(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/);
  return at < 0 ? -1 : from + at;
}

/** Where the bracket that opens at `start` closes; brackets in strings do not count. */
function findClosing(text: string, start: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let i = start; i < text.length; i += 1) {
    const char = text[i];
    if (isString && char === '\\') i += 1;
    else if (char === '"') isString = !isString;
    else if (!isString) depth += depthOf(char);
    if (depth === 0) return i;
  }
  return undefined;
}

function depthOf(char: string | undefined): number {
  if (char === '{' || char === '[') return 1;
  return char === '}' || char === ']' ? -1 : 0;
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
