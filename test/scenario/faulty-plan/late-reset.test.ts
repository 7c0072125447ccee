import { planRunsWithFaults, runsThatBeginWith } from './faulty-plan.ts';

planRunsWithFaults(runsThatBeginWith('drops the connection after the effect'), '');
