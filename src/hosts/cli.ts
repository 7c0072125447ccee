#!/usr/bin/env node
/** The entry point of `quorum`: environment from `.env` below the real one, then one command. */
import { readFileSync } from 'node:fs';
// What an old Node cannot load is imported after its version was looked at.
import { nodeTooOld } from './cli/node-version.ts';

const manifest: { version: string; engines: { node: string } } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const problem = nodeTooOld(process.version, manifest.engines.node);
if (problem === undefined) await run();
else {
  process.stderr.write(`quorum: ${problem}\n`);
  process.exitCode = 2;
}

async function run(): Promise<void> {
  const { enableCompileCache } = await import('node:module');
  // Compiled code is kept between starts; it helps only what is imported after it was switched on.
  enableCompileCache();
  const { runCli } = await import('./cli/program.ts');
  const { createProcessIo, endProcess } = await import('./cli/terminal/process-io.ts');
  const { loadEnvFile } = await import('./environment/env-file.ts');
  const { useNetwork } = await import('../adapters/system/network.ts');
  const io = createProcessIo();
  loadEnvFile('.env', io.env);
  useNetwork(io.env);
  endProcess(await runCli(process.argv.slice(2), io, manifest.version));
}
