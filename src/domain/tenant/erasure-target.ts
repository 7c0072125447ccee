/** What can be erased from the store: by request, after a grace period, or because it was deleted on GitHub. */
import { SWEEP_KEY } from './recovery.ts';

export type ErasureTarget =
  | {
      kind: 'repository';
      repositoryId: number;
      /** The installation that it was removed from: kept where another installation covers it. */
      removedFrom?: number;
    }
  | {
      kind: 'installation';
      installationId: number;
      /** Ids of repositories that another installation covers. */
      except?: number[];
    }
  /** A person, by the numeric id and every login that is known of them. */
  | { kind: 'user'; id: number; logins: string[] }
  /** An issue or a pull request that was deleted. */
  | { kind: 'thread'; repositoryId: number; number: number }
  | { kind: 'comment'; repositoryId: number; number: number; commentId: number };

/** Rows by table. A row of the ledger keeps its amounts: what names the repository is erased from it. */
export interface ErasedRows {
  events: number;
  effects: number;
  states: number;
  ledger: number;
  /** Entries of the index of memory; absent for none. */
  memory?: number;
  /** Standups, insights and what is kept beside them; absent for none. */
  standups?: number;
}

export const NO_ROWS: ErasedRows = { events: 0, effects: 0, states: 0, ledger: 0 };

export function addRows(a: ErasedRows, b: ErasedRows): ErasedRows {
  const memory = (a.memory ?? 0) + (b.memory ?? 0);
  const standups = (a.standups ?? 0) + (b.standups ?? 0);
  return {
    events: a.events + b.events,
    effects: a.effects + b.effects,
    states: a.states + b.states,
    ledger: a.ledger + b.ledger,
    ...(memory > 0 && { memory }),
    ...(standups > 0 && { standups }),
  };
}

export function countRows(rows: ErasedRows): number {
  const { events, effects, states, ledger, memory = 0, standups = 0 } = rows;
  return events + effects + states + ledger + memory + standups;
}

const OF_REPOSITORY = /^(?:(?:thread|task|build):(\d+)\/|(?:repository|precision|channels):(\d+)$)/;
const OF_INSTALLATION = new RegExp(String.raw`^(?:installation:|${SWEEP_KEY}/)(\d+)$`);

/** The numeric id of the repository whose stream this is; undefined for streams of several repositories. */
export function repositoryOfKey(key: string): number | undefined {
  const [, inside, own] = OF_REPOSITORY.exec(key) ?? [];
  return toId(inside ?? own);
}

/** The numeric id of the installation whose stream this is. */
export function installationOfKey(key: string): number | undefined {
  return toId(OF_INSTALLATION.exec(key)?.[1]);
}

/** Whether it is the stream of a thread in a channel: it is about one repository, which its rows name. */
export function isChatKey(key: string): boolean {
  return key.startsWith('chat:');
}

function toId(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
