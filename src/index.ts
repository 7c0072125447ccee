/** What programs may import from this package, name by name: parsing and rendering, the App, and a GitHub to test on. */
export { startApp, type AppOptions, type RunningApp } from './hosts/start-app.ts';
export { createGitHubEmulator } from './emulator/github/github-emulator.ts';
export type { GitHubEmulator, EmulatorOptions } from './emulator/github/emulator-interface.ts';
export { systemClock, systemRandom } from './adapters/system/system-clock.ts';
export { loadPersonas, type PersonaFolders } from './adapters/files/load-personas.ts';
export {
  resolveConfig,
  type ConfigSource,
  type ResolvedConfig,
} from './domain/config/config-file.ts';
export { defaultConfig, type Config } from './domain/config/config.ts';
export { parsePersonaFile, type PersonaFile } from './domain/persona/persona-file.ts';
export type { Persona } from './domain/persona/persona.ts';
export { compileSoul, renderBlocks, type SoulContext } from './domain/persona/soul.ts';
export { parseMarker, type MarkerData } from './domain/github/marker.ts';
export type { Run as CouncilRun } from './domain/run/state/run-record.ts';
export type { Verdict, VerdictWord } from './domain/run/council.ts';
export {
  ConfigError,
  ConflictError,
  InvalidOutputError,
  QuorumError,
  RefusedError,
  TransientError,
} from './domain/event/errors.ts';
export type { Clock, Random } from './ports/clock.ts';
export type { GitHub } from './ports/github/github.ts';
export type { Log } from './ports/log.ts';
export type { Model } from './ports/model.ts';
export type { Store } from './ports/store.ts';
