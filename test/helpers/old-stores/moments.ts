/** The moments that a stored world holds, each in a repository of its own. */
import { DELIBERATIONS } from './deliberations.ts';
import type { RetryContext } from './moment.ts';
import { REVIEWS } from './reviews.ts';
import { TASKS } from './tasks.ts';

export const MOMENTS: readonly RetryContext[] = [...TASKS, ...REVIEWS, ...DELIBERATIONS];
