/** `node test/prose/lower-allowed.ts`: writes what files may have after prose was rewritten; it raises nothing. */
import { writeFileSync } from 'node:fs';
import { ALLOWED_FILE, findProse, lowerAllowed, readAllowed } from './check-prose.ts';

const lowered = lowerAllowed(findProse(), readAllowed());
writeFileSync(ALLOWED_FILE, `${JSON.stringify(lowered, undefined, 2)}\n`);
