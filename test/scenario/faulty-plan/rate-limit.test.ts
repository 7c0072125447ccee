import { planRunsWithFaults, runsThatBeginWith } from './faulty-plan.ts';

planRunsWithFaults(runsThatBeginWith('answers 429 with a wait'), '');
