/** Where github.com is harsher than a plain server: each with the public thread that shows it, each on where github.com does so by itself. */

export interface Behaviour {
  /**
   * A 304 carries no `Link` header, and the ETag covers the body alone. A full page stays 304 while the next page
   * appears.
   *
   * @see https://github.com/app-sre/github-mirror/pull/57
   * @see https://github.com/app-sre/github-mirror/pull/113
   */
  hidesLinkIn304: boolean;
  /**
   * Of merges into one base at the same time the first succeeds; the others are 405 'Base branch was modified', and
   * pass when retried. Else one waits for the other.
   *
   * @see https://github.com/NixOS/nixpkgs-merge-bot/issues/179
   * @see https://github.com/quipper/monorepo-deploy-actions/pull/492
   */
  racesMerges: boolean;
  /**
   * An ETag depends on the token as well. An installation gets a new one each hour, after which nothing is 304.
   *
   * @see https://github.com/eclipse-csi/otterdog/issues/201
   * @see https://github.com/github/docs/issues/34689
   */
  tagsByToken: boolean;
  /**
   * GraphQL's `Ref.refUpdateRule` is null for a protected branch too, for those whom the rule does not bind. Off: most see it.
   *
   * @see https://github.com/fpicalausa/remove-stale-branches/pull/76
   * @see https://docs.github.com/graphql/reference/branches
   */
  hidesUpdateRule: boolean;
  /**
   * An App whose webhook address is on localhost is not registered. Off: as on an Enterprise Server, which may be beside it.
   *
   * @see https://github.com/github-community-projects/private-mirrors/issues/387
   */
  refusesLocalHooks: boolean;
}

export const GITHUB_COM: Behaviour = {
  hidesLinkIn304: true,
  racesMerges: true,
  tagsByToken: true,
  hidesUpdateRule: false,
  refusesLocalHooks: true,
};
