/** The write-ahead log as a file: brings to the disk what was committed, without holding the event loop. */
import { close, closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';

/** Where commits become durable. */
export interface Disk {
  /** Resolves when everything that was committed before the call is on the disk. */
  sync(): Promise<void>;
  /** The same at once, and no more after it. */
  close(): void;
}

/**
 * Opens the log beside a database in WAL mode. A commit there with `synchronous = NORMAL` has written its frames but
 * not waited for the disk. The frames are in order and have checksums, so syncing the file makes this and all earlier
 * commits durable. Checkpoints sync on their own (https://sqlite.org/pragma.html#pragma_synchronous). SQLite's own
 * locks are on other files: closing this one drops none of them.
 */
export function openWalFile(database: string): Disk {
  const fd = openSync(`${database}-wal`, 'r+');
  let underWay = 0;
  let isClosed = false;
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        underWay += 1;
        fdatasync(fd, (error) => {
          underWay -= 1;
          if (isClosed && underWay === 0) close(fd);
          if (error === null) resolve();
          else reject(error);
        });
      }),
    close: () => {
      isClosed = true;
      fdatasyncSync(fd);
      if (underWay === 0) closeSync(fd);
    },
  };
}
