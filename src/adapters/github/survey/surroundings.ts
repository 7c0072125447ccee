/** What surrounds a thread, as a part of one GraphQL query: the repository, its settings' files, who may do what. */
import { z } from 'zod';
import type { Permission, ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { FoundFile, SurveyAsk, Surroundings } from '../../../ports/github/github-survey.ts';
import { askRepository, THIS_REPOSITORY, type Query } from '../client/ask-graphql.ts';
import type { SessionContext } from '../bound.ts';
import { toPermission } from '../read/to-domain.ts';
import { commitSlot } from '../cache/recall.ts';
import { FILE, Entry, toFound } from './files.ts';

/** What is asked of the thread itself. */
export interface ThreadPart {
  /** Declarations of its own variables, and their values. */
  declared: string;
  variables: Record<string, unknown>;
  /** Within `repository`. */
  fields: string;
  fragments: string;
}

const Edge = z.object({
  permission: z.string(),
  node: z.object({ databaseId: z.number().nullish() }),
});
const People = z.object({ edges: z.array(Edge.nullable()).nullish() }).nullish();
const Folder = z.object({
  object: z.object({
    entries: z
      .array(Entry.extend({ inside: z.object({ entries: z.array(Entry).nullish() }).nullish() }))
      .nullish(),
  }),
});
const Commit = z.looseObject({
  oid: z.string(),
  tree: z.object({ oid: z.string() }),
  folder: z.unknown(),
});
const Repository = z.looseObject({
  id: z.string(),
  nameWithOwner: z.string(),
  isPrivate: z.boolean(),
  isArchived: z.boolean(),
  defaultBranchRef: z.object({ name: z.string(), target: Commit }),
});
const Foreign = z.object({
  nameWithOwner: z.string(),
  defaultBranchRef: z.object({ target: z.object({ file: Entry.nullish() }) }).nullish(),
});

export interface Surveyed {
  around: Omit<Surroundings, 'comments'>;
  /** The repository's fields, those of the thread's part among them. */
  fields: Record<string, unknown>;
  /** Where something is null for an error. */
  failed: readonly string[];
}

/** Undefined where GraphQL is not to be had or gave no whole answer: then REST says why. */
export async function survey(
  bound: SessionContext,
  ref: ThreadRef,
  { ask, part }: { ask: SurveyAsk; part: ThreadPart },
): Promise<Surveyed | undefined> {
  const told = await askRepository(bound, ref, toQuery({ ask, part }));
  const fields = Repository.safeParse(told?.fields['repository']).data;
  if (told === undefined || fields === undefined) return undefined;
  bound.places.learn(ref, { fullName: fields.nameWithOwner, nodeId: fields.id });
  const { name, target } = fields.defaultBranchRef;
  bound.recall.trees.set(commitSlot(ref, target.oid), target.tree.oid);
  const files = readFiles(target, ask);
  if (files === undefined) return undefined;
  const around = {
    repository: {
      fullName: fields.nameWithOwner,
      isPrivate: fields.isPrivate,
      isArchived: fields.isArchived,
      defaultBranch: name,
      headSha: target.oid,
      host: bound.host,
    },
    files,
    foreign: readForeign(told.fields['foreign'], told.refused.get('foreign'), ask),
    permissions: readPermissions(fields, ask),
    ...readBranch(fields, ask),
  };
  return { around, fields, failed: told.failed };
}

function toQuery({ ask, part }: { ask: SurveyAsk; part: ThreadPart }): Query {
  const { files, people, folder, foreign, branch } = ask;
  const names = [
    ...files.map((path, index): [string, string] => [`f${index}`, path]),
    ...people.map(({ login }, index): [string, string] => [`p${index}`, login]),
    ['folder', folder] as const,
    ...(branch === undefined ? [] : [['branch', `refs/heads/${branch}`] as const]),
  ];
  const declared = [
    ...names.map(([name]) => `$${name}: String!`),
    ...(foreign === undefined ? [] : ['$fOwner: String!, $fRepo: String!, $fPath: String!']),
    part.declared,
  ];
  const text = `query Survey($owner: String!, $repo: String!, ${declared.join(', ')}) {
  ${THIS_REPOSITORY} id nameWithOwner isPrivate isArchived
    defaultBranchRef { name target { ... on Commit { oid tree { oid }
      ${files.map((_, index) => `f${index}: file(path: $f${index}) { ...file }`).join('\n')}
      folder: file(path: $folder) { object { ... on Tree { entries { ...file inside: object { ... on Tree { entries { ...file } } } } } } }
    } } }
    ${people.map((_, index) => `p${index}: collaborators(login: $p${index}, first: 1) { edges { permission node { databaseId } } }`).join('\n')}
    ${branch === undefined ? '' : 'branch: ref(qualifiedName: $branch) { target { oid } }'}
    ${part.fields}
  }
  ${foreign === undefined ? '' : FOREIGN}
}
${FILE}
${part.fragments}`;
  const variables = {
    ...Object.fromEntries(names),
    ...(foreign && { fOwner: foreign.owner, fRepo: foreign.repo, fPath: foreign.path }),
    ...part.variables,
  };
  return { text, variables };
}

const FOREIGN = `foreign: repository(owner: $fOwner, name: $fRepo) {
    nameWithOwner
    defaultBranchRef { target { ... on Commit { file(path: $fPath) { ...file } } } }
  }`;

const Branch = z.object({ target: z.object({ oid: z.string() }) }).nullable();

function readBranch(
  { branch: told }: Record<string, unknown>,
  { branch: name }: SurveyAsk,
): Pick<Surroundings, 'branch'> {
  const { data } = Branch.safeParse(told);
  if (name === undefined || data === undefined) return {};
  return { branch: { name, head: data?.target.oid } };
}

/** Undefined when the answer is of another form. */
function readFiles(commit: z.infer<typeof Commit>, ask: SurveyAsk): FoundFile[] | undefined {
  const named = ask.files.map((_, index) => Entry.nullish().safeParse(commit[`f${index}`]));
  const folder = Folder.nullish().safeParse(commit.folder);
  if (!folder.success || named.some(({ success }) => !success)) return undefined;
  const entries = folder.data?.object.entries ?? [];
  const inside = entries.flatMap((entry) => entry.inside?.entries ?? []);
  return [...named.map(({ data }) => data), ...entries, ...inside].flatMap(
    (entry) => toFound(entry, ask.maxBytes) ?? [],
  );
}

/** A path that is missing or hidden from Quorum has no file; REST answers the same for both. */
function readForeign(
  answer: unknown,
  refused: string | undefined,
  { foreign, maxBytes }: SurveyAsk,
): Surroundings['foreign'] {
  if (foreign === undefined) return undefined;
  const fullName = `${foreign.owner}/${foreign.repo}`;
  if (refused === 'NOT_FOUND') return { fullName, found: undefined };
  const { data } = Foreign.safeParse(answer);
  if (data === undefined || refused !== undefined) return undefined;
  const entry = data.defaultBranchRef?.target.file;
  return { fullName: data.nameWithOwner, found: toFound(entry, maxBytes) };
}

/**
 * A login may belong to another account now, so the numeric id decides. `none` for anyone who is not a collaborator.
 */
function readPermissions(
  fields: Record<string, unknown>,
  { people }: SurveyAsk,
): Map<number, Permission> {
  const known = people.flatMap(({ id }, index): [number, Permission][] => {
    const edges = People.safeParse(fields[`p${index}`]).data?.edges;
    if (!edges) return [];
    const edge = edges.find((one) => one?.node.databaseId === id);
    const permission = edge?.permission.toLowerCase() ?? 'none';
    return [[id, toPermission({ permission })]];
  });
  return new Map(known);
}
