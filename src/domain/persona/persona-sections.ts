/** Reads the prose half of a persona's file: headed sections, their sub-headings and lists. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Heading, List, RootContent } from 'mdast';
import { nearest } from '../text/nearest.ts';
import type { PersonaSections } from './persona.ts';
import { RunTrigger } from './persona.ts';
import { phraseFault, PhraseName } from './phrases.ts';
import { fileProblem } from '../config/yaml.ts';
import type { FileProblem } from '../config/yaml.ts';

type Section = keyof PersonaSections;

/** Headings of a persona's file, as people write them. */
const HEADINGS: Readonly<Record<string, Section>> = {
  'who i am': 'whoIAm',
  worldview: 'worldview',
  opinions: 'opinions',
  expertise: 'expertise',
  tensions: 'tensions',
  boundaries: 'boundaries',
  'pet peeves': 'petPeeves',
  'examples i would say': 'wouldSay',
  'examples i would never say': 'wouldNeverSay',
  modes: 'modes',
  overwatch: 'overwatch',
  phrases: 'phrases',
};

export interface SectionsSource {
  file: string;
  body: string;
  /** Line of the file at which the body starts. */
  firstLine: number;
}

export interface SectionsResult {
  sections: PersonaSections;
  problems: FileProblem[];
}

interface Part {
  title: string;
  line: number;
  nodes: RootContent[];
}

/** A named piece of prose: a sub-heading's, or a list item's `name: text`. */
interface Entry {
  name: string;
  text: string;
  line: number;
}

/** Reads every section; what cannot be understood becomes a problem, never a silent loss. */
export function parseSections(source: SectionsSource): SectionsResult {
  const { body } = source;
  const problems: FileProblem[] = [];
  const found = new Map<Section, Part>();
  for (const part of partsOf(fromMarkdown(body).children)) {
    const section = HEADINGS[fold(part.title)];
    if (section !== undefined && !found.has(section)) found.set(section, part);
    else problems.push(...strayProblems(source, part, section));
  }
  const prose = (section: Section) => textOf(body, found.get(section)?.nodes ?? []);
  const items = (section: Section) => itemsOf(body, found.get(section));
  const named = <Name extends string>(
    section: Section,
    parse: (word: string) => Name | undefined,
  ) => namedEntries({ source, part: found.get(section), parse, problems });
  const phrases = named('phrases', phraseName);
  return {
    sections: {
      whoIAm: prose('whoIAm'),
      worldview: prose('worldview'),
      opinions: entriesOf(body, found.get('opinions')).map(({ name, text }) => ({
        domain: name,
        text,
      })),
      expertise: prose('expertise'),
      tensions: prose('tensions'),
      boundaries: prose('boundaries'),
      petPeeves: prose('petPeeves'),
      wouldSay: items('wouldSay').map(({ text }) => oneLine(text)),
      wouldNeverSay: items('wouldNeverSay').flatMap((item) => neverSays(source, item, problems)),
      modes: toRecord(named('modes', triggerName)),
      overwatch: prose('overwatch'),
      phrases: toRecord(phrases.filter((entry) => isFit(source, entry, problems))),
    },
    problems,
  };
}

/** Names of the sections, for messages and documentation. */
function sectionTitles(): string[] {
  return Object.keys(HEADINGS);
}

function partsOf(nodes: readonly RootContent[]): Part[] {
  const parts: Part[] = [{ title: '', line: 1, nodes: [] }];
  for (const node of nodes) {
    if (node.type === 'heading' && node.depth <= 2)
      parts.push({ title: headingText(node), line: lineOf(node), nodes: [] });
    else parts.at(-1)?.nodes.push(node);
  }
  const [first] = nodes;
  if (parts[0] !== undefined && first !== undefined) parts[0].line = lineOf(first);
  // A title above the sections, and nothing before it, is decoration.
  return parts.filter((part, index) => index > 1 || part.nodes.length > 0);
}

function strayProblems(
  source: SectionsSource,
  part: Part,
  known: Section | undefined,
): FileProblem[] {
  const at = { line: part.line + source.firstLine - 1, key: part.title };
  if (part.title === '') {
    const message = 'there is text before the first heading; it would not be read';
    return [{ ...fileProblem(source.file, 'stray-text', message), ...at }];
  }
  if (known !== undefined)
    return [{ ...fileProblem(source.file, 'duplicate-section', 'is there twice'), ...at }];
  const hint = nearest(part.title, sectionTitles());
  return [
    {
      ...fileProblem(source.file, 'unknown-section', 'is not a known section'),
      ...at,
      expected: `one of ${sectionTitles().join(', ')}`,
      ...(hint === undefined ? {} : { nearest: hint }),
    },
  ];
}

interface NamedInput<Name extends string> {
  source: SectionsSource;
  part: Part | undefined;
  parse: (word: string) => Name | undefined;
  problems: FileProblem[];
}

interface NamedEntry<Name extends string> extends Entry {
  name: Name;
}

function namedEntries<Name extends string>(input: NamedInput<Name>): NamedEntry<Name>[] {
  return entriesOf(input.source.body, input.part).flatMap((entry) => {
    const name = input.parse(entry.name);
    if (name !== undefined) return [{ ...entry, name }];
    const key = `${input.part?.title ?? ''} › ${entry.name}`;
    const known = [...RunTrigger.options, ...PhraseName.options];
    const hint = nearest(entry.name, known);
    input.problems.push({
      ...fileProblem(input.source.file, 'unknown-key', 'is not a known name'),
      line: entry.line + input.source.firstLine - 1,
      key,
      ...(hint === undefined ? {} : { nearest: hint }),
    });
    return [];
  });
}

/** Spec TG-19: a sentence without its placeholders is left out with a warning; the built-in one serves. */
function isFit(
  source: SectionsSource,
  entry: NamedEntry<PhraseName>,
  problems: FileProblem[],
): boolean {
  const fault = phraseFault(entry.name, entry.text);
  if (fault === undefined) return true;
  problems.push({
    ...fileProblem(source.file, 'unfit-phrase', `is not used: ${fault}`),
    line: entry.line + source.firstLine - 1,
    key: `phrases › ${entry.name}`,
    severity: 'warning',
  });
  return false;
}

const WHY = /^([\s\S]+?)\s(?:[—–-]\s{0,9})?Why:\s([\s\S]+)$/i;

function neverSays(source: SectionsSource, item: Entry, problems: FileProblem[]) {
  const match = WHY.exec(item.text);
  if (match !== null) return [{ line: oneLine(match[1] ?? ''), why: oneLine(match[2] ?? '') }];
  problems.push({
    ...fileProblem(source.file, 'missing-why', 'an example must say why it would never be said'),
    line: item.line + source.firstLine - 1,
    key: 'examples i would never say',
    expected: 'the line, then `Why:` and the reason',
  });
  return [];
}

/** Sub-headings with their text, or list items as `name: text`. */
function entriesOf(body: string, part: Part | undefined): Entry[] {
  if (part === undefined) return [];
  if (!part.nodes.some((node) => node.type === 'heading'))
    return itemsOf(body, part).map((item) => {
      const [, name, text] = /^\*{0,2}([^:*]+?)\*{0,2}:\*{0,2}\s*([\s\S]*)$/.exec(item.text) ?? [];
      return { name: name?.trim() ?? '', text: oneLine(text ?? item.text), line: item.line };
    });
  const groups: Part[] = [];
  for (const node of part.nodes) {
    if (node.type === 'heading')
      groups.push({ title: headingText(node), line: lineOf(node), nodes: [] });
    else groups.at(-1)?.nodes.push(node);
  }
  return groups.map((group) => ({
    name: group.title,
    text: textOf(body, group.nodes),
    line: group.line,
  }));
}

function itemsOf(body: string, part: Part | undefined): Entry[] {
  const lists = (part?.nodes ?? []).filter((node): node is List => node.type === 'list');
  return lists
    .flatMap((list) => list.children)
    .map((item) => ({ name: '', text: textOf(body, item.children), line: lineOf(item) }));
}

function textOf(body: string, nodes: readonly RootContent[]): string {
  const start = nodes[0]?.position?.start.offset;
  const end = nodes.at(-1)?.position?.end.offset;
  return body.slice(start ?? 0, end ?? 0).trim();
}

function headingText(heading: Heading): string {
  return heading.children
    .map((child) => ('value' in child ? child.value : ''))
    .join('')
    .trim();
}

function lineOf(node: { position?: { start: { line: number } } | undefined }): number {
  return node.position?.start.line ?? 1;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function fold(title: string): string {
  return title.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** `plan complete`, `plan_complete` and `planComplete` are one name. */
function phraseName(word: string): PhraseName | undefined {
  return PhraseName.options.find((name) => name.toLowerCase() === squash(word));
}

function triggerName(word: string): RunTrigger | undefined {
  return RunTrigger.options.find((name) => squash(name) === squash(word));
}

function squash(word: string): string {
  return word.toLowerCase().replace(/[\s_-]+/g, '');
}

function toRecord<Name extends string>(
  entries: readonly NamedEntry<Name>[],
): Partial<Record<Name, string>> {
  const record: Partial<Record<Name, string>> = {};
  for (const { name, text } of entries) record[name] = text;
  return record;
}
