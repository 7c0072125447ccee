/** Keeps the one live comment up to date; in thread style, gives each contribution its own. */
import type { Contribution } from '../../domain/council.ts';
import { firstWrite, want } from '../decision.ts';
import { writeLane, type Scene } from '../scene.ts';
import { renderContribution } from './render-voice.ts';
import { renderRun } from './render.ts';

/** Shows where the run stands. A waiting older update is superseded by a newer one. */
export function showProgress(scene: Scene): void {
  const { run, step } = scene;
  const { thread } = run;
  if (run.settings.style === 'thread')
    for (const said of unposted(scene)) postContribution(scene, said);
  want(
    step,
    {
      kind: 'comment',
      thread,
      marker: { kind: 'run', run: run.id, key: 'live' },
      body: renderRun(run, step.now),
      ...firstWrite(run, 'live'),
    },
    { lane: writeLane(thread), slot: `${run.id}/live` },
  );
}

function unposted({ run }: Scene): Contribution[] {
  const said = run.contributions.filter((each) => each.outcome === 'said');
  const fresh = said.slice(run.posted);
  run.posted = said.length;
  return fresh;
}

function postContribution({ run, step }: Scene, said: Contribution): void {
  const { thread } = run;
  const key = `${said.handle}-${said.round}`;
  const marker = { kind: 'run' as const, run: run.id, key };
  const body = renderContribution(said, run);
  const isNew = firstWrite(run, key);
  want(step, { kind: 'comment', thread, marker, body, ...isNew }, { lane: writeLane(thread) });
}
