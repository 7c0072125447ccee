/** `quorum simulate`: what the team would have said of past pull requests, and what it would have cost. */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { openLocalChanges } from '../../../adapters/local/local-changes.ts';
import {
  listPastPulls,
  type PastPull,
  type PastPulls,
} from '../../../adapters/local/past-pulls.ts';
import { openLocalPulls } from '../../../adapters/local/local-pulls.ts';
import { createSecretDetector } from '../../../adapters/secrets/detector.ts';
import { loadSecretlint } from '../../../adapters/secrets/secretlint.ts';
import { parseDiff } from '../../../domain/diff/parse-diff.ts';
import { QuorumError } from '../../../domain/event/errors.ts';
import type { Basics } from '../../host-parts.ts';
import { createBasics } from '../basics.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { counted } from '../../../domain/text/counted.ts';
import { asUsage, LOCAL_LIMITS, LOCAL_TEXTS, YOU } from '../review/local-stage.ts';
import { reviewByCouncil } from '../review/run-review.ts';
import { renderSimulation } from '../simulate/render-simulation.ts';
import { createStandIn, type StandIn } from '../simulate/stand-in.ts';
import { toSimulationJson, type SimulatedPull, type Simulation } from '../simulate/sum-up.ts';

interface Flags {
  json?: true;
  repo: string;
  last: number;
  everyCommit?: true;
}

export async function simulate(flags: Flags, io: Io): Promise<ExitCode> {
  const dir = path.resolve(io.cwd, flags.repo);
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw usageError('folder-missing', `${dir} is no directory. Name one with --repo.`);
  const quiet = { ...io, env: { ...io.env, LOG_LEVEL: io.env['LOG_LEVEL'] ?? 'error' } };
  const basics = { ...createBasics(quiet, { to: 'err' }), env: io.env };
  const past = await listPastPulls({ dir, last: flags.last, everyCommit: flags.everyCommit }).catch(
    asUsage,
  );
  const simulation = await simulateAll(past, { dir, basics, io });
  if (flags.json === true) outJson(io, toSimulationJson(simulation));
  else io.out(renderSimulation(simulation, io));
  const isWhole = simulation.pulls.every((pull) => pull.error === undefined);
  return isWhole ? EXIT.ok : EXIT.failure;
}

interface Simulating {
  dir: string;
  basics: Basics;
  io: Io;
}

async function simulateAll(
  { branch, pulls }: PastPulls,
  { dir, basics, io }: Simulating,
): Promise<Simulation> {
  const standIn = createStandIn(basics);
  const models = new Set<string>();
  const done: SimulatedPull[] = [];
  for (const [at, pull] of pulls.entries()) {
    io.err(`${at + 1} of ${counted(pulls.length, 'pull request')}: ${nameOf(pull)}\n`);
    const startedAt = basics.clock.now();
    const review = await simulateOne(pull, { dir, basics, standIn });
    const seconds = (basics.clock.now() - startedAt) / 1_000;
    const requests = standIn.takeRequests();
    for (const name of standIn.namesOf(requests)) models.add(name);
    done.push({
      pull,
      ...standIn.priceOf(requests),
      modelCalls: requests.length,
      seconds,
      ...review,
    });
  }
  return { branch, pulls: done, models: [...models] };
}

function nameOf({ number, sha, title }: PastPull): string {
  return `${number === undefined ? sha.slice(0, 8) : `#${number}`} ${title}`;
}

/** What stops one must not stop the others. */
async function simulateOne(
  pull: PastPull,
  on: { dir: string; basics: Basics; standIn: StandIn },
): Promise<Pick<SimulatedPull, 'review' | 'changedLines' | 'error'>> {
  let changedLines = 0;
  try {
    const { dir, basics, standIn } = on;
    const markerSecret = randomBytes(32).toString('base64url');
    const { sha: head, baseSha: base } = pull;
    const changes = await openLocalChanges({ dir, base, head, limits: LOCAL_LIMITS });
    for (const file of parseDiff(changes.diff).files)
      changedLines += file.additions + file.deletions;
    const words = { title: pull.title, body: pull.body, branch: nameOf(pull) };
    const { clock } = basics;
    const stage = await openLocalPulls({ dir, changes, words, clock, markerSecret });
    const review = await reviewByCouncil({
      ...stage,
      basics,
      actor: YOU,
      config: 'as-it-was',
      markerSecret,
      personas: undefined,
      texts: LOCAL_TEXTS,
      detectSecrets: createSecretDetector({ load: loadSecretlint, onMissing: () => undefined }),
      onLook: () => undefined,
      model: standIn.model,
    });
    return { review, changedLines };
  } catch (error) {
    const code = error instanceof QuorumError ? error.code : 'bug';
    const message = error instanceof Error ? error.message : String(error);
    return { error: { code, message }, changedLines };
  }
}
