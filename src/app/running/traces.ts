/** Traces of runs, sent to the collector that the environment names. */
import { ConfigError } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { traceExporter, type TraceExporter } from '../../report/telemetry/exporter.ts';
import { traceSettingsIn } from '../../report/telemetry/settings.ts';
import type { AppContext } from '../app-context.ts';
import { version } from '../../base/version.ts';

/** Opens the sender of traces. Invalid settings are reported, and stop no run. */
export function openTraces({ env, note, clock, secrets }: AppContext): {
  readonly traces?: TraceExporter;
} {
  const warn = (message: string, hint: string | undefined): void => {
    note({
      kind: 'warning',
      message: plainText(message, 300),
      ...(hint !== undefined && { hint }),
    });
  };
  try {
    const settings = traceSettingsIn(env);
    secrets.push(...settings.headers.values());
    const onLost = (message: string): void =>
      warn(message, 'check the collector, and the variables OTEL_EXPORTER_OTLP_*');
    return { traces: traceExporter({ ...settings, version, clock, secrets, onLost }) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    warn(`no traces are sent: ${error.message}`, error.hint);
    return {};
  }
}
