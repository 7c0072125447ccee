/** Keeps the one live comment up to date; in thread style, gives each contribution its own. */
import type { Contribution } from '../../domain/run/council.ts';
import type { DiscussionRun } from '../../domain/run/state/run-record.ts';
import { LIVE, type MarkerStage } from '../../domain/github/marker.ts';
import { firstWrite, emitEffect } from '../run/decision.ts';
import { writeLane, type DiscussionContext } from '../run/thread-context.ts';
import { renderContribution } from './render/render-voice.ts';
import { renderRun } from './render/render-run.ts';

/** Shows the run's progress. A newer update supersedes an older one that still waits. */
export function showProgress(context: DiscussionContext): void {
  const { run, step } = context;
  const { thread } = run;
  if (run.settings.style === 'thread')
    for (const said of unposted(context)) postContribution(context, said);
  emitEffect(
    step,
    {
      kind: 'comment',
      thread,
      marker: { kind: 'run', run: run.id, key: LIVE, ...stageOf(run) },
      body: renderRun(run, step.now),
      ...firstWrite(run, 'live'),
    },
    { lane: writeLane(thread), slot: `${run.id}/live` },
  );
}

/** Signed, so that a store that was restored from an older backup learns of it. */
function stageOf({ status }: DiscussionRun): { stage?: MarkerStage } {
  if (status === 'active') return {};
  return { stage: status === 'blocked' ? 'waiting' : 'ended' };
}

function unposted({ run }: DiscussionContext): Contribution[] {
  const said = run.contributions.filter((each) => each.outcome === 'said');
  const fresh = said.slice(run.posted);
  run.posted = said.length;
  return fresh;
}

function postContribution({ run, step }: DiscussionContext, said: Contribution): void {
  const { thread } = run;
  const key = `${said.handle}-${said.round}`;
  const marker = { kind: 'run' as const, run: run.id, key };
  const body = renderContribution(said, run);
  const isNew = firstWrite(run, key);
  emitEffect(
    step,
    { kind: 'comment', thread, marker, body, ...isNew },
    { lane: writeLane(thread) },
  );
}
