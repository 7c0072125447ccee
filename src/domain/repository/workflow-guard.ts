/** GitHub lets no App without the permission `workflows`, which Quorum never asks for, bring in other workflow files. */

/** Where GitHub Actions finds them. */
export const WORKFLOWS = '.github/workflows';

const REFUSAL = /refusing to allow .{1,60} to create or update workflow [`'"]?([^`'"\s]{1,200})/;

/** What GitHub's refusal means, for people; undefined when it is another one. */
export function sayWorkflowRefusal(said: string): string | undefined {
  const path = REFUSAL.exec(said)?.[1];
  if (path === undefined) return undefined;
  return `\`${path.replaceAll('`', '')}\` differs from the base branch. GitHub does not let an App push or merge that without the permission \`workflows\`, which Quorum never asks for: update the branch with the base, or merge it yourself.`;
}
