/** Codes of caps: the work ends there, and more attempts would not help before there is room again. */
import type { ErrorCode } from './error-codes.ts';

/** A cap on money or time of models was reached: of a thread, a day, a person, a repository or the host. */
export type BudgetCode = Extract<ErrorCode, `budget-${string}`>;

export function isBudgetCode(code: ErrorCode): code is BudgetCode {
  return code.startsWith('budget-');
}
