/** `quorum demo`: the whole story on this machine, with live progress, and what came of it at the end. */
import { systemClock, systemRandom } from '../../../adapters/system/system-clock.ts';
import { createLog } from '../../create-log.ts';
import type { DemoPlan } from '../../../demo/plan/conclude-plan.ts';
import type { Fed } from '../../../demo/payloads.ts';
import { peopleOf } from '../../../demo/playground/people-of.ts';
import { REPOSITORY } from '../../../demo/project/people.ts';
import { runDemo, type Demo } from '../../../demo/run-demo.ts';
import { writeGhConfig } from '../../../emulator/github/gh-config.ts';
import { createBoard } from '../terminal/progress-display.ts';
import { ghEnvironment, renderHowToSpeak, type Speaking } from '../demo/how-to-speak.ts';
import { isAsExpected, renderAct, renderEnd } from '../demo/render-act.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';
import { renderTable } from '../terminal/table.ts';

interface DemoFlags {
  json?: true;
  serve?: true;
  payloads?: true;
  port?: string;
}

export async function demo(flags: DemoFlags, io: Io): Promise<ExitCode> {
  const stopped = flags.serve === true ? io.stopped() : undefined;
  const played = await play(flags, io);
  const { world } = played;
  try {
    const payloads = flags.payloads === true ? await feedPayloads(played, flags, io) : undefined;
    const invitation = stopped === undefined ? undefined : await invite(played);
    const isFine = isAsExpected(played) && payloads?.ok !== false;
    if (flags.json === true)
      outJson(io, {
        ...toJson(played),
        ok: isFine,
        ...(payloads === undefined ? {} : { payloads }),
        ...(invitation === undefined ? {} : toInvitation(invitation)),
      });
    else io.out(renderEnd(played, io));
    if (invitation !== undefined) {
      io.err(renderUrls(played, io));
      io.err(renderHowToSpeak({ ...invitation, columns: io.columns }));
      await stopped;
    }
    return isFine ? EXIT.ok : EXIT.failure;
  } finally {
    await world.close();
  }
}

/** Of the environment only the wish for details and Claude Code's program count: no model and no network is asked. */
function play(flags: DemoFlags, io: Io): Promise<Demo> {
  const paint = createPaint(io);
  const write = flags.json === true ? io.err : io.out;
  const isLive = io.isTty && flags.json !== true;
  const board = () => createBoard({ write, isLive, columns: io.columns, paint });
  let current = board();
  const env = { PORT: toPort(flags.port) };
  return runDemo({
    env,
    hasSocket: flags.serve === true,
    claudeBin: io.env['CLAUDE_BIN'],
    clock: systemClock,
    random: systemRandom,
    log: createLog({
      level: io.env['LOG_LEVEL'] ?? 'error',
      format: 'pretty',
      destination: { write: (line: string) => io.err(line) },
    }),
    onAct(says) {
      write(renderAct(says, { paint, columns: io.columns }));
      // Lines that stand already are not drawn over; a list of lines needs no second beginning.
      if (isLive) current = board();
    },
    onLook: (watched) => current.show(watched),
  });
}

function toPort(text: string | undefined): string {
  if (text === undefined) return '0';
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return text;
  throw usageError('port-invalid', `--port is ${text}; a number from 0 to 65535 is expected.`);
}

function urlsOf({ world, issues, pulls, plan, chats }: Demo): Record<string, string> {
  const [first] = issues;
  return {
    app: world.app.url,
    github: world.emulator.url,
    repository: first?.url.replace(/\/issues\/\d+$/, '') ?? world.emulator.url,
    issue: first?.url ?? '',
    pullRequest: pulls[0]?.url ?? '',
    plan: plan.url,
    ...chats.urls,
  };
}

function renderUrls(played: Demo, io: Io): string {
  const { repository = '', app = '' } = urlsOf(played);
  const rows = [
    ['issues', `${repository}/issues`],
    ...played.issues.map(({ number, url }) => [`#${number}`, url]),
    ['pull requests', `${repository}/pulls`],
    ...played.pulls.map(({ number, url }) => [`#${number}`, url]),
    ...rowsOfPlan(played.plan),
    ['Slack', played.chats.urls.slack],
    ['Bluesky', played.chats.urls.bluesky],
    ['App', `${app}/healthz, ${app}/readyz`],
    ['data', played.world.dir],
  ];
  const table = renderTable(rows, { columns: io.columns, indent: 2 });
  return `\nEverything stays up until Ctrl-C:\n${table}`;
}

type Invitation = Omit<Speaking, 'columns'>;

/** Makes it possible to take part. */
async function invite({ world }: Demo): Promise<Invitation> {
  const { dir, emulator } = world;
  const ghConfigDir = await writeGhConfig(dir, emulator.socketPath ?? '');
  const { url } = emulator;
  return { url, repository: REPOSITORY, people: peopleOf(emulator), ghConfigDir };
}

function toInvitation(invitation: Invitation): object {
  const { people } = invitation;
  return { people, gh: ghEnvironment(invitation, people[0]?.token ?? '') };
}

function rowsOfPlan(plan: DemoPlan): string[][] {
  const pulls = plan.tasks.flatMap(({ pull }) => (pull === undefined ? [] : [pull]));
  return [['plan', plan.url], ...pulls.map(({ number, url }) => [`#${number}`, url])];
}

/** The keys of spec 13. */
function toJson(played: Demo) {
  const { issues, pulls, plan, coder, seconds, counts } = played;
  const [first] = issues;
  return {
    ok: isAsExpected(played),
    seconds: Number(seconds.toFixed(2)),
    issue: first?.number ?? null,
    plan: plan.number,
    pullRequests: [...pulls, ...ofPlan(plan)],
    verdict: first?.verdicts.at(-1) ?? null,
    standup: {
      insights: played.standup.insights.length,
      noTension: played.standup.noTension,
      said: played.standup.insights,
      followUp: played.standup.followUp ?? null,
      closedBy: played.standup.closedBy ?? null,
    },
    memory: {
      entries: played.memory.entries.length,
      cited: played.memory.cited.length,
      notes: played.memory.entries,
      lessons: played.memory.lessons,
    },
    journal: played.memory.journal ?? null,
    channels: { slack: played.chats.slack, bluesky: played.chats.bluesky },
    githubCalls: counts.githubCalls,
    modelCalls: counts.modelCalls,
    coder: coder.name,
    coderCalls: counts.coderCalls,
    costUsd: counts.costUsd,
    urls: urlsOf(played),
    planIssue: plan,
    issues: issues.map(({ ownComments, ownReactions, ...issue }) => ({
      ...issue,
      comments: ownComments,
      reactions: ownReactions,
    })),
  };
}

function ofPlan(plan: DemoPlan) {
  return plan.tasks.flatMap(({ number, pull, checks }) =>
    pull === undefined ? [] : [{ ...pull, task: number, checks: checks.map(toLine) }],
  );
}

function toLine({ name, conclusion }: { name: string; conclusion: string }): string {
  return `${name}: ${conclusion}`;
}

async function feedPayloads(played: Demo, flags: DemoFlags, io: Io) {
  const { feedExamples } = await import('../../../demo/payloads.ts');
  const fed = await feedExamples(played.world, systemClock);
  if (flags.json !== true) io.out(renderFed(fed, io));
  return fed;
}

/** Names of events are left out: what happened to how many is what a reader wants. */
function renderFed(fed: Fed, io: Io): string {
  const counts = new Map<string, number>();
  for (const { name, count } of fed.outcomes) {
    const kind = name.replace(/(nothing acts on|in the payload of) [\w.]+/, '$1 this event');
    counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  const rows = [...counts].toSorted(([, a], [, b]) => b - a);
  const table = renderTable(
    rows.map(([kind, count]) => [String(count).padStart(4), kind]),
    { columns: io.columns },
  );
  const lost = fed.lost.length === 0 ? 'none lost' : `${fed.lost.length} lost`;
  return `\nGitHub's own examples: ${fed.payloads} signed webhooks, ${lost}\n${table}`;
}
