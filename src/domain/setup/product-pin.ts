/** Which version of Quorum a repository uses: where its workflow and the schema of its configuration come from. */

export interface ProductPin {
  /** `owner/name` of the repository that Quorum is published from. */
  repository: string;
  /** A tag such as `v1`, or the id of a commit. */
  ref: string;
}

/** No account can have this name, because GitHub's names have at most 39 characters: nobody can publish under it. */
export const UNKNOWN_OWNER = 'replace-this-with-the-owner-of-your-quorum';

const REPOSITORY = /^[\w.-]{1,100}\/[\w.-]{1,100}$/;
const REF = /^(?!.*(?:\.\.|\/\/))[A-Za-z0-9_][\w./-]{0,199}$/;
const USES =
  /^(\s*uses:\s*)([\w.-]{1,100}\/[\w.-]{1,100})(\/\.github\/workflows\/quorum[\w-]{0,50}\.ya?ml)@([\w./-]{1,200})(?: +#.{0,200})?(\r?)$/;
const SCHEMA =
  /^(# (?:yaml-language-server: )?\$schema[=:] ?)https:\/\/raw\.githubusercontent\.com\/([\w.-]{1,100}\/[\w.-]{1,100})\/([\w./-]{1,200})(\/schema\/config\.json)(\r?)$/;

/** The page that the configuration of `init` names. */
const PAGE =
  /^(# .{1,200}: https:\/\/github\.com\/)([\w.-]{1,100}\/[\w.-]{1,100})(\/blob\/)([\w./-]{1,200}?)(\/docs\/configuration-reference\.md)(\r?)$/;

/** Whether both parts can stand in a workflow: nothing in them ends the line or the address. */
export function isPin({ repository, ref }: ProductPin): boolean {
  return REPOSITORY.test(repository) && REF.test(ref);
}

/** `uses:` of a reusable workflow. */
export function workflowAddress({ repository, ref }: ProductPin, file = 'quorum.yml'): string {
  return `${repository}/.github/workflows/${file}@${ref}`;
}

/** Where editors find the schema of the configuration. */
export function schemaAddress({ repository, ref }: ProductPin): string {
  return `https://raw.githubusercontent.com/${repository}/${ref}/schema/config.json`;
}

/** A page of the documentation. */
export function pageAddress({ repository, ref }: ProductPin, file: string): string {
  return `https://github.com/${repository}/blob/${ref}/${file}`;
}

/** Every pin in a file, in its order. */
export function findPins(text: string): ProductPin[] {
  return text.split('\n').flatMap((line) => {
    const [, , repository, , ref] = USES.exec(line) ?? [];
    if (repository !== undefined && ref !== undefined) return [{ repository, ref }];
    const [, , from, at] = SCHEMA.exec(line) ?? [];
    return from === undefined || at === undefined ? [] : [{ repository: from, ref: at }];
  });
}

/** Whether a workflow calls this reusable workflow of Quorum, from wherever it is published. */
export function callsQuorum(text: string, file = 'quorum.yml'): boolean {
  return text.split('\n').some((line) => USES.exec(line)?.[3]?.endsWith(`/${file}`) === true);
}

/**
 * The text with its pins at another version; every other byte stays. A comment behind a pin named the old version, so it
 * goes.
 */
export function movePins(text: string, pin: ProductPin): string {
  return text
    .split('\n')
    .map((line) => movePin(line, pin))
    .join('\n');
}

function movePin(line: string, { repository, ref }: ProductPin): string {
  const uses = USES.exec(line);
  if (uses !== null) return `${uses[1]}${repository}${uses[3]}@${ref}${uses[5]}`;
  const page = PAGE.exec(line);
  if (page !== null) return `${page[1]}${repository}${page[3]}${ref}${page[5]}${page[6]}`;
  const schema = SCHEMA.exec(line);
  if (schema === null) return line;
  return `${schema[1]}https://raw.githubusercontent.com/${repository}/${ref}${schema[4]}${schema[5]}`;
}
