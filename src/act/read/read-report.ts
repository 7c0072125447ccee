/** The report of a thread, from what the store keeps now (CB-13). */
import { threadKey, type ThreadRef } from '../../domain/run/thread-ref.ts';
import { reportFigures } from '../../record/report/figures.ts';
import { renderReport } from '../../record/report/render-report.ts';
import { readRecord, type RecordStore } from './read-record.ts';

export async function readReport(
  thread: ThreadRef,
  { fullName, host }: { fullName: string; host?: string },
  store: RecordStore,
): Promise<string> {
  const record = await readRecord(threadKey(thread), store);
  return renderReport(reportFigures(record), { repository: fullName, host });
}
