/** The flags `--output` and `--json`, which select one of the command's formats. */
import { UsageError } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { Args } from '../context.ts';
import { globalFlags, versionFlags } from '../verbs/flags.ts';
import type { Verb } from '../verbs/verb.ts';

/** The requested format; undefined for the default. @throws UsageError when the flags contradict */
export function outputIn(flags: Args): string | undefined {
  const format = flags.text('output');
  if (!flags.isOn('json')) return format;
  if (format === undefined || format === 'json') return 'json';
  throw new UsageError(
    `--json and --output ${plainText(format, 20)} contradict`,
    'give one of them',
  );
}

/** Refuses `--json` of a command without that format. @throws UsageError */
export function refuseNoJson({ name, formats }: Verb, flags: Args): void {
  if (!flags.isOn('json') || formats?.includes('json') === true) return;
  throw new UsageError(
    `--json: ${name} does not print one JSON object`,
    formats?.includes('ndjson') === true ? 'it prints one per line: -o ndjson' : 'omit --json',
  );
}

/** Whether a line has only switches, and they ask for the version and for JSON. */
export function wantsVersionAsJson(argv: readonly string[]): boolean {
  const words = argv
    .join(' ')
    .replaceAll(/(?:-o|--output)[ =]?json/g, '--json')
    .split(' ');
  const switches = globalFlags.flatMap(({ flags }) =>
    flags.includes('<') ? [] : flags.split(', '),
  );
  return (
    words.includes('--json') &&
    words.some((word) => versionFlags.includes(word)) &&
    words.every((word) => versionFlags.includes(word) || switches.includes(word))
  );
}
