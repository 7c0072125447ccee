/** `quorum doctor`: checks what this installation needs, says how to fix what is not there, and requeues what died. */
import { openExistingStore } from '../../open-store.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import { createBasics } from '../basics.ts';
import { checkChannels } from '../doctor/check-channels.ts';
import { checkCoder } from '../doctor/check-coder.ts';
import { checkGitHub } from '../doctor/check-github.ts';
import type { Finding, Level } from '../doctor/doctor-finding.ts';
import { checkInstances } from '../doctor/check-instances.ts';
import { checkLive } from '../doctor/live/check-live.ts';
import { checkGit, checkNode } from '../doctor/check-machine.ts';
import { checkKeys, checkModels } from '../doctor/check-models.ts';
import { checkMemory } from '../doctor/check-memory.ts';
import { checkMoney } from '../doctor/check-money.ts';
import { checkRecovery } from '../doctor/check-recovery.ts';
import { checkConfig, checkPersonaFiles } from '../doctor/check-repository.ts';
import { checkStore } from '../doctor/check-store.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';
import { counted } from '../../../domain/text/counted.ts';
import { renderTable } from '../terminal/table.ts';

export async function doctor(
  options: { json?: true; requeue?: true; live?: string; tryKeys?: true },
  io: Io,
): Promise<ExitCode> {
  if (options.requeue === true) return requeue(options, io);
  const basics = createBasics({ ...io, env: { LOG_LEVEL: 'silent', ...io.env } }, { to: 'err' });
  const groups = await Promise.all([
    checkNode(),
    checkGit(),
    checkStore(io.env, basics),
    checkRecovery(io.env),
    checkMoney(io.env, basics.clock),
    checkMemory(io.env),
    checkInstances(io.env),
    checkGitHub({ ...basics, env: io.env }),
    checkModels({ ...basics, env: io.env }),
    checkPersonaFiles(io.cwd),
    checkConfig(io.cwd),
    checkCoder({ ...basics, env: io.env }),
    checkChannels({ env: io.env, clock: basics.clock, dir: io.cwd }),
  ]);
  const live =
    options.live === undefined ? [] : await checkLive({ ...basics, env: io.env }, options.live);
  const keys = options.tryKeys === true ? await checkKeys({ ...basics, env: io.env }) : [];
  const findings = [...groups.flat(), ...keys, ...live];
  const isFine = findings.every(({ level }) => level !== 'fail');
  if (options.json === true) outJson(io, { ok: isFine, checks: findings });
  else io.out(render(findings, io));
  return isFine ? EXIT.ok : EXIT.failure;
}

function render(findings: readonly Finding[], io: Io): string {
  const paint = createPaint(io);
  const marks: Record<Level, string> = {
    ok: paint.green('ok'),
    warn: paint.yellow('warn'),
    fail: paint.red('fail'),
    skip: paint.dim('skip'),
  };
  const rows = findings.flatMap(({ level, about, says, fix }) => [
    [marks[level], paint.bold(about), says],
    ...(fix === undefined ? [] : [['', '', `→ ${fix}`]]),
  ]);
  const count = (level: Level) => findings.filter((each) => each.level === level).length;
  const summary = `${counted(count('fail'), 'failure')}, ${counted(count('warn'), 'warning')}, ${count('ok')} fine${count('skip') > 0 ? `, ${count('skip')} not checked` : ''}`;
  return `${renderTable(rows, { columns: io.columns })}\n${summary}\n`;
}

/** Dead work gets fresh attempts; parked work is for a newer program, which this may be. */
async function requeue(options: { json?: true }, io: Io): Promise<ExitCode> {
  const basics = createBasics({ ...io, env: { LOG_LEVEL: 'silent' } }, { to: 'err' });
  const store = await openExistingStore(readHostSettings(io.env), basics);
  try {
    const dead = await store.requeue({ status: 'dead' });
    const parked = await store.requeue({ status: 'parked' });
    if (options.json === true) outJson(io, { ok: true, requeued: { dead, parked } });
    else
      io.out(
        `Put back into the queue: ${dead} dead, ${parked} parked. The App takes them when it runs.\n`,
      );
    return EXIT.ok;
  } finally {
    await store.close();
  }
}
