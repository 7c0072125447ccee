/** What a repository and its branches ask of a merge. */

/** GitHub calls it a method, which HTTP has too. */
export type MergeWay = 'merge' | 'squash' | 'rebase';

/** What a branch asks of what is merged into it. */
export interface BranchRules {
  /** Where GitHub shows them: in the branch itself, or among the rules of rulesets. */
  from: 'protection' | 'ruleset';
  /** Names that must have succeeded; from this App alone where one is named. */
  checks: { context: string; appId?: number }[];
  /** Only what is up to date may be merged. */
  isStrict: boolean;
  /** Only through a queue. */
  hasQueue: boolean;
  /** Only with every conversation resolved. */
  mustResolve?: boolean;
  /**
   * Only commits with a verified signature, in pushes and in what is merged:
   * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-protected-branches/about-protected-branches#require-signed-commits
   */
  mustSign?: boolean;
  /**
   * Nothing is written but through a pull request. Refs that the API makes or moves are held to it; a push over git is not.
   *
   * @see https://github.com/satisfactory-factories/application/issues/67
   */
  mustPull?: boolean;
}
