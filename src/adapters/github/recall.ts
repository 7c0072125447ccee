/** A small memory of what we wrote, which spares looking for it again; losing it costs calls, never a duplicate. */

/** A check run that is there, and its id in GraphQL. */
export interface KnownCheck {
  id: number;
  nodeId: string | undefined;
}

export interface Recall {
  /** Comment by thread and marker. */
  comments: Slots<{ id: number; url: string; body: string }>;
  /** Check run by its external id. */
  checks: Slots<KnownCheck>;
  /** Commits that we made, by repository and hash: they never change. */
  commits: Slots<{ message: string; tree: { sha: string } }>;
  /** Reaction by thread, comment and content. */
  reactions: Slots<number>;
  /** Labels that are known to exist in a repository. */
  labels: Slots<true>;
  /** Features that a server lacks and that were told in the log. */
  missing: Slots<true>;
  forget(installationId: number): void;
}

export interface Slots<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
}

interface Forgetful<T> extends Slots<T> {
  forget(prefix: string): void;
}

/** Keys begin with the installation's id and a slash. */
export function createRecall(capacity = 5000): Recall {
  const comments = createSlots<{ id: number; url: string; body: string }>(Math.ceil(capacity / 10));
  const checks = createSlots<KnownCheck>(capacity);
  const commits = createSlots<{ message: string; tree: { sha: string } }>(Math.ceil(capacity / 10));
  const reactions = createSlots<number>(capacity);
  const labels = createSlots<true>(capacity);
  const missing = createSlots<true>(capacity);
  return {
    comments,
    checks,
    commits,
    reactions,
    labels,
    missing,
    forget: (installationId) => {
      for (const slots of [comments, checks, commits, reactions, labels, missing])
        slots.forget(`${installationId}/`);
    },
  };
}

function createSlots<T>(capacity: number): Forgetful<T> {
  const kept = new Map<string, T>();
  return {
    get: (key) => kept.get(key),
    set: (key, value) => {
      kept.delete(key);
      kept.set(key, value);
      const oldest = kept.keys().next();
      if (kept.size > capacity && !oldest.done) kept.delete(oldest.value);
    },
    delete: (key) => void kept.delete(key),
    forget: (prefix) => {
      for (const key of kept.keys()) if (key.startsWith(prefix)) kept.delete(key);
    },
  };
}
