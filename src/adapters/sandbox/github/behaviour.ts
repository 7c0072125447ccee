/** Where github.com is harsher than a plain server: each with the public thread that shows it, each on unless a test says otherwise. */

export interface Behaviour {
  /**
   * A 304 carries no `Link` header, and the ETag covers the body alone: a full page stays 304 while the next page appears.
   *
   * @see https://github.com/app-sre/github-mirror/pull/57
   * @see https://github.com/app-sre/github-mirror/pull/113
   */
  hidesLinkIn304: boolean;
}

export const GITHUB_COM: Behaviour = {
  hidesLinkIn304: true,
};
