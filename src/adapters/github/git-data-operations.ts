/** The operations of GitHub's Git Data API with which commits are made and refs moved. */
import { z } from 'zod';
import { operation } from './rest-operations.ts';

const GIT = '/repos/{owner}/{repo}/git';
const Named = z.object({ sha: z.string() });

export const GET_COMMIT = operation(
  `GET ${GIT}/commits/{commit_sha}`,
  z.object({ message: z.string(), tree: Named }),
);
export const CREATE_TREE = operation(`POST ${GIT}/trees`, Named);
export const CREATE_COMMIT = operation(`POST ${GIT}/commits`, Named);
export const CREATE_REF = operation(`POST ${GIT}/refs`, z.unknown());
/** By fast-forward only, unless `force` says otherwise. */
export const MOVE_REF = operation(`PATCH ${GIT}/refs/{ref}`, z.unknown());
