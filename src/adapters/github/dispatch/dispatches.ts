/** Dispatches and their runs in one session. */
import type { DispatchedRun } from '../../../domain/dispatch/choose-run.ts';
import type { RunArtifact } from '../../../domain/dispatch/judge-artifact.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { Dispatches } from '../../../ports/github/dispatches.ts';
import type { SessionContext } from '../bound.ts';
import { PER_PAGE } from '../client/pages.ts';
import {
  CREATE_BLOB,
  GET_RUN,
  LIST_ARTIFACTS,
  LIST_DISPATCHED_RUNS,
  LOCATE_ARCHIVE,
  SEND_DISPATCH,
  type WireArtifact,
  type WireDispatchedRun,
} from './dispatch-operations.ts';
import { unzip } from './unzip.ts';

export function createDispatches(bound: SessionContext): Dispatches {
  const { calls, places } = bound;
  return {
    keepText: async (ref, content) => {
      const place = places.last(ref);
      const { data } = await calls.send(CREATE_BLOB, { ...place, content, encoding: 'utf-8' });
      return data.sha;
    },
    send: async (ref, { event, payload }) => {
      const wanted = { event_type: event, client_payload: payload };
      await calls.send(SEND_DISPATCH, { ...places.last(ref), ...wanted });
    },
    runsOf: (ref, of) => readRuns(bound, ref, of),
    run: async (ref, id) =>
      toRun((await calls.get(GET_RUN, { ...places.last(ref), run_id: id })).data),
    artifactsOf: async (ref, runId) => {
      const wanted = { ...places.last(ref), run_id: runId, per_page: PER_PAGE };
      return (await calls.get(LIST_ARTIFACTS, wanted)).data.artifacts.map(toRunArtifact);
    },
    filesOf: (ref, artifactId, most) => readFiles(bound, ref, { artifactId, most }),
  };
}

/** A filtered list of runs ends after a thousand. */
const MOST_PAGES = 10;

/**
 * Newest first, until they are older than that. GitHub documents its filter `actor` for the login of a user. The account of an
 * App is judged by its id, so there is no such filter.
 */
async function readRuns(
  { calls, places }: SessionContext,
  ref: RepositoryRef,
  { file, since }: { file: string; since: string },
): Promise<DispatchedRun[] | undefined> {
  const wanted = {
    ...places.last(ref),
    workflow_id: file,
    event: 'repository_dispatch',
    per_page: PER_PAGE,
  };
  const runs: DispatchedRun[] = [];
  let answer = await calls.find(LIST_DISPATCHED_RUNS, wanted);
  if (answer === undefined) return undefined;
  for (let page = 1; answer !== undefined; page += 1) {
    const listed: DispatchedRun[] = answer.data.workflow_runs.map(toRun);
    runs.push(...listed);
    const [oldest] = listed.slice(-1);
    const isEnough = oldest === undefined || Date.parse(oldest.createdAt) < Date.parse(since);
    answer =
      isEnough || page === MOST_PAGES
        ? undefined
        : await calls.next(LIST_DISPATCHED_RUNS, wanted, answer);
  }
  return runs;
}

/** Beyond what is in it: names, and what an archive adds. */
const ARCHIVE_BYTES = 100_000;

interface FilesWanted {
  artifactId: number;
  most: ReadonlyMap<string, number>;
}

async function readFiles(
  { calls, places }: SessionContext,
  ref: RepositoryRef,
  { artifactId, most }: FilesWanted,
): Promise<Map<string, Uint8Array>> {
  const wanted = { artifact_id: artifactId, archive_format: 'zip' };
  const url = await calls.locate(LOCATE_ARCHIVE, { ...places.last(ref), ...wanted });
  const maxBytes = [...most.values()].reduce((sum, bytes) => sum + bytes, ARCHIVE_BYTES);
  const pieces: Uint8Array[] = [];
  const isWhole = await calls.readBytes(url, { take: (piece) => pieces.push(piece), maxBytes });
  if (!isWhole)
    throw new RefusedError({
      code: 'intents-invalid',
      message: `The artifact has more than ${maxBytes} bytes.`,
    });
  return unzip(Buffer.concat(pieces), most);
}

function toRun(run: WireDispatchedRun): DispatchedRun {
  return {
    id: run.id,
    title: run.display_title,
    event: run.event,
    path: run.path.split('@')[0] ?? '',
    actorId: run.actor?.id,
    headRepositoryId: run.head_repository?.id,
    conclusion: run.status === 'completed' ? (run.conclusion ?? 'unknown') : undefined,
    createdAt: run.created_at,
    url: run.html_url,
  };
}

function toRunArtifact({ id, name, ...artifact }: WireArtifact): RunArtifact {
  return {
    id,
    name,
    bytes: artifact.size_in_bytes,
    isExpired: artifact.expired,
    runId: artifact.workflow_run?.id,
    repositoryId: artifact.workflow_run?.repository_id,
    headRepositoryId: artifact.workflow_run?.head_repository_id,
  };
}
