/** Cleans what a model wrote before anyone sees it: it pings nobody, closes nothing, loads nothing, and claims no authority. */
import type { Nodes } from 'mdast';
import { codeBlock } from './code-span.ts';
import { stripInvisible } from './invisible.ts';
import {
  applyEdits,
  bluntOpeners,
  flattenContainers,
  nodesOf,
  parseMarkdown,
  spanOf,
} from '../markdown/markdown-tree.ts';
import type { TextEdit } from '../markdown/markdown-tree.ts';

export interface OutputRules {
  /** `owner/repo` of the thread: the only repository whose issues may be referred to by link. */
  repository: string;
  /** Logins that may be mentioned, without `@`; nobody when empty. */
  mentions?: readonly string[];
  /** Host of the pages of the GitHub that the text is for; `github.com` when absent. */
  host?: string | undefined;
}

export interface CleanText {
  text: string;
  /** How many things of each kind were neutralised. */
  changed: Record<string, number>;
}

const MAX_PASSES = 6;
/** Of every GitHub, Enterprise Servers included. */
const DOCS_HOST = 'docs.github.com';
/** A terminal's colour code. */
const COLOUR_CODE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');
/** Bounds the parser's work; answers are far shorter, and comments are capped at 64,000. */
const MAX_INPUT = 200_000;

/**
 * Neutralises text that a model wrote for a GitHub comment. Code, paths and numbers stay as they are.
 *
 * Mentions outside the list and closing keywords get backticks. Images, raw HTML and foreign links become words.
 * Quorum's markers and workflow commands lose their meaning. Control and invisible characters are removed.
 */
export function cleanOutput(source: string, rules: OutputRules): CleanText {
  const changed: Record<string, number> = {};
  let text = source.slice(0, MAX_INPUT);
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = cleanOnce(text, rules, changed);
    if (next === text) return { text, changed };
    text = next;
  }
  changed['unsettled'] = 1;
  return { text: codeBlock(text, ''), changed };
}

function cleanOnce(source: string, rules: OutputRules, changed: Record<string, number>): string {
  const note = (kind: string): void => {
    changed[kind] = (changed[kind] ?? 0) + 1;
  };
  const plain = withoutMarkers(withoutInvisible(source, note), note);
  const safe = bluntOpeners(flattenContainers(plain));
  const root = parseMarkdown(safe);
  if (root === undefined) return codeBlock(safe, '');
  const edits = nodesOf(root).flatMap((node) => editsOf(node, safe, rules));
  for (const edit of edits) if (edit.kind !== undefined) note(edit.kind);
  return applyEdits(safe, edits);
}

function withoutInvisible(source: string, note: (kind: string) => void): string {
  const uncoloured = source.replaceAll(COLOUR_CODE, '').replaceAll(/\r\n?/g, '\n');
  const { text, counts } = stripInvisible(uncoloured);
  if (Object.keys(counts).length > 0) note('invisible');
  return text;
}

/** The opening of Quorum's marker, anywhere, code included: a comment's last line is read as a marker. */
function withoutMarkers(source: string, note: (kind: string) => void): string {
  return source.replaceAll(/<!-{1,3}(?=\s*quorum\s*:)/gi, () => {
    note('marker');
    return '(!-';
  });
}

function editsOf(node: Nodes, source: string, rules: OutputRules): TextEdit[] {
  const span = spanOf(node);
  const slice = source.slice(span.start, span.end);
  if (node.type === 'html') return [{ ...span, text: slice.replaceAll('<', '&lt;'), kind: 'html' }];
  if (node.type === 'image' || node.type === 'imageReference')
    return [{ ...span, text: '(image removed)', kind: 'image' }];
  if (node.type === 'definition') return [{ ...span, text: '', kind: 'link-definition' }];
  if (node.type === 'link') return linkEdit(node, source, rules);
  return node.type === 'text' ? textEdits(slice, span.start, { source, rules }) : [];
}

function linkEdit(
  node: Extract<Nodes, { type: 'link' }>,
  source: string,
  rules: OutputRules,
): TextEdit[] {
  const span = spanOf(node);
  const slice = source.slice(span.start, span.end);
  const url = cleanUrl(node.url, rules);
  const words = wordsOf(node, source);
  if (!slice.startsWith('[')) return autolinkEdit(node.url, { ...span, slice }, url);
  if (url === undefined) return [{ ...span, text: `${words} (link removed)`, kind: 'link' }];
  const hasTitle = typeof node.title === 'string' && node.title !== '';
  return url === node.url && !hasTitle
    ? []
    : [{ ...span, text: `[${words}](${url})`, kind: 'link' }];
}

function autolinkEdit(
  url: string,
  at: { start: number; end: number; slice: string },
  clean: string | undefined,
): TextEdit[] {
  const { start, end, slice } = at;
  // An address for mail: shown, not a link.
  if (url.startsWith('mailto:'))
    return [{ start, end, text: `\`${slice.replaceAll(/[<>`]/g, '')}\``, kind: 'link' }];
  if (clean === url) return [];
  return [{ start, end, text: clean ?? '(link removed)', kind: 'link' }];
}

function wordsOf(node: Extract<Nodes, { type: 'link' }>, source: string): string {
  const [first, last] = [node.children[0], node.children.at(-1)];
  if (first === undefined || last === undefined) return '';
  return source.slice(spanOf(first).start, spanOf(last).end);
}

/** The address without query and with nothing foreign in it; undefined when it must not be a link. */
function cleanUrl(url: string, rules: OutputRules): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(url)) return cleanRelative(url);
  if (!/^https:\/\/[^\s@\\]+$/i.test(url) || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (parsed.host !== (rules.host ?? 'github.com') && parsed.host !== DOCS_HOST) return undefined;
  const isOwn = parsed.pathname.toLowerCase().startsWith(`/${rules.repository.toLowerCase()}/`);
  // A link to another repository's issue leaves a mark there.
  if (!isOwn && /^\/[^/]+\/[^/]+\/(?:issues|pull|discussions|commit)\//i.test(parsed.pathname))
    return undefined;
  return parsed.search === '' ? url : `${parsed.origin}${parsed.pathname}${parsed.hash}`;
}

function cleanRelative(url: string): string | undefined {
  return url.startsWith('//') || url.includes('\\') || url.includes('?') ? undefined : url;
}

interface TextContext {
  source: string;
  rules: OutputRules;
}

/** What acts in running text, and what takes its action away. Each finds in a text node's own source. */
const ACTING: readonly {
  kind: string;
  pattern: RegExp;
  edit: (match: RegExpExecArray, context: TextContext & { at: number }) => string | undefined;
}[] = [
  {
    // A spelled-out character acts like the character: bring it to light, the next pass deals with it.
    kind: 'disguise',
    pattern: /\\(?=[@#])|&(?:#0*(?:64|35);?|#[xX]0*(?:40|23);?|commat;|num;)/g,
    edit: (match) => (match[0] === '\\' ? '' : /64|40|commat/.test(match[0]) ? '@' : '#'),
  },
  {
    kind: 'mention',
    pattern: /(?<![A-Za-z0-9])@[A-Za-z0-9][A-Za-z0-9-]{0,80}(?:\/[A-Za-z0-9](?:[\w.-]{0,98}\w)?)?/g,
    edit: mentionEdit,
  },
  {
    kind: 'closing-keyword',
    pattern: /\b(?:clos(?:e|es|ed)|fix(?:|es|ed)|resolv(?:e|es|ed))\b/gi,
    edit: (match, { source, at }) =>
      REFERENCE_NEXT.test(source.slice(at + match[0].length, at + match[0].length + 200))
        ? `\`${match[0]}\``
        : undefined,
  },
  {
    kind: 'foreign-reference',
    pattern: /(?<![\w./`-])([A-Za-z0-9][A-Za-z0-9-]{0,38}\/[\w.-]{1,100})#\d{1,9}\b/g,
    edit: (match, { rules }) =>
      match[1]?.toLowerCase() === rules.repository.toLowerCase() ? undefined : `\`${match[0]}\``,
  },
  {
    kind: 'workflow-command',
    pattern: /^[ \t]*(?:::(?=[A-Za-z])|##\[)/gm,
    edit: (match) => (match[0].endsWith('[') ? '`##`[' : ': :'),
  },
  {
    // Other bots take these from any comment, ours included.
    kind: 'slash-command',
    pattern: /^[ \t]*\\?(\/[A-Za-z][\w-]{0,40})(?=\s|$)/gm,
    edit: (match) => `\`${match[1]}\``,
  },
  {
    kind: 'expression',
    pattern: /\$\{\{/g,
    edit: () => '$ {{',
  },
  // Halves of a code span, a tag or an image: harmless alone, but fields of one answer are joined when they are shown.
  { kind: 'stray-tick', pattern: /\\?`+/g, edit: () => "'" },
  { kind: 'stray-tag', pattern: /\\?<(?=[A-Za-z/!?])/g, edit: () => '&lt;' },
  { kind: 'stray-link', pattern: /!(?=\[)|\](?=\()/g, edit: (match) => `${match[0]} ` },
];

const REFERENCE_NEXT =
  /^[\s:*_~([<"'`]{0,10}(?:(?:[\w.-]+\/[\w.-]+)?(?:\\?#|&#0*35;|&#x0*23;|&num;)\d|GH-\d|https?:\/\/[^\s/]+\/[^\s/]+\/[^\s/]+\/(?:issues|pull)\/\d)/i;

/** Backticks, but next to a backtick they would pair up wrongly: there the sign itself goes. */
function mentionEdit(
  match: RegExpExecArray,
  { rules, source, at }: TextContext & { at: number },
): string | undefined {
  if (isAllowed(match[0], rules)) return undefined;
  const isBesideTick = source[at - 1] === '`' || source[at + match[0].length] === '`';
  return isBesideTick ? `(at)${match[0].slice(1)}` : `\`${match[0]}\``;
}

function isAllowed(mention: string, rules: OutputRules): boolean {
  const login = mention.slice(1).toLowerCase();
  return (rules.mentions ?? []).some((allowed) => allowed.toLowerCase() === login);
}

function textEdits(slice: string, offset: number, context: TextContext): TextEdit[] {
  return ACTING.flatMap(({ kind, pattern, edit }) =>
    Array.from(slice.matchAll(pattern), (match): TextEdit | undefined => {
      const start = offset + match.index;
      const text = edit(match, { ...context, at: start });
      return text === undefined || text === match[0]
        ? undefined
        : { start, end: start + match[0].length, text, kind };
    }).filter((found) => found !== undefined),
  );
}

/** For lines that go to a runner's log: no workflow command, no colour code, no control character is left. */
export function cleanLogLine(text: string): string {
  return stripInvisible(text.replaceAll(COLOUR_CODE, ''))
    .text.replaceAll(/[\r\n]+/g, ' ')
    .replaceAll('::', ': :')
    .replaceAll('##[', '## [');
}
