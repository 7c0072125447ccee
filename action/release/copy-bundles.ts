/** Copies the bundles of the artifact into `action` and gives their digest. Only Node is needed: it runs before any package. */
import { appendFileSync } from 'node:fs';
import { digestOf, readArtifact, writeBundles } from './artifact.ts';

const { BUNDLES: artifact = '', GITHUB_OUTPUT: output = '' } = process.env;
const files = readArtifact(artifact, '.');
writeBundles('.', files);
const digest = digestOf(files);
process.stdout.write(`${files.length} files, SHA-256 ${digest}\n`);
appendFileSync(output, `digest=${digest}\n`);
