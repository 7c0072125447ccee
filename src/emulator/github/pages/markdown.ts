/** Renders GitHub-flavoured Markdown to safe HTML: what a reader of the thread would see, and nothing else. */
import type { Nodes, Parents, Root, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { renderReplacement } from './diff-table.ts';
import { escapeHtml, Markup } from './html.ts';

/** Inline HTML that passes, with the attributes that pass. Everything else is shown as text. */
const ALLOWED: Record<string, readonly string[]> = {
  a: ['href', 'title'],
  b: [],
  blockquote: [],
  br: [],
  code: [],
  del: [],
  details: ['open'],
  em: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  hr: [],
  i: [],
  ins: [],
  kbd: [],
  li: [],
  ol: [],
  p: ['align'],
  pre: [],
  s: [],
  strong: [],
  sub: [],
  summary: [],
  sup: [],
  table: [],
  tbody: [],
  td: ['align', 'colspan', 'rowspan'],
  th: ['align', 'colspan', 'rowspan'],
  thead: [],
  tr: [],
  ul: [],
};
const VOID = new Set(['br', 'hr']);
/** Content that goes with its tag. */
const DROPPED = /<(script|style|iframe|title|textarea)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;

export interface Links {
  /** Page of a mentioned account, if it exists. */
  mention: (login: string) => string | undefined;
  /** Page of an issue or pull request of the same repository. */
  thread: (number: number) => string | undefined;
  /** Lines that a suggestion in this text would replace. */
  replaced?: readonly string[];
  /** A line break in the source ends the line, as in issues and comments; in files it is a space. */
  hasHardBreaks?: boolean;
}

const NO_LINKS: Links = { mention: () => undefined, thread: () => undefined };

interface State {
  links: Links;
  definitions: Map<string, string>;
  footnotes: Map<string, string>;
  /** Raw tags that are open, so that none reaches beyond its comment. */
  open: string[];
}

export function renderMarkdown(source: string, links: Links = NO_LINKS): Markup {
  const tree = fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const state: State = { links, definitions: new Map(), footnotes: new Map(), open: [] };
  collect(tree, state);
  const body = tree.children.map((node) => renderNode(node, state)).join('');
  const notes = [...state.footnotes.values()];
  const list =
    notes.length === 0
      ? ''
      : `<ol class="footnotes">${notes.map((one) => `<li>${one}</li>`).join('')}</ol>`;
  return new Markup(`${body}${closeAll(state)}${list}`);
}

function collect(tree: Root, state: State): void {
  for (const node of tree.children) {
    if (node.type === 'definition') state.definitions.set(node.identifier, node.url);
    if (node.type === 'footnoteDefinition')
      state.footnotes.set(node.identifier, inner(node, state));
  }
}

function closeAll(state: State): string {
  const tags = state.open.splice(0).toReversed();
  return tags.map((tag) => `</${tag}>`).join('');
}

function inner(node: Parents, state: State): string {
  return node.children.map((child) => renderNode(child, state)).join('');
}

type Render<K extends Nodes['type']> = (node: Extract<Nodes, { type: K }>, state: State) => string;
type Renderers = { [K in Nodes['type']]?: Render<K> };

const RENDERERS: Renderers = {
  paragraph: (node, state) => `<p>${inner(node, state)}</p>`,
  heading: (node, state) => `<h${node.depth}>${inner(node, state)}</h${node.depth}>`,
  text: (node, { links }) => {
    const text = linked(node.value, links);
    return links.hasHardBreaks === true ? text.replaceAll('\n', '<br>\n') : text;
  },
  strong: (node, state) => `<strong>${inner(node, state)}</strong>`,
  emphasis: (node, state) => `<em>${inner(node, state)}</em>`,
  delete: (node, state) => `<del>${inner(node, state)}</del>`,
  inlineCode: (node) => `<code>${escapeHtml(node.value)}</code>`,
  code: (node, { links: { replaced } }) =>
    node.lang === 'suggestion' && replaced !== undefined
      ? suggestion(node.value, replaced)
      : `<pre${node.lang === null || node.lang === undefined ? '' : ` data-lang="${escapeHtml(node.lang)}"`}><code>${escapeHtml(node.value)}</code></pre>`,
  blockquote: (node, state) => renderQuote(node, state),
  thematicBreak: () => '<hr>',
  break: () => '<br>',
  link: (node, state) => anchor(node.url, inner(node, state)),
  linkReference: (node, state) =>
    anchor(state.definitions.get(node.identifier) ?? '', inner(node, state)),
  image: (node) => `<span class="image">🖼 ${escapeHtml(node.alt ?? node.url)}</span>`,
  imageReference: (node) => `<span class="image">🖼 ${escapeHtml(node.alt ?? '')}</span>`,
  list: (node, state) => {
    const start =
      node.start === null || node.start === undefined || node.start === 1
        ? ''
        : ` start="${node.start}"`;
    const tasks = node.children.some((item) => typeof item.checked === 'boolean')
      ? ' class="tasks"'
      : '';
    const tag = node.ordered === true ? 'ol' : 'ul';
    return `<${tag}${start}${tasks}>${inner(node, state)}</${tag}>`;
  },
  listItem: (node, state) => {
    const box =
      typeof node.checked === 'boolean'
        ? `<input type="checkbox" disabled${node.checked ? ' checked' : ''} aria-label="task"> `
        : '';
    const [only] = node.children;
    // A tight item holds its text without a paragraph.
    const isTight = node.spread !== true && only?.type === 'paragraph';
    const rest = isTight
      ? inner(only, state) +
        node.children
          .slice(1)
          .map((one) => renderNode(one, state))
          .join('')
      : inner(node, state);
    return `<li>${box}${rest}</li>`;
  },
  table: (node, state) => renderTable(node, state),
  html: (node, state) => sanitize(node.value, state),
  footnoteReference: (node) => `<sup>${escapeHtml(node.label ?? node.identifier)}</sup>`,
};

function suggestion(value: string, replaced: readonly string[]): string {
  const lines = value === '' ? [] : value.split('\n');
  const change = renderReplacement(replaced, lines).text;
  return `<div class="suggestion"><p class="muted">Suggested change</p>${change}</div>`;
}

/** A method's parameter is compared loosely: the table pairs each type with the renderer of its own nodes. */
type AnyRender = { render(node: Nodes, state: State): string }['render'];

function renderNode(node: Nodes, state: State): string {
  const render: AnyRender | undefined = RENDERERS[node.type];
  return render === undefined ? '' : render(node, state);
}

const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;

function renderQuote(node: Extract<Nodes, { type: 'blockquote' }>, state: State): string {
  const body = inner(node, state);
  const kind = ALERT.exec(body.replace(/^<p>/, ''))?.[1];
  if (kind === undefined) return `<blockquote>${body}</blockquote>`;
  const rest = body.replace(/^<p>\[!\w+\](?:<br>|\s)*/, '<p>');
  const title = kind.charAt(0) + kind.slice(1).toLowerCase();
  return `<div class="alert alert-${kind.toLowerCase()}"><p class="alert-title">${title}</p>${rest}</div>`;
}

function renderTable(node: Table, state: State): string {
  const [head, ...rows] = node.children;
  const row = (cells: Table['children'][number] | undefined, tag: 'th' | 'td'): string =>
    (cells?.children ?? [])
      .map((cell, index) => {
        const align = node.align?.[index];
        const attribute = align === null || align === undefined ? '' : ` align="${align}"`;
        return `<${tag}${attribute}>${inner(cell, state)}</${tag}>`;
      })
      .join('');
  const body = rows.map((one) => `<tr>${row(one, 'td')}</tr>`).join('');
  return `<div class="table" tabindex="0"><table><thead><tr>${row(head, 'th')}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function isSafeUrl(url: string): boolean {
  return (
    /^(?:https?:|mailto:|#|\/|\.|[\w-]+(?:[/.#?]|$))/i.test(url) &&
    !/^\s*(?:javascript|data|vbscript):/i.test(url)
  );
}

function anchor(url: string, text: string): string {
  return isSafeUrl(url) ? `<a href="${escapeHtml(url)}" rel="nofollow noopener">${text}</a>` : text;
}

/** Turns `@login` and `#12` into links where there is something to link to. */
function linked(text: string, links: Links): string {
  return text.replaceAll(
    /@([\w-]+(?:\[bot\])?)|#(\d+)\b|[&<>"']/g,
    (match: string, login?: string, number?: string) => {
      const url =
        login === undefined
          ? number === undefined
            ? undefined
            : links.thread(Number(number))
          : links.mention(login);
      if (url === undefined) return escapeHtml(match);
      const className = login === undefined ? '' : ' class="mention"';
      return `<a href="${escapeHtml(url)}"${className}>${escapeHtml(match)}</a>`;
    },
  );
}

function sanitize(raw: string, state: State): string {
  const visible = raw.replaceAll(COMMENT, '').replaceAll(DROPPED, '');
  let out = '';
  let last = 0;
  for (const match of visible.matchAll(/<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>/gi)) {
    out += escapeHtml(visible.slice(last, match.index));
    last = match.index + match[0].length;
    const [text, slash = '', name = '', attributes = ''] = match;
    out +=
      slash === ''
        ? openTag(text, { name, attributes }, state)
        : closeTag(name.toLowerCase(), state);
  }
  return out + escapeHtml(visible.slice(last));
}

function openTag(text: string, at: { name: string; attributes: string }, state: State): string {
  const name = at.name.toLowerCase();
  const allowed = ALLOWED[name];
  if (allowed === undefined) return escapeHtml(text);
  if (!VOID.has(name)) state.open.push(name);
  const kept = [
    ...at.attributes.matchAll(/([a-z]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi),
  ].flatMap((match) => {
    const key = (match[1] ?? '').toLowerCase();
    const value = match[2] ?? match[3] ?? match[4] ?? '';
    if (!allowed.includes(key) || (key === 'href' && !isSafeUrl(value))) return [];
    return [` ${key}="${escapeHtml(value)}"`];
  });
  return `<${name}${kept.join('')}>`;
}

/** Closes what was opened here, and only that. */
function closeTag(name: string, state: State): string {
  const index = state.open.lastIndexOf(name);
  if (index < 0) return '';
  const closing = state.open.splice(index).toReversed();
  return closing.map((one) => `</${one}>`).join('');
}
