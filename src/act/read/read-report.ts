/** The report of a thread, from what the store keeps now (CB-13). */
import { threadKey, type ThreadRef } from '../../domain/run/thread-ref.ts';
import { reportFigures } from '../../record/report/figures.ts';
import { renderReport } from '../../record/report/render-report.ts';
import type { ReportedAnswer } from '../../domain/run/talk.ts';
import { readRecord, type RecordStore } from './read-record.ts';

/** The answers that the report numbers. */
export async function readReportAnswers(
  thread: ThreadRef,
  store: RecordStore,
): Promise<ReportedAnswer[]> {
  const { exchanges } = reportFigures(await readRecord(threadKey(thread), store));
  return exchanges.map(({ question, answer }, at) => ({ number: at + 1, question, answer }));
}

export async function readReport(
  thread: ThreadRef,
  { fullName, host }: { fullName: string; host?: string },
  store: RecordStore,
): Promise<string> {
  const record = await readRecord(threadKey(thread), store);
  return renderReport(reportFigures(record), { repository: fullName, host });
}
