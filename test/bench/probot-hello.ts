/** The yardstick: the smallest App that Probot can run. It answers webhooks and does nothing. */
import { run } from 'probot';

await run((app) => {
  app.on('issues.opened', async () => undefined);
});
