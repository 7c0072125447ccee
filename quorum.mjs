/**
 * Starts Quorum from a checkout. An older Node loads no TypeScript, not even the file that would say so: this one does,
 * and imports nothing before it has looked.
 */
const [major = 0, minor = 0] = process.version.replace('v', '').split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 18)) await import('./src/hosts/cli.ts');
else {
  process.stderr.write(
    `quorum: From a checkout Quorum needs Node 22.18 or newer (24 is best), and this is Node ${process.version.replace('v', '')}: install a newer one from https://nodejs.org. [node-too-old]\n`,
  );
  process.exitCode = 2;
}
