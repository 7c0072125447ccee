/** Reads a repository's code, once and within bounds, and searches it: what was not read is named. */
import type { EffectData } from '../../domain/event/effect.ts';
import { RefusedError } from '../../domain/event/errors.ts';
import { toRepositoryState } from '../../domain/repository/repository-state.ts';
import type { SecretSighting } from '../../domain/secrets/secret-text.ts';
import type { IssueView, SourceFile } from '../../domain/run/view.ts';
import {
  namesInKey,
  type CodeView,
  type RaisedIssue,
} from '../../domain/repository/watched-code.ts';
import { codeToRead, holdsNames, isBelow } from '../../domain/repository/watch-paths.ts';
import type { OwnIssue } from '../../ports/github/github-code.ts';
import type { Asker } from '../memory/rank-again.ts';
import type { Look } from './look.ts';
import type { ActPorts, Performed } from '../ports.ts';

type LookCode = Extract<EffectData, { kind: 'look-code' }>;

/** Some 150,000 lines: seconds of work, and a hundred megabytes while it lasts. */
const MAX_FILES = 1_500;
const MAX_BYTES = 5_000_000;
/** A longer file is data, or was made by a program. */
const MAX_FILE_BYTES = 300_000;
const MAX_NAMED = 5;

/** @throws RefusedError `no-code-search` where the host has no analysers */
export async function lookAtCode(
  data: LookCode,
  { ports, look, run, effectId }: { ports: ActPorts; look: Look } & Asker,
): Promise<Performed<'look-code'>> {
  const { thread, actor } = data;
  const { result, githubCalls } = await look({ kind: 'look', thread, actor }, { run, effectId });
  const session = ports.github.at(thread);
  const own = await session.code.ownIssues(thread);
  const code = await search(data, { ports, view: result.view, own });
  const calls = { ...githubCalls };
  for (const [route, count] of Object.entries(session.counts))
    calls[route] = (calls[route] ?? 0) + count;
  return {
    effectKind: 'look-code',
    result: {
      ...result,
      // What the search needed of it is in the findings.
      view: { ...result.view, paths: [], files: [], pastIssues: [] },
      code,
      githubCalls: Object.values(calls).reduce((sum, count) => sum + count, 0),
    },
    githubCalls: calls,
  };
}

interface Searching {
  ports: ActPorts;
  view: IssueView;
  own: readonly OwnIssue[];
}

async function search(data: LookCode, { ports, view, own }: Searching): Promise<CodeView> {
  const { searchCode, store, clock } = ports;
  if (searchCode === undefined)
    throw new RefusedError({
      code: 'no-code-search',
      message: 'This host has no analysers for a whole repository.',
      details: 'Run the code watch in the App, or with quorum sweep.',
    });
  const raised = own.flatMap(toRaised);
  const { files, notRead, isWhole } = await readCode(data, { ports, view });
  const state = await store.load(`repository:${data.thread.repositoryId}`);
  const judged = toRepositoryState(state?.state)?.watched ?? [];
  const found = await searchCode(
    {
      paths: view.paths,
      files,
      isWhole,
      secrets: await findCredentials(files, ports),
      closedIssues: view.pastIssues
        .filter((issue) => issue.state === 'closed')
        .map(({ number }) => number),
      today: new Date(clock.now()).toISOString(),
      path: data.path,
      known: [...raised.flatMap(({ names }) => names), ...judged],
    },
    data.limit,
  );
  return {
    ...found,
    notRead: [...view.notRead, ...notRead, ...summed(found.notRead)],
    files: files.length,
    asked: files.filter((file) => isBelow(file.path, data.path)).length,
    raised: raised.map(({ issue }) => issue),
  };
}

function toRaised({ marker, number, title, state, labels }: OwnIssue) {
  const names = namesInKey(marker.key);
  if (names === undefined) return [];
  const issue: RaisedIssue = { number, title, state, labels };
  return [{ issue, names }];
}

interface ReadCode {
  files: SourceFile[];
  notRead: string[];
  isWhole: boolean;
}

async function readCode(
  { thread, path }: LookCode,
  { ports, view }: Pick<Searching, 'ports' | 'view'>,
): Promise<ReadCode> {
  const wanted = codeToRead(view.paths, path);
  const paths = wanted.slice(0, MAX_FILES);
  const limits = { maxBytes: MAX_FILE_BYTES, totalBytes: MAX_BYTES };
  const { code } = ports.github.at(thread);
  const files =
    paths.length === 0
      ? []
      : await code.texts(thread, view.repository.headSha, { paths, ...limits });
  const read = new Set(files.map((file) => file.path));
  const missing = paths.filter((each) => !read.has(each));
  const cut = files.filter(({ isCut }) => isCut).map((file) => file.path);
  const beyond = wanted.length - paths.length;
  return {
    files,
    isWhole: view.notRead.length === 0 && beyond === 0 && ![...missing, ...cut].some(holdsNames),
    notRead: [
      beyond > 0 ? `${beyond} files beyond the first ${MAX_FILES}` : '',
      listed(missing, 'binary, too large, or beyond 5 MB in all'),
      listed(cut, 'only the first 300 kB'),
    ].filter((line) => line !== ''),
  };
}

function listed(paths: readonly string[], why: string): string {
  if (paths.length === 0) return '';
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return `${paths.slice(0, MAX_NAMED).join(', ')}${more}: ${why}`;
}

/** Many files are left out for one reason: generated code, mostly. */
function summed(notRead: readonly string[]): string[] {
  const byReason = Map.groupBy(notRead, (line) => line.slice(line.lastIndexOf(': ') + 2));
  return [...byReason].map(([reason, lines]) =>
    listed(
      lines.map((line) => line.slice(0, line.lastIndexOf(': '))),
      reason,
    ),
  );
}

/** By path. */
async function findCredentials(
  files: readonly SourceFile[],
  { detectSecrets }: ActPorts,
): Promise<Record<string, readonly SecretSighting[]>> {
  if (detectSecrets === undefined) return {};
  const found: [string, readonly SecretSighting[]][] = [];
  for (const { path, text } of files) {
    const sightings = await detectSecrets(text, path);
    if (sightings.length > 0) found.push([path, sightings]);
  }
  return Object.fromEntries(found);
}
