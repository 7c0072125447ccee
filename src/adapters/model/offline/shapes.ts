/** The council's answers by kind of subject, as types. */
import type { z } from 'zod';
import type {
  ChangePosition,
  ChangeVerdict,
  IssuePosition,
  IssueVerdict,
} from '../../../domain/run/council.ts';

export type OnIssue = z.infer<typeof IssuePosition>;
export type IssueConclusion = z.infer<typeof IssueVerdict>;
export type OnChange = z.infer<typeof ChangePosition>;
export type ChangeConclusion = z.infer<typeof ChangeVerdict>;
