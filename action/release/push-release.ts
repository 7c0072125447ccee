/** Makes the commits of a release and pushes its tags, all or none. Only Node and git are needed. */
import { pushRelease } from './git-release.ts';

const {
  VERSION: version = '',
  GITHUB_REPOSITORY: repository = '',
  BUNDLES: artifact = '',
  DIGEST: digest = '',
} = process.env;
const pushed = await pushRelease('.', { version, repository, artifact, digest });
process.stdout.write(`${pushed}\n`);
