/** What a request to GitHub carries, and what GitHub answers. */

export type Params = Record<string, unknown>;

export interface Answer<D = unknown> {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  data: D;
}
