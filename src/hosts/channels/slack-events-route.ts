/** What Slack delivers: the signature is checked, what somebody said or pressed is stored, and Slack has its answer. */
import { readRequestBody, type BodyBudget } from '../../adapters/http/body.ts';
import { answerProblem, SAFE_HEADERS } from '../../adapters/http/http-answers.ts';
import { PROBLEMS } from '../../adapters/http/http-problems.ts';
import type { SlackChannel } from '../../adapters/slack/create-slack.ts';
import type { Hear } from '../../ports/channel.ts';
import type { Route } from '../setup/setup.ts';

/** Messages, and buttons that people press. */
const SLACK_PATHS: Readonly<Record<string, 'answerEvent' | 'answerClick'>> = {
  '/api/slack/events': 'answerEvent',
  '/api/slack/interactivity': 'answerClick',
};

/** Slack sends events of some kilobytes. */
const MAX_BYTES = 1024 * 1024;
const MAX_HELD_BYTES = 8 * MAX_BYTES;

export interface SlackDoor {
  answerEvent: NonNullable<SlackChannel['answerEvent']>;
  answerClick: NonNullable<SlackChannel['answerClick']>;
  hear: Hear;
}

/** `door` is undefined until the team works, and where no signing secret is set: then there is no such page. */
export function createSlackEventsRoute(door: () => SlackDoor | undefined): Route {
  const budget: BodyBudget = { limit: MAX_HELD_BYTES, held: 0 };
  return async (req, res) => {
    const [path = ''] = (req.url ?? '').split('?');
    const wanted = Object.hasOwn(SLACK_PATHS, path) ? SLACK_PATHS[path] : undefined;
    const open = wanted && door();
    if (open === undefined || wanted === undefined) return false;
    if (req.method !== 'POST') {
      answerProblem(res, PROBLEMS.method);
      return true;
    }
    const body = await readRequestBody(req, MAX_BYTES, budget);
    if (body.kind === 'aborted') return true;
    if (body.kind !== 'read') {
      answerProblem(res, body.kind === 'busy' ? PROBLEMS.busy : PROBLEMS.tooLarge);
      return true;
    }
    const request = { headers: req.headers, body: body.bytes };
    const { status, body: text } = await open[wanted](request, open.hear);
    res.writeHead(status, { ...SAFE_HEADERS, 'content-type': 'text/plain' }).end(text);
    return true;
  };
}
