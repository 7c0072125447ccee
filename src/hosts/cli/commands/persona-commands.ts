/** `quorum personas`: who is in the team, whether its files are sound, and the prompt each compiles to. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { loadPersonas, REPOSITORY_PERSONAS } from '../../../adapters/files/load-personas.ts';
import { teamDigests } from '../../../domain/persona/digest.ts';
import { nearest } from '../../../domain/text/nearest.ts';
import type { AssembledTeam } from '../../../domain/persona/persona-team.ts';
import { RunTrigger, type Persona } from '../../../domain/persona/persona.ts';
import { resolvePersona } from '../../../domain/persona/roster.ts';
import { compileSoul, renderBlocks } from '../../../domain/persona/soul.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';
import { counted } from '../../../domain/text/counted.ts';
import { countProblems, renderProblems } from '../render-problems.ts';
import { renderTable } from '../terminal/table.ts';

export interface Place {
  json?: true;
  /** The repository. */
  dir: string;
}

export async function listPersonas(options: Place, io: Io): Promise<ExitCode> {
  const { personas, problems } = await loadTeam(options, io);
  const digests = teamDigests(personas);
  if (options.json === true)
    outJson(io, {
      personas: personas.map((persona) => ({
        ...briefly(persona),
        digest: digests[persona.handle],
      })),
      problems,
    });
  else io.out(renderTeam(personas, io));
  if (problems.length > 0) io.err(renderProblems(problems, createPaint(io)));
  return EXIT.ok;
}

/** Stops at a file that does not validate: {@link checkPersonas} says which. */
function loadTeam({ dir }: Place, io: Io): Promise<AssembledTeam> {
  return loadPersonas({ overrides: path.resolve(io.cwd, dir, REPOSITORY_PERSONAS) });
}

function briefly(persona: Persona) {
  const { handle, name, role, team, active, lead, lens, triggers } = persona;
  return { handle, name, role, team, active, lead, lens, triggers, model: modelOf(persona) };
}

function modelOf({ model }: Persona): string {
  return typeof model === 'string' ? model : `${model.provider}/${model.model}`;
}

function renderTeam(personas: readonly Persona[], io: Io): string {
  const paint = createPaint(io);
  const head = ['handle', 'name', 'team', 'role', 'looks for'].map(paint.bold);
  const rows = personas.map((persona) => [
    persona.active ? persona.handle : `${persona.handle} (off)`,
    persona.name,
    persona.team,
    persona.lead ? `${persona.role} · leads` : persona.role,
    paint.dim(persona.lens),
  ]);
  return renderTable([head, ...rows], { columns: io.columns });
}

export async function showPersona(options: Place & { handle: string }, io: Io): Promise<ExitCode> {
  const persona = await findPersona(options, io);
  if (options.json === true) {
    outJson(io, { ...persona, digest: teamDigests([persona])[persona.handle] });
    return EXIT.ok;
  }
  const paint = createPaint(io);
  const facts = [
    ['team', persona.team],
    ['model', modelOf(persona)],
    ['looks for', persona.lens],
    ['joins', persona.triggers.join(', ')],
    ['domains', persona.domains.join(', ')],
    ['leads', persona.lead ? 'yes: closes a discussion with a verdict' : 'no'],
    ['active', persona.active ? 'yes' : 'no'],
  ].map(([label = '', value = '']) => [paint.dim(label), value]);
  io.out(`${paint.bold(`${persona.name} (@${persona.handle})`)} · ${persona.role}\n\n`);
  io.out(renderTable(facts, { columns: io.columns, indent: 2 }));
  io.out(`\n${persona.whoIAm}\n`);
  if (persona.wouldSay.length > 0)
    io.out(`\nWould say:\n${persona.wouldSay.map((line) => `  ${line}\n`).join('')}`);
  io.out(`\nThe whole prompt: quorum personas render ${persona.handle}\n`);
  return EXIT.ok;
}

/** ConfigError `persona-unknown` with the nearest name. */
export async function findPersona(options: Place & { handle: string }, io: Io): Promise<Persona> {
  return find(await loadTeam(options, io), options.handle);
}

function find({ personas }: AssembledTeam, wanted: string): Persona {
  const found =
    personas.find(({ handle }) => handle === wanted.replace(/^@/, '')) ??
    resolvePersona(personas, wanted);
  if (found !== undefined) return found;
  const handles = personas.map(({ handle }) => handle);
  const hint = nearest(wanted, handles);
  const meant = hint === undefined ? `There are: ${handles.join(', ')}.` : `Did you mean ${hint}?`;
  throw usageError('persona-unknown', `Nobody in the team is called ${wanted}. ${meant}`);
}

export async function checkPersonas(
  options: { json?: true; folder: string | undefined },
  io: Io,
): Promise<ExitCode> {
  const folder = path.resolve(io.cwd, options.folder ?? REPOSITORY_PERSONAS);
  if (options.folder !== undefined && !existsSync(folder))
    throw usageError(
      'folder-missing',
      `There is no folder ${folder}. Name one with persona files.`,
    );
  const { personas, problems } = await loadPersonas({ overrides: folder });
  const isSound = problems.every(({ severity }) => severity !== 'error');
  if (options.json === true)
    outJson(io, { ok: isSound, personas: personas.map(({ handle }) => handle), problems });
  else {
    io.out(renderProblems(problems, createPaint(io)));
    io.out(`${counted(personas.length, 'persona')}: ${countProblems(problems)}\n`);
  }
  return isSound ? EXIT.ok : EXIT.failure;
}

interface Rendering extends Place {
  handle: string;
  trigger?: string;
  memory?: string;
}

export async function renderPersona(options: Rendering, io: Io): Promise<ExitCode> {
  const persona = await findPersona(options, io);
  const trigger = options.trigger === undefined ? undefined : toTrigger(options.trigger);
  const memory = options.memory === undefined ? undefined : await readMemory(options.memory, io);
  const blocks = compileSoul(persona, {
    ...(trigger === undefined ? {} : { trigger }),
    ...(memory === undefined ? {} : { memory }),
  });
  if (options.json === true) outJson(io, { handle: persona.handle, blocks });
  else io.out(renderBlocks(blocks));
  return EXIT.ok;
}

function toTrigger(name: string): RunTrigger {
  const parsed = RunTrigger.safeParse(name);
  if (parsed.success) return parsed.data;
  const hint = nearest(name, RunTrigger.options);
  const known = hint === undefined ? RunTrigger.options.join(', ') : hint;
  throw usageError('trigger-unknown', `There is no trigger ${name}. Use: ${known}.`);
}

async function readMemory(file: string, io: Io): Promise<string> {
  try {
    return await readFile(path.resolve(io.cwd, file), 'utf8');
  } catch {
    throw usageError('file-missing', `${file} cannot be read. Name a text file with --memory.`);
  }
}
