/** What programs may import from this package, name by name: parsing and rendering, the App, and a GitHub to test on. */
export { startApp, type AppOptions, type RunningApp } from './hosts/app.ts';
export {
  createSandboxGitHub,
  type SandboxGitHub,
  type SandboxOptions,
} from './adapters/sandbox/github/sandbox-github.ts';
export { systemClock, systemRandom } from './adapters/system/clock.ts';
export { loadPersonas, type PersonaFolders } from './adapters/files/personas.ts';
export { resolveConfig, type ConfigSource, type ResolvedConfig } from './domain/config-file.ts';
export { defaultConfig, type Config } from './domain/config.ts';
export { parsePersonaFile, type PersonaFile } from './domain/persona-file.ts';
export type { Persona } from './domain/persona.ts';
export { compileSoul, renderBlocks, type SoulContext } from './domain/soul.ts';
export { parseMarker, type MarkerData } from './domain/marker.ts';
export type { CouncilRun, Verdict, VerdictWord } from './domain/council.ts';
export {
  ConfigError,
  ConflictError,
  InvalidOutputError,
  QuorumError,
  RefusedError,
  TransientError,
} from './domain/errors.ts';
export type { Clock, Random } from './ports/clock.ts';
export type { GitHub } from './ports/github.ts';
export type { Log } from './ports/log.ts';
export type { Model } from './ports/model.ts';
export type { Store } from './ports/store.ts';
