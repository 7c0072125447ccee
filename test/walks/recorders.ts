/** What `record.config.ts` wraps the product in. */
export { recordDecide } from './record-decide.ts';
export { recordPerform } from './record-perform.ts';
