/** Splits raw HTML into comments, declarations and tags, in one pass: enough to know what a reader sees of it. */

export interface HtmlToken {
  kind: 'comment' | 'instruction' | 'cdata' | 'declaration' | 'open' | 'close';
  /** Lower-case tag name; empty for anything but tags. */
  name: string;
  attributes: string;
  start: number;
  end: number;
  isSelfClosing: boolean;
}

const TAG_START = /[A-Za-z]/;
const TAG_NAME = /^\/?([A-Za-z][A-Za-z0-9-]{0,60})/;

/** Where `closer` ends after `from`, or the end of the text: what is not closed hides all that follows. */
function endOf(html: string, closer: string, from: number): number {
  const at = html.indexOf(closer, from);
  return at === -1 ? html.length : at + closer.length;
}

function commentEnd(html: string, at: number): number {
  if (html.startsWith('>', at + 4)) return at + 5;
  return html.startsWith('->', at + 4) ? at + 6 : endOf(html, '-->', at + 4);
}

/** The end of a tag, quotes respected. */
function tagEnd(html: string, at: number): number {
  let quote = '';
  for (let index = at + 1; index < html.length; index += 1) {
    const character = html[index] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return index + 1;
  }
  return html.length;
}

function readTag(html: string, at: number): HtmlToken {
  const end = tagEnd(html, at);
  const inner = html.slice(at + 1, html[end - 1] === '>' ? end - 1 : end);
  const name = TAG_NAME.exec(inner)?.[1] ?? '';
  const isClosing = inner.startsWith('/');
  return {
    kind: isClosing ? 'close' : 'open',
    name: name.toLowerCase(),
    attributes: inner.slice(name.length + (isClosing ? 1 : 0)),
    start: at,
    end,
    isSelfClosing: inner.endsWith('/'),
  };
}

function readToken(html: string, at: number): HtmlToken | undefined {
  const plain = (kind: HtmlToken['kind'], end: number): HtmlToken => ({
    kind,
    name: '',
    attributes: '',
    start: at,
    end,
    isSelfClosing: false,
  });
  if (html.startsWith('<!--', at)) return plain('comment', commentEnd(html, at));
  if (html.startsWith('<?', at)) return plain('instruction', endOf(html, '?>', at + 2));
  if (html.startsWith('<![CDATA[', at)) return plain('cdata', endOf(html, ']]>', at + 9));
  if (html.startsWith('<!', at)) return plain('declaration', endOf(html, '>', at + 2));
  const next = html[at + 1] === '/' ? html[at + 2] : html[at + 1];
  return next !== undefined && TAG_START.test(next) ? readTag(html, at) : undefined;
}

/** Every token of a piece of HTML; text between them is what a reader sees. */
export function readHtml(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let at = html.indexOf('<');
  while (at !== -1) {
    const token = readToken(html, at);
    if (token !== undefined) tokens.push(token);
    at = html.indexOf('<', token?.end ?? at + 1);
  }
  return tokens;
}

/** Elements whose content no browser shows, and void ones that have none. */
const UNSEEN = new Set(
  'script style template noscript title head textarea iframe object svg math select option datalist audio video canvas dialog'.split(
    ' ',
  ),
);
const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
const HIDING =
  /(?:^|\s)(?:hidden(?:[\s=/]|$)|aria-hidden\s*=\s*["']?true)|(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?![.\d]*[1-9])|font-size\s*:\s*0(?!\.?\d*[1-9])|(?:^|[^-])color\s*:\s*(?:white|transparent|#f{3,8}\b)|(?:max-)?(?:height|width)\s*:\s*0(?![.\d]*[1-9])|(?:left|top|text-indent)\s*:\s*-\d{3,})/i;

/** Whether an element's content is kept from readers, by its kind or by its attributes. */
export function isHiding(token: HtmlToken): boolean {
  if (token.kind !== 'open' || VOID.has(token.name)) return false;
  return UNSEEN.has(token.name) || HIDING.test(token.attributes.slice(0, 2000));
}
