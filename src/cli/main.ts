/** The command line's first and last line: arguments in, exit code out. */
import process from 'node:process';
import { systemClock } from '../base/clock.ts';
import { exits, UsageError, type ExitCode } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { completionWord } from './completion/scripts.ts';
import { logLevels, oneOf, outputOf, type Context, type Given, type Globals } from './context.ts';
import { reportError } from './exits.ts';
import { checkPaths } from './given/paths.ts';
import { parseAndStart } from './program.ts';
import { terminalOver, type Terminal } from './screens/terminal.ts';
import { globalFlags } from './verbs/flags.ts';
import { verbs } from './verbs/index.ts';
import { version } from './version.ts';

/** Runs one command line in this process and sets its exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  withholdReports();
  process.exitCode = await exitOf(argv);
}

/** What Node can be told to write when a process dies holds its whole environment: keys, too. */
function withholdReports(): void {
  process.report.reportOnFatalError = false;
  process.report.reportOnUncaughtException = false;
  process.report.reportOnSignal = false;
}

async function exitOf(argv: readonly string[]): Promise<ExitCode> {
  const wantsColour = !argv.includes('--no-color');
  const terminal = terminalOf({ wantsColour, wantsInput: !argv.includes('--no-input') });
  let context: Context = { terminal, globals: plainGlobals, clock: systemClock, secrets: [] };
  if (argv.length === 0) return greet(terminal);
  if (argv[0] === completionWord) return completeFor(argv.slice(1), context);
  try {
    return await parseAndStart(argv, {
      verbs,
      version,
      write: (text) => terminal.out.write(text),
      columns: terminal.out.look.columns,
      start: async (verb, given, flags) => {
        context = { ...context, globals: globalsOf(flags, terminal.env) };
        outputOf(context, verb.formats ?? ['text']);
        enter(flags.text('dir'));
        await checkPaths([...globalFlags, ...verb.flags], both(given, flags));
        const { run } = await verb.load();
        return run(context, given);
      },
    });
  } catch (error) {
    return reportError(error, context);
  }
}

/** The shell asks while a person types: whatever goes wrong, it gets no answer and no error. */
async function completeFor(words: readonly string[], context: Context): Promise<ExitCode> {
  try {
    const { complete } = await import('./completion/complete.ts');
    context.terminal.out.write(await complete(words, context));
  } catch {
    // nothing is known to complete here
  }
  return exits.done;
}

function terminalOf(wishes: {
  readonly wantsColour: boolean;
  readonly wantsInput: boolean;
}): Terminal {
  const { stdout, stderr } = process;
  const env = withoutEmpty(process.env);
  return terminalOver({ stdin: () => process.stdin, stdout, stderr, env, ...wishes });
}

/** A setting a pipeline leaves empty is none; an input may be an empty text. */
function withoutEmpty(env: Terminal['env']): Terminal['env'] {
  const isSaid = ([name, value]: readonly [string, unknown]): boolean =>
    value !== '' || !name.startsWith('DESKHAND_') || name.startsWith('DESKHAND_VAR_');
  return Object.fromEntries(Object.entries(env).filter(isSaid));
}

const plainGlobals: Globals = { isQuiet: false, isVerbose: false, logLevel: 'warn' };

/** Flags first, then the environment. */
function globalsOf(flags: Given, env: Terminal['env']): Globals {
  const profile = flags.text('profile') ?? env['DESKHAND_PROFILE'];
  const config = flags.text('config') ?? env['DESKHAND_CONFIG'];
  const output = flags.text('output');
  const jsonInto = flags.text('json-into');
  const level = flags.text('log-level') ?? env['DESKHAND_LOG'] ?? plainGlobals.logLevel;
  return {
    ...(profile !== undefined && { profile }),
    ...(config !== undefined && { config }),
    ...(output !== undefined && { output }),
    ...(jsonInto !== undefined && { jsonInto }),
    isQuiet: flags.isOn('quiet'),
    isVerbose: flags.isOn('verbose'),
    logLevel: oneOf(level, logLevels, '--log-level'),
  };
}

/** Flags of the verb and of all verbs as one. */
function both(own: Given, all: Given): Given {
  return { ...own, text: (flag) => own.text(flag) ?? all.text(flag) };
}

function enter(folder: string | undefined): void {
  if (folder === undefined) return;
  try {
    process.chdir(folder);
  } catch (error) {
    const isFile = isRecord(error) && error['code'] === 'ENOTDIR';
    const what = isFile ? `${folder} is no folder` : `there is no folder ${folder}`;
    throw new UsageError(`--dir: ${what}`, 'it is where to work, as if started there');
  }
}

/** Without words: the three commands to begin with. */
function greet({ out }: Terminal): ExitCode {
  const { paint } = out.look;
  out.line(`${paint('strong', 'deskhand')} ${version}`);
  out.line('playbooks for exchange accounts: checked, planned, and never sent twice');
  out.line();
  for (const [command, says] of [
    ['deskhand demo', 'see it work: no account, no key, no network'],
    ['deskhand init', 'start a repository of playbooks'],
    ['deskhand --help', 'all commands'],
  ] as const) {
    out.line(`  ${paint('command', command.padEnd(18))}${says}`);
  }
  return exits.done;
}
