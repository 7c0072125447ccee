/** Says which test file records. */
import path from 'node:path';
import { expect } from 'vitest';

globalThis.recordedTest = path.relative(process.cwd(), expect.getState().testPath ?? '');
