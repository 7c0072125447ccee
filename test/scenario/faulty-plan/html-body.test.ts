import { planRunsWithFaults, runsThatBeginWith } from './faulty-plan.ts';

planRunsWithFaults(runsThatBeginWith('answers with a page'), '');
