import { planRunsWithFaults, runsThatBeginWith } from './faulty-plan.ts';

planRunsWithFaults(runsThatBeginWith('answers a plain 401'), '');
