/** In the place of a model in a job with a token that writes: such a job asks none. */
import type { Model } from '../../../ports/model.ts';

export const NO_MODEL: Model = {
  name: 'none',
  generate: () => {
    throw new Error('This job has no model');
  },
};
