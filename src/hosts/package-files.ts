/** Where the package's own data files are; the same from source and from dist. */
import { fileURLToPath } from 'node:url';

/** app.yml: what the App asks GitHub for. */
export const MANIFEST_FILE: string = fileURLToPath(new URL('../../app.yml', import.meta.url));
