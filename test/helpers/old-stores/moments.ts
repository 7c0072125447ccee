/** The moments that a stored world holds, each in a repository of its own. */
import { DELIBERATIONS } from './deliberations.ts';
import type { Moment } from './moment.ts';
import { REVIEWS } from './reviews.ts';
import { TASKS } from './tasks.ts';

export const MOMENTS: readonly Moment[] = [...TASKS, ...REVIEWS, ...DELIBERATIONS];
