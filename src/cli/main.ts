/** Entry point of the command line: arguments in, exit code out. */
import process from 'node:process';
import { systemClock } from '../base/clock.ts';
import { exits, UsageError, type ExitCode } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { namedVariables } from '../base/platform/environment.ts';
import { raiseFileLimit, sizeFlag } from '../base/read-file.ts';
import type { Secret } from '../base/secret.ts';
import { plainText } from '../base/text.ts';
import { completionWord } from './completion/scripts.ts';
import {
  logFormats,
  logLevels,
  onTerminal,
  oneOf,
  outputOf,
  type Context,
  type Args,
  type Globals,
} from './context.ts';
import { environmentSecrets } from '../app/config/environment-secrets.ts';
import { reportOpenSecretFiles } from '../app/config/secret-file.ts';
import { reportError } from './exits.ts';
import { describeError } from '../app/running/describe.ts';
import { outputIn, refuseNoJson, wantsVersionAsJson } from './args/format.ts';
import { checkPaths, readsStdin } from './args/paths.ts';
import { choicesIn, withoutEmpty } from '../app/store/choices.ts';
import { wantsTraces } from '../report/telemetry/settings.ts';
import { parseAndStart } from './program.ts';
import { terminalOver, type Terminal, type TerminalParts } from '../report/terminal/terminal.ts';
import { signalsOf } from './running/signals.ts';
import { globalFlags } from './verbs/flags.ts';
import { verbs } from './verbs/index.ts';
import { version } from '../base/version.ts';

/** Runs one command line in this process and sets its exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  withholdReports();
  const output: Output = { isLost: false };
  const code = await exitOf(argv, output);
  process.exitCode = output.isLost && code === exits.done ? exits.stopped : code;
}

interface Output {
  /** Whether some output could not be written. */
  isLost: boolean;
}

/**
 * Turns off Node's reports of a crashed process: they contain its whole environment, including
 * keys.
 */
function withholdReports(): void {
  process.report.reportOnFatalError = false;
  process.report.reportOnUncaughtException = false;
  process.report.reportOnSignal = false;
}

async function exitOf(argv: readonly string[], output: Output): Promise<ExitCode> {
  const wantsColour = !argv.includes('--no-color');
  const wantsInput = !argv.includes('--no-input');
  const terminal: Terminal = terminalOf({
    wantsColour,
    wantsInput,
    onLost: (stream, error) => {
      output.isLost = true;
      if (process.exitCode === exits.done) process.exitCode = exits.stopped; // the last lines of output
      terminal[stream === 'stdout' ? 'err' : 'out'].line(lostWords(stream, error));
    },
  });
  return executeLine(argv, { terminal, clock: systemClock });
}

/** The environment of a command line; defaults: HTTP, and the store of the project. */
type Surroundings = Pick<Context, 'terminal' | 'clock' | 'reach' | 'store' | 'jobs'>;

/** Executes one command line on a terminal and prints errors there. */
export async function executeLine(
  argv: readonly string[],
  { terminal: given, clock, reach, store, jobs }: Surroundings,
): Promise<ExitCode> {
  const secrets: Secret[] = [...environmentSecrets(given.env)];
  const terminal = await terminalFor(argv, given, { clock, secrets });
  const own = {
    globals: plainGlobals,
    clock,
    secrets,
    isOwnProcess: true,
    ...(reach && { reach }),
    ...(store && { store }),
    ...(jobs && { jobs }),
  } as const;
  let context: Context = { ...onTerminal(own, terminal), onSignal: signalsOf(terminal) };
  if (argv.length === 0) return greet(terminal);
  if (argv[0] === completionWord) return completeFor(argv.slice(1), context);
  try {
    return await parseAndStart(wantsVersionAsJson(argv) ? ['version', '--json'] : argv, {
      verbs,
      version,
      write: (text) => terminal.out.write(text),
      columns: terminal.out.theme.columns,
      start: async (verb, args, flags) => {
        oneOf(formatIn(argv, terminal.env), logFormats, '--log-format');
        const globals = globalsOf(flags, terminal.env);
        context = onTerminal({ ...context, globals }, terminal);
        const { note } = context;
        refuseNoJson(verb, flags);
        outputOf(context, verb.formats ?? ['text']);
        if (wantsTraces(terminal.env)) {
          const { openTraces } = await import('../app/running/traces.ts');
          context = { ...context, ...openTraces(context) };
        }
        const dirs = flags.texts('dir');
        if (verb.takesDirs) context = { ...context, dirs };
        else enter(dirs);
        raiseLimit(flags.text(sizeFlag.slice(2)));
        const all = [...globalFlags, ...verb.flags];
        await checkPaths(all, both(args, flags));
        if (readsStdin(all, args))
          context = { ...context, terminal: { ...terminal, canAsk: false } };
        const { run } = await verb.load();
        reportOpenSecretFiles((file) => note({ kind: 'warning', ...file }));
        return run(context, args);
      },
    });
  } catch (error) {
    return reportError(error, context);
  } finally {
    await context.traces?.idle();
  }
}

/**
 * The terminal of a command line. The log begins before the arguments are parsed, because an error
 * in them is a record, too.
 */
async function terminalFor(
  argv: readonly string[],
  terminal: Terminal,
  { clock, secrets }: Pick<Context, 'clock' | 'secrets'>,
): Promise<Terminal> {
  if (formatIn(argv, terminal.env) !== 'json') return terminal;
  const { loggingTerminal } = await import('./screens/log.ts');
  const isQuiet = argv.includes('-q') || argv.includes('--quiet');
  const asked = valueIn(argv, '--log-level') ?? terminal.env['DESKHAND_LOG'];
  const level = logLevels.find((each) => each === asked) ?? (isQuiet ? 'warn' : 'info');
  return loggingTerminal(terminal, { clock, level, secrets });
}

function formatIn(argv: readonly string[], env: Terminal['env']): string {
  return valueIn(argv, '--log-format') ?? env['DESKHAND_LOG_FORMAT'] ?? 'text';
}

/** The value of a flag: `--flag value` or `--flag=value`. */
function valueIn(argv: readonly string[], flag: string): string | undefined {
  const at = argv.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at === -1) return undefined;
  return argv[at] === flag ? argv[at + 1] : argv[at]?.slice(flag.length + 1);
}

/**
 * Answers a shell's query while a person types: on any failure it gets no candidates and no error.
 */
async function completeFor(words: readonly string[], context: Context): Promise<ExitCode> {
  try {
    const { complete } = await import('./completion/complete.ts');
    context.terminal.out.write(await complete(words, context));
  } catch {
    // no completions are known here
  }
  return exits.done;
}

function lostWords(stream: string, error: unknown): string {
  const { code, message } = describeError(error);
  const reason = `error[${code}] ${stream} cannot be written: ${plainText(message)}`;
  return `${reason}; only this output is lost, the work is done all the same (a run: \`deskhand runs show last\`)`;
}

function terminalOf(
  wishes: Pick<TerminalParts, 'wantsColour' | 'wantsInput' | 'onLost'>,
): Terminal {
  const { stdout, stderr } = process;
  const env = withoutEmpty(namedVariables(process.env));
  return terminalOver({ stdin: () => process.stdin, stdout, stderr, env, ...wishes });
}

const plainGlobals: Globals = { isQuiet: false, isVerbose: false, logLevel: 'warn' };

/** The global settings: flags take precedence over the environment. */
function globalsOf(flags: Args, env: Terminal['env']): Globals {
  const [profile, config, store] = [
    flags.text('profile'),
    flags.text('config'),
    flags.text('store'),
  ];
  const output = outputIn(flags);
  const jsonInto = flags.text('json-into');
  const level = flags.text('log-level') ?? env['DESKHAND_LOG'] ?? plainGlobals.logLevel;
  return {
    ...choicesIn({ profile, config, store }, env),
    ...(output !== undefined && { output }),
    ...(jsonInto !== undefined && { jsonInto }),
    isQuiet: flags.isOn('quiet'),
    isVerbose: flags.isOn('verbose'),
    logLevel: oneOf(level, logLevels, '--log-level'),
  };
}

/** The flags of the verb together with the global flags. */
function both(own: Args, all: Args): Args {
  return { ...own, text: (flag) => own.text(flag) ?? all.text(flag) };
}

function raiseLimit(megabytes: string | undefined): void {
  if (megabytes === undefined) return;
  if (!/^[1-9][0-9]{0,3}$/.test(megabytes)) {
    throw new UsageError(
      `${sizeFlag}: ${plainText(megabytes, 40)} is not a number of megabytes`,
      `give a whole number from 1 to 9999: ${sizeFlag} 100`,
    );
  }
  raiseFileLimit(Number(megabytes));
}

function enter([folder, ...others]: readonly string[]): void {
  if (folder === undefined) return;
  if (others.length > 0) throw new UsageError('--dir is given twice', 'only serve takes several');
  try {
    process.chdir(folder);
  } catch (error) {
    const isFile = isRecord(error) && error['code'] === 'ENOTDIR';
    const what = isFile ? `${folder} is not a folder` : `folder not found: ${folder}`;
    throw new UsageError(`--dir: ${what}`, 'it is the folder to work in');
  }
}

/** Prints the three commands to start with, if there are no arguments. */
function greet({ out }: Terminal): ExitCode {
  const { paint } = out.theme;
  out.line(`${paint('strong', 'deskhand')} ${version}`);
  out.line('validate, plan and run playbooks against exchange accounts');
  out.line();
  for (const [command, description] of [
    ['deskhand demo', 'run a demo: no account, no key, no network'],
    ['deskhand init', 'create a repository of playbooks'],
    ['deskhand --help', 'all commands'],
  ] as const) {
    out.line(`  ${paint('command', command.padEnd(18))}${description}`);
  }
  return exits.done;
}
