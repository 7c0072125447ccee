/** The address by which GitHub knows an account in a commit without its mail (docs.github.com, "Email addresses reference"). */

/** @param host - of GitHub's pages, such as `github.com` */
export function noreplyEmail({ id, login }: { id: number; login: string }, host: string): string {
  return `${id}+${login}@users.noreply.${host}`;
}
