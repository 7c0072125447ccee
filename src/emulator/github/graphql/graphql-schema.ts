/** GitHub's own GraphQL schema, built on first use: it takes about 400 ms and 100 MB. */
import type { DocumentNode, ExecutionResult, GraphQLError } from 'graphql';
import { actorRoot } from './resolvers.ts';
import type { Actor } from '../world/tokens.ts';
import type { World } from '../world/world.ts';

interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown> | undefined;
  operationName: string | undefined;
}

export interface Graphql {
  /** Answers as GitHub does: 200 with `errors` for what is wrong with the query. */
  answer(world: World, actor: Actor, request: GraphqlRequest): Promise<ExecutionResult>;
}

type Executor = (request: GraphqlRequest, root: object) => Promise<ExecutionResult>;

/** One for all emulators of a process: it holds the schema and checked queries, nothing of a world. */
let executor: Promise<Executor> | undefined;

export function createGraphql(): Graphql {
  return {
    async answer(world, actor, request) {
      executor ??= buildExecutor();
      const execute = await executor;
      return execute(request, actorRoot(world, actor));
    },
  };
}

/** GitHub lets two types that exclude each other give one name to fields of two types, as gh's `state` of either thread. */
function isTolerated({ message }: Pick<GraphQLError, 'message'>): boolean {
  return /^Fields .* conflict because they return conflicting types/.test(message);
}

const MAX_CHECKED = 100;

async function buildExecutor(): Promise<Executor> {
  const { buildSchema, execute, parse, validate } = await import('graphql');
  const { schema: official } = await import('@octokit/graphql-schema');
  const schema = buildSchema(official.idl, { assumeValid: true, assumeValidSDL: true });
  // Checking a query takes longer than answering it, and the same few come again and again.
  const checked = new Map<string, DocumentNode>();
  return async (request, rootValue) => {
    const document = checked.get(request.query) ?? parse(request.query);
    if (!checked.has(request.query)) {
      const errors = validate(schema, document).filter((error) => !isTolerated(error));
      if (errors.length > 0) return { errors };
      if (checked.size >= MAX_CHECKED) checked.clear();
      checked.set(request.query, document);
    }
    return execute({
      schema,
      document,
      rootValue,
      variableValues: request.variables,
      operationName: request.operationName,
      typeResolver: readTypeName,
    });
  };
}

/** The resolvers name the type of each object of an interface or a union. */
function readTypeName(value: unknown): string | undefined {
  const name: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, '__typename') : undefined;
  return typeof name === 'string' ? name : undefined;
}
