/** How the house is built, in figures: each is a list, so that what is behind a number can be shown. */
import path from 'node:path';
import { countFloors, findCircles, type Graph } from './circles.ts';
import type { Source } from './source-tree.ts';

export interface Figure {
  name: string;
  value: string;
  /** What it counts, for `--list`. */
  items?: string[];
}

const MOST_FILES = 15;
/** Rooms that are not the product's core: the embedded GitHub and the demonstration, before and after they moved. */
const ASIDE = /^(?:emulator|demo)\//;
/** Records whose size tells how much one thing knows of all others; of several the largest counts. */
const RECORDS = [
  ['base record of a run', /^(?:RunBase|CouncilRun)$/],
  ['record of a run that asks personas', /^TeamState$/],
  ['record of a discussion', /^DiscussionState$/],
  ['largest record of a kind', /RunState$/],
  ['largest record of a task', /^Task(?:Run|Attempt|Work|Review|Merge|Questions)$/],
  ['record of a thread', /^ThreadState$/],
] as const;

export function measure(sources: readonly Source[]): Figure[] {
  const core = sources.filter(({ file }) => !ASIDE.test(file));
  return [
    figure('files', sources.map(toFile)),
    { name: 'lines', value: String(sumLines(sources)) },
    figure('core files', core.map(toFile)),
    { name: 'core lines', value: String(sumLines(core)) },
    largestCircle(sources),
    figure(`folders with more than ${MOST_FILES} files`, crowded(sources)),
    figure('files that share a basename', sharedBasenames(sources)),
    figure('basenames shared by sibling folders', sharedBySiblings(sources)),
    ...insideDecide(sources),
    ...RECORDS.flatMap(([name, of]) => fieldsOf(name, of, sources)),
    examples(sources),
    sharedFunctions(sources),
  ];
}

function figure(name: string, items: string[]): Figure {
  return { name, value: String(items.length), items };
}

function toFile({ file }: { file: string }): string {
  return file;
}

function sumLines(sources: readonly Source[]): number {
  return sources.reduce((sum, { lines }) => sum + lines, 0);
}

function largestCircle(sources: readonly Source[]): Figure {
  const graph: Graph = new Map(sources.map(({ file, imports }) => [file, new Set(imports)]));
  const [largest = []] = findCircles(graph);
  return figure('largest circle of imports, types included', largest);
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

function crowded(sources: readonly Source[]): string[] {
  return [...groupBy(sources, ({ file }) => path.posix.dirname(file))]
    .filter(([, files]) => files.length > MOST_FILES)
    .map(([folder, files]) => `${folder} ${files.length}`);
}

function sharedBasenames(sources: readonly Source[]): string[] {
  return [...groupBy(sources, ({ file }) => path.posix.basename(file)).values()]
    .filter((files) => files.length > 1)
    .flatMap((files) => files.map(toFile));
}

/** Files of one name in folders beside each other; the kinds of run have files of the same shape. */
function sharedBySiblings(sources: readonly Source[]): string[] {
  const inFolders = sources.filter(({ file }) => !file.startsWith('decide/kinds/'));
  const keyOf = ({ file }: Source): string =>
    `${path.posix.dirname(path.posix.dirname(file))}/*/${path.posix.basename(file)}`;
  return [...groupBy(inFolders, keyOf)]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name} ${files.length}`);
}

/** The rooms of `decide/` are its folders; kinds of run are rooms of their own. */
function roomInDecide(file: string): string | undefined {
  const [top, room = '', kind = '', rest] = file.split('/');
  if (top !== 'decide' || room.endsWith('.ts')) return undefined;
  return room === 'kinds' && rest !== undefined ? `kinds/${kind}` : room;
}

function insideDecide(sources: readonly Source[]): Figure[] {
  const graph = new Map<string, Set<string>>();
  for (const { file, imports } of sources) {
    const from = roomInDecide(file);
    if (from === undefined) continue;
    const to = graph.get(from) ?? new Set();
    graph.set(from, to);
    for (const target of imports.map(roomInDecide))
      if (target !== undefined && target !== from) to.add(target);
  }
  const pairs = [...graph].flatMap(([from, to]) =>
    [...to]
      .filter((other) => from < other && graph.get(other)?.has(from) === true)
      .map((other) => `${from} ↔ ${other}`),
  );
  const rooms = [...graph.keys()];
  const isKind = (room: string): boolean => room.startsWith('kinds/');
  return [
    figure(
      'rooms in decide/ besides kinds of run',
      rooms.filter((room) => !isKind(room)),
    ),
    figure('kinds of run', rooms.filter(isKind)),
    { name: 'floors in decide/', value: String(countFloors(graph)) },
    figure('pairs in decide/ that import each other', pairs),
  ];
}

function fieldsOf(name: string, pattern: RegExp, sources: readonly Source[]): Figure[] {
  const [largest] = sources
    .flatMap(({ interfaces }) => [...interfaces])
    .flatMap(([record, fields]) => (pattern.test(record) ? [fields] : []))
    .toSorted((one, two) => two.length - one.length);
  return largest === undefined ? [] : [figure(`fields of the ${name}`, largest)];
}

function examples(sources: readonly Source[]): Figure {
  const byFile = new Map(sources.map((source) => [source.file, source]));
  const names = byFile.get('index.ts')?.passedOn ?? [];
  const without = names.filter(({ name, from }) => byFile.get(from)?.examples.get(name) !== true);
  return {
    name: 'exported values of index.ts with an @example',
    value: `${names.length - without.length} of ${names.length}`,
    items: without.map(({ name }) => `without: ${name}`),
  };
}

/** The texts of the sample project that the demonstration works on: its functions are not the product's. */
const SAMPLE = /^demo\/project\/(?:beginnings|growth)\.ts$/;

/** An overloaded function counts once. */
function sharedFunctions(sources: readonly Source[]): Figure {
  const all = sources
    .filter(({ file }) => !SAMPLE.test(file))
    .flatMap(({ file, functions }) => [...new Set(functions)].map((name) => ({ file, name })));
  const shared = [...groupBy(all, ({ name }) => name)].filter(([, uses]) => uses.length > 1);
  const items = shared.map(([name, uses]) => `${name}: ${uses.map(toFile).join(', ')}`);
  return figure('names of exported functions that more than one file has', items);
}
