/** Which repository and version of Quorum a new set-up names. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isPin, UNKNOWN_OWNER, type ProductPin } from '../../../domain/setup/product-pin.ts';
import { usageError } from '../report-failure.ts';
import type { Prompts } from '../terminal/prompts.ts';

const Manifest = z.object({
  version: z.string(),
  repository: z.union([z.string(), z.object({ url: z.string() })]).optional(),
});

export interface Source extends ProductPin {
  /** `guessed`: a repository `quorum` of the same owner; `unknown`: a placeholder to be replaced. */
  certainty: 'known' | 'guessed' | 'unknown';
}

/**
 * What the flags name; else the repository of this package; else one of the same owner, a name that nobody else can take.
 * ConfigError `source-invalid`.
 */
export function findSource(
  flags: { source?: string | undefined; ref?: string | undefined },
  target: string,
): Source {
  const ref = flags.ref ?? ownRef();
  const published = flags.source ?? publishedFrom();
  if (published !== undefined)
    return { ...checkPin({ repository: published, ref }), certainty: 'known' };
  const [owner = ''] = target.split('/');
  const isLocal = target.startsWith('local/');
  const repository = `${isLocal ? UNKNOWN_OWNER : owner}/quorum`;
  return { ...checkPin({ repository, ref }), certainty: isLocal ? 'unknown' : 'guessed' };
}

/** Asks where neither a flag nor this package says it. */
export async function askSource(source: Source, prompts: Prompts): Promise<Source> {
  if (source.certainty === 'known') return source;
  const repository = await prompts.text({
    message: 'Which repository is your copy of Quorum? The workflow passes its secrets to it',
    initial: source.certainty === 'unknown' ? '' : source.repository,
    refuse: (text) =>
      isPin({ ...source, repository: text }) ? undefined : 'Write owner/name, such as acme/quorum.',
  });
  return { ...source, repository, certainty: 'known' };
}

/** The moving tag of this version: `v1` for 1.4.2. */
export function ownRef(): string {
  return `v${readManifest().version.split('.')[0] ?? '0'}`;
}

/** @throws ConfigError `source-invalid` */
export function checkPin(pin: ProductPin): ProductPin {
  if (isPin(pin)) return pin;
  throw usageError(
    'source-invalid',
    `${pin.repository}@${pin.ref} is no version of Quorum. Write --source owner/name, and --ref with a tag or a commit.`,
  );
}

function publishedFrom(): string | undefined {
  const { repository } = readManifest();
  const address = typeof repository === 'string' ? repository : repository?.url;
  return /(?:github:|github\.com[/:])([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(address ?? '')?.[1];
}

function readManifest(): z.infer<typeof Manifest> {
  const file = new URL('../../../../package.json', import.meta.url);
  return Manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
}
