/** `GET /api/v1/standups`, `/api/v1/standups/trends` and `/api/v1/tensions`: for who has the token. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { listInsights, readTensionPage, readTrends } from '../../act/standup/read-standups.ts';
import { hasToken } from '../../adapters/http/bearer-token.ts';
import { answerJson, answerProblem } from '../../adapters/http/http-answers.ts';
import { PROBLEMS } from '../../adapters/http/http-problems.ts';
import { INSIGHT_TYPES } from '../../domain/standup/insight.ts';
import { compareThemes, type ThemeOrder } from '../../domain/standup/trends.ts';
import { TENSION_STATES } from '../../domain/tension/tension.ts';
import type { Store } from '../../ports/store.ts';
import {
  QueryProblem,
  readCursor,
  readMost,
  readQuery,
  readWord,
  toCursor,
  type PagedList,
} from './read-query.ts';

type Standups = Pick<Store['standups'], 'standups' | 'insights' | 'load' | 'repositories'>;

export interface StandupRoutes {
  standups: Standups;
  /** `QUORUM_DASHBOARD_TOKEN`; without one nobody may read. */
  token: string | undefined;
}

type Serve = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** By path. Each answers reads only; other methods are refused before. */
export function standupRoutes({ standups, token }: StandupRoutes): [string, Serve][] {
  return [
    ['/api/v1/standups', guarded(token, (req) => listStandups(standups, req))],
    ['/api/v1/standups/trends', guarded(token, (req) => listTrends(standups, req))],
    ['/api/v1/tensions', guarded(token, (req) => answerTensions(standups, req))],
  ];
}

function guarded(
  token: string | undefined,
  read: (req: IncomingMessage) => Promise<unknown>,
): Serve {
  return async (req, res) => {
    if (!hasToken(req, token)) return answerProblem(res, PROBLEMS.unauthorised);
    try {
      answerJson(res, 200, JSON.stringify(await read(req)));
    } catch (error) {
      if (!(error instanceof QueryProblem)) throw error;
      answerProblem(res, error.problem);
    }
  };
}

async function listStandups(standups: Standups, req: IncomingMessage): Promise<unknown> {
  const query = readQuery(req, ['run', 'repo', 'type', 'limit', 'cursor']);
  const type = readWord('type', query.type, INSIGHT_TYPES);
  const [before] = readCursor(query.cursor, 'insights', Position) ?? [];
  const limit = readMost(query.limit);
  const repositories =
    query.repo === undefined ? undefined : await repositoriesOf(standups, query.repo);
  const { insights, total, noTension, next } = await listInsights(standups, {
    limit,
    ...(repositories !== undefined && { repositories }),
    ...(query.run !== undefined && { run: query.run }),
    ...(type !== undefined && { type }),
    ...(before !== undefined && { before }),
  });
  return { insights, total, noTensionCount: noTension, nextCursor: cursorOrNull('insights', next) };
}

const RESOLVED = ['true', 'false'] as const;

async function listTrends(standups: Standups, req: IncomingMessage): Promise<unknown> {
  const query = readQuery(req, ['repo', 'resolved', 'limit', 'cursor']);
  const resolved = readWord('resolved', query.resolved, RESOLVED);
  const limit = readMost(query.limit);
  const after = readCursor(query.cursor, 'themes', ThemeKey);
  const repository = await oneRepository(standups, query.repo);
  if (repository === undefined) return { themes: [], total: 0, health: null, nextCursor: null };
  const { themes, health } = await readTrends(standups, repository);
  const wanted = themes.filter(
    ({ isResolved }) => resolved === undefined || isResolved === (resolved === 'true'),
  );
  const rest = wanted.filter(
    (theme) => after === undefined || compareThemes(toKey(after), theme) < 0,
  );
  const shown = rest.slice(0, limit);
  const last = rest.length > limit ? shown.at(-1) : undefined;
  return {
    themes: shown,
    total: wanted.length,
    health,
    nextCursor:
      last === undefined ? null : toCursor('themes', [last.count, last.lastSeen, last.label]),
  };
}

/** What themes are sorted by, so that a page goes on behind the last one that was shown. */
const ThemeKey = z.tuple([z.int(), z.string(), z.string()]);

function toKey([count, lastSeen, label]: z.infer<typeof ThemeKey>): ThemeOrder {
  return { count, lastSeen, label };
}

async function answerTensions(standups: Standups, req: IncomingMessage): Promise<unknown> {
  const query = readQuery(req, ['repo', 'state', 'limit', 'cursor']);
  const state = readWord('state', query.state, TENSION_STATES);
  const limit = readMost(query.limit);
  const [before] = readCursor(query.cursor, 'tensions', Position) ?? [];
  const repository = await oneRepository(standups, query.repo);
  if (repository === undefined) return { tensions: [], total: 0, nextCursor: null };
  const { tensions, total, next } = await readTensionPage(standups, {
    repository,
    state,
    before,
    limit,
  });
  return { tensions, total, nextCursor: cursorOrNull('tensions', next) };
}

/** Undefined where no standup is kept of one. */
async function oneRepository(
  standups: Standups,
  repo: string | undefined,
): Promise<number | undefined> {
  if (repo === undefined) throw new QueryProblem('repo is needed: owner/name or a numeric id');
  const [repository, ...others] = await repositoriesOf(standups, repo);
  if (others.length > 0)
    throw new QueryProblem(
      `${repo} was the name of repositories ${[repository, ...others].join(', ')}; give one of these ids`,
    );
  return repository;
}

const NAME = /^[\w.-]{1,100}\/[\w.-]{1,100}$/;

async function repositoriesOf(standups: Standups, repo: string): Promise<number[]> {
  if (/^[1-9]\d{0,14}$/.test(repo)) return [Number(repo)];
  if (!NAME.test(repo)) throw new QueryProblem('repo must be owner/name or a numeric id');
  return standups.repositories(repo);
}

/** Position of an insight, or number of a tension. */
const Position = z.tuple([z.int().nonnegative()]);

function cursorOrNull(list: PagedList, position: number | undefined): string | null {
  return position === undefined ? null : toCursor(list, [position]);
}
