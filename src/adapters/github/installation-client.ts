/** What reads and writes of one installation offer to their callers. */
import type { Params, Answer } from './github-answer.ts';
import type { CallCounts } from '../../domain/run/ledger.ts';
import type { Cost } from './client/budget.ts';
import type { Operation } from './rest-operations.ts';
import type { BytesWanted } from './client/wire.ts';

/** Calls whose number grows `counts`; everything that is no success is thrown as ports/github/github.ts says. */
export interface Calls {
  get<T>(operation: Operation<T>, params: Params, options?: ReadOptions): Promise<Answer<T>>;
  /** As `get`; undefined for 404 and 410. */
  find<T>(
    operation: Operation<T>,
    params: Params,
    options?: ReadOptions,
  ): Promise<Answer<T> | undefined>;
  /** The page after an answer, by its link header, from our own origin only. */
  next<T>(operation: Operation<T>, params: Params, from: Answer): Promise<Answer<T> | undefined>;
  /** Sent once. A failure may have had its effect: look before sending again. */
  send<T>(operation: Operation<T>, params: Params, cost?: Cost): Promise<Answer<T>>;
  /** Where GitHub says that a text is, to be read by `read`. */
  locate(operation: Operation<unknown>, params: Params): Promise<string>;
  /** Text at such an address; whether it was read to its end. Counts as no call. */
  read(url: string, want: TextWanted): Promise<boolean>;
  /** The same for what is no text. */
  readBytes(url: string, want: Omit<BytesWanted, 'signal'>): Promise<boolean>;
  /** A POST that may be repeated without harm, as that of a token: costs and repeats as a read does. */
  mint<T>(operation: Operation<T>, params: Params): Promise<Answer<T>>;
}

/** Text that is taken piece by piece; what comes after `maxBytes` is left unread. */
export interface TextWanted {
  take: (piece: string) => void;
  maxBytes: number;
}

export interface ReadOptions {
  /** What the address names never changes (a blob, a tree): a kept answer is taken without asking. */
  isImmutable?: boolean;
}

export interface InstallationClient {
  calls(counts: CallCounts, signal?: AbortSignal): Calls;
  /** Drops token and cached reads. */
  forget(): void;
}
