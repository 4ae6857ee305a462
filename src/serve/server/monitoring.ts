/** Answers for monitors: metrics, whether the server answers, and whether it reaches its state. No
 * session is needed.
 */
import { FiguresSum } from '../../report/telemetry/figures-sum.ts';
import { metricsOf } from '../../report/telemetry/metrics.ts';
import { figuresReader } from '../../report/overview/all-figures.ts';
import type { ServerContext } from './route-context.ts';

interface MonitorAnswer {
  readonly status: 200 | 503;
  readonly type: string;
  readonly text: string;
}

/** Answers for monitors by path. They have counts only, and no name of a run or account. */
type Monitoring = Readonly<Record<`/${string}`, () => Promise<MonitorAnswer>>>;

export function monitoringOf({ desks, clock, program }: ServerContext): Monitoring {
  const readers = desks.map(({ config, overviews }) => figuresReader(config.stateDir, overviews));
  const version = program.split(' ')[1] ?? program;
  return {
    '/metrics': async () => {
      const all = await Promise.all(readers.map((reader) => reader()));
      const sum = new FiguresSum();
      for (const each of all) sum.addAll(each.sum);
      const damaged = all.reduce((sum, each) => sum + each.damaged, 0);
      const text = metricsOf({ sum, damaged }, { version, now: clock.now() });
      return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', text };
    },
    '/healthz': async () => plain(200, 'ok\n'),
    '/readyz': async () => {
      const away = desks.filter((desk) => desk.trouble() !== undefined);
      if (away.length === 0) return plain(200, 'ok\n');
      const lines = away.map(({ name }) => `desk ${name}: its state store cannot be reached\n`);
      return plain(503, lines.join(''));
    },
  };
}

function plain(status: MonitorAnswer['status'], text: string): MonitorAnswer {
  return { status, type: 'text/plain; charset=utf-8', text };
}
