/** The browser of this machine, for tests that look at pages as people do. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const FILE = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file));

/** Why no page can be opened here; undefined when one can. */
export const noChromium = FILE === undefined ? 'no Chromium' : undefined;

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: FILE ?? '', args: FLAGS });
}
