/** A merge queue whose events the App does not receive: the queue waits for checks that are never reported. */

/** For the checks of its pull requests. */
export const QUEUE_UNHEARD =
  'This branch uses a merge queue, but Quorum does not receive its events. If a check of Quorum is required, entries of the queue time out. An owner has to accept the new permission `merge_queues: read` of the App.';

/** Whether the events that the owner lets the App receive lack the queue's; `undefined` where GitHub does not say. */
export function isQueueUnheard(events: readonly string[] | undefined): boolean {
  return events?.includes('merge_group') === false;
}
