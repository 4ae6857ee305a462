/** `runs metrics`: prints metrics of all runs, in the format of Prometheus. */
import { exits, type ExitCode } from '../../base/error.ts';
import { metricsOf } from '../../report/telemetry/metrics.ts';
import { allFigures } from '../../report/overview/all-figures.ts';
import { openOverviews } from '../../report/overview/overviews.ts';
import type { Context } from '../context.ts';
import { configOf } from '../../app/config/opened.ts';
import { printShared } from '../running/shared.ts';
import { version } from '../../base/version.ts';

export async function run(context: Context): Promise<ExitCode> {
  const { terminal, clock } = context;
  const config = await configOf(context);
  const { stateDir } = config;
  await printShared(config, context);
  const figures = await allFigures(stateDir, openOverviews(stateDir));
  terminal.out.write(metricsOf(figures, { version, now: clock.now() }));
  return exits.done;
}
