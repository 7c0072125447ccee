/** The embedded GitHub alone: an example repository or a copy of yours, people, a registered App, and a way to steer it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runOperation, startControl, type ControlServer } from '../../emulator/github/control.ts';
import { createGitHubEmulator } from '../../emulator/github/github-emulator.ts';
import { type GitHubEmulator } from '../../emulator/github/emulator-interface.ts';
import { writeGhConfig } from '../../emulator/github/gh-config.ts';
import {
  startModelServer,
  type ModelServer,
} from '../../emulator/model-server/start-model-server.ts';
import type { Script } from '../../emulator/model-server/script.ts';
import { LABEL_LOOKS } from '../../domain/repository/labels.ts';
import type { Clock, Random } from '../../ports/clock.ts';
import { registerApp, SOCKET } from '../open-world.ts';
import { peopleOf, type PersonWithToken } from './people-of.ts';
import { MAINTAINER, OWNER, PEOPLE, REPOSITORY } from '../project/people.ts';
import { setStage } from '../stage.ts';

export interface PlaygroundOptions {
  clock: Clock;
  random: Random;
  /** 0 takes a free one. */
  port: number;
  /** A git repository whose branches and tags are copied, in place of the example. */
  repo: string | undefined;
  /** Where the App's webhooks go. */
  webhook: string | undefined;
  /** Operations of the control address, carried out before anybody calls. */
  faults: readonly unknown[];
  /** Answers of a scripted model server, which is started with it. */
  script: Script | undefined;
}

export interface Playground {
  emulator: GitHubEmulator;
  /** `owner/repo`. */
  repository: string;
  people: PersonWithToken[];
  app: { id: number; privateKeyFile: string; webhookSecret: string };
  control: { url: string; token: string };
  models: { url: string; key: string } | undefined;
  /** A configuration for gh that leads here. */
  ghConfigDir: string;
  socket: string;
  close(): Promise<void>;
}

/** Starts it. Rejects when the port is taken, or `repo` is no git repository. */
export async function openPlayground(options: PlaygroundOptions): Promise<Playground> {
  const { clock, random, port } = options;
  const dir = await mkdtemp(path.join(os.tmpdir(), 'quorum-'));
  const socket = path.join(dir, SOCKET);
  const opened: { close(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).toReversed()) await one.close();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const emulator = await createGitHubEmulator({
      dir: path.join(dir, 'github'),
      clock,
      random,
      port,
      socketPath: socket,
      limits: { enforced: false },
    });
    opened.push(emulator);
    const repository = await seed(emulator, options);
    const app = await install(emulator, options, dir);
    const token = secret(random);
    const on = { github: emulator, appId: app.id, repository };
    for (const operation of options.faults) runOperation(on, operation);
    const steering: ControlServer = await startControl(on, token);
    opened.push(steering);
    const models = await startModels(options);
    if (models !== undefined) opened.push(models.server);
    return {
      emulator,
      repository,
      people: peopleOf(emulator),
      app,
      control: { url: steering.url, token },
      models: models && { url: models.server.url, key: models.key },
      ghConfigDir: await writeGhConfig(dir, socket),
      socket,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function secret(random: Random): string {
  return `${random.id()}${random.id()}`.replaceAll('-', '');
}

async function seed(emulator: GitHubEmulator, options: PlaygroundOptions): Promise<string> {
  emulator.createOrg(OWNER);
  const repository = await addRepository(emulator, options);
  // Quorum makes its labels when it first needs them; these are for people to put on.
  for (const name of ['deliberate', 'plan'] as const)
    await emulator
      .as(MAINTAINER)
      .request('POST', `/repos/${repository}/labels`, { name, ...LABEL_LOOKS[name] });
  return repository;
}

async function addRepository(
  emulator: GitHubEmulator,
  { repo, clock }: PlaygroundOptions,
): Promise<string> {
  if (repo === undefined) {
    await setStage(emulator, clock);
    return REPOSITORY;
  }
  for (const { login, name } of PEOPLE) emulator.createUser(login, name);
  const { name } = await emulator.importRepository(OWNER, repo);
  const repository = `${OWNER}/${name}`;
  for (const { login, permission } of PEOPLE)
    emulator.addCollaborator(repository, login, permission);
  return repository;
}

async function install(
  emulator: GitHubEmulator,
  { random, webhook }: PlaygroundOptions,
  dir: string,
): Promise<Playground['app']> {
  const {
    appId: id,
    privateKey,
    webhookSecret,
  } = await registerApp(emulator, {
    owner: OWNER,
    random,
  });
  emulator.installApp(id, OWNER);
  if (webhook !== undefined) emulator.app(id).webhookUrl = webhook;
  const privateKeyFile = path.join(dir, 'app.pem');
  await writeFile(privateKeyFile, privateKey, { mode: 0o600 });
  return { id, privateKeyFile, webhookSecret };
}

async function startModels({
  clock,
  random,
  script,
}: PlaygroundOptions): Promise<{ server: ModelServer; key: string } | undefined> {
  if (script === undefined) return undefined;
  const key = secret(random);
  return { server: await startModelServer({ clock, script, apiKey: key }), key };
}
