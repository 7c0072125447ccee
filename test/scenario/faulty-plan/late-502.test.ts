import { planRunsWithFaults, runsThatBeginWith } from './faulty-plan.ts';

planRunsWithFaults(runsThatBeginWith('answers 502 after the effect'), '');
