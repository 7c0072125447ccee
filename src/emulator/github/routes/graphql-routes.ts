/** The GraphQL endpoint. */
import { z } from 'zod';
import { createGraphql } from '../graphql/graphql-schema.ts';
import { HttpError } from '../behave/http-error.ts';
import { ANYONE } from '../world/permissions.ts';
import { ok, parseBody, type Route } from '../router.ts';

const Request = z.looseObject({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

/** Errors carry only what GitHub sends. */
export function graphqlRoutes(): Route[] {
  const graphql = createGraphql();
  return [
    {
      method: 'POST',
      path: '/graphql',
      need: ANYONE,
      run: async (call) => {
        if (call.actor.kind === 'anonymous')
          throw new HttpError(401, 'This endpoint requires you to be authenticated.');
        const body = parseBody(call, Request);
        const result = await graphql.answer(call.world, call.actor, {
          query: body.query,
          variables: body.variables ?? undefined,
          operationName: body.operationName ?? undefined,
        });
        const errors = result.errors?.map((error) => ({
          message: error.message,
          ...(error.path === undefined ? {} : { path: error.path, type: toType(error.message) }),
          ...(error.locations === undefined ? {} : { locations: error.locations }),
        }));
        return ok({ data: result.data ?? null, ...(errors === undefined ? {} : { errors }) });
      },
    },
  ];
}

function toType(message: string): string {
  return message.startsWith('Could not resolve') ? 'NOT_FOUND' : 'FORBIDDEN';
}
