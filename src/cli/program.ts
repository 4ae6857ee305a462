/** The table of commands as a commander program: parsing, help texts, suggestions. */
import { Command, Help, CommanderError, Option } from 'commander';
import { UsageError, type ExitCode } from '../base/error.ts';
import { nearWord } from '../base/text.ts';
import type { Args } from './context.ts';
import { globalFlags, helpFlags, versionFlags } from './verbs/flags.ts';
import { exampleOf, groupDescriptions, headingOf, tasks } from './verbs/tasks.ts';
import { longFlag, type Flag, type Verb } from './verbs/verb.ts';

export interface ProgramParts {
  readonly verbs: readonly Verb[];
  readonly version: string;
  /** Writes help to its output stream. */
  readonly write: (text: string) => void;
  readonly columns: number;
  /** Called with the chosen verb. */
  readonly start: (verb: Verb, args: Args, globals: Args) => Promise<ExitCode>;
}

/** Parses a command line and starts its command. */
export async function parseAndStart(
  argv: readonly string[],
  parts: ProgramParts,
): Promise<ExitCode> {
  let outcome: ExitCode = 0;
  const program = programOf({ ...parts, verbs: reachedBy(argv, parts.verbs) }, (code) => {
    outcome = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageError(error, argv, parts.verbs);
  }
  return outcome;
}

/** What a command line can reach: registering a command and its flags takes start-up time. */
function reachedBy(argv: readonly string[], verbs: readonly Verb[]): readonly Verb[] {
  const [first = '', ...others] = argv;
  if (others.length === 0 && versionFlags.includes(first)) return [];
  if (others.length === 0 && helpFlags.includes(first))
    return verbs.map((verb) => ({ ...verb, flags: [] }));
  const meant = verbs.filter(({ name }) => name.split(' ')[0] === first);
  return meant.length === 0 ? verbs : meant;
}

/** The help text of a command, of a group such as `runs`, or of everything. */
export function helpOf(topic: string | undefined, parts: Omit<ProgramParts, 'start'>): string {
  const program = programOf({ ...parts, start: () => Promise.resolve(0) }, () => undefined);
  const words = topic === undefined ? [] : topic.split(' ');
  const found = words.reduce<Command | undefined>(
    (command, word) => command?.commands.find((child) => child.name() === word),
    program,
  );
  if (found !== undefined) return found.helpInformation() + exampleText(topic ?? '');
  throw unknownWord('help topic', topic ?? '', verbWords(parts.verbs));
}

function programOf(parts: ProgramParts, settle: (code: ExitCode) => void): Command {
  const program = new Command('deskhand')
    .description(
      'Validate, plan and run YAML playbooks against exchange accounts. Orders are never placed twice.',
    )
    .version(parts.version, versionFlags.join(', '), 'print the version')
    .helpCommand(false)
    .helpOption(helpFlags.join(', '), 'show help')
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (command) => command.name(),
      minWidthToWrap,
      formatItem,
    })
    .configureOutput({
      writeOut: parts.write,
      writeErr: () => undefined, // errors are thrown and printed in one place
      getOutHelpWidth: () => Math.min(parts.columns, helpWidth),
    });
  for (const flag of globalFlags) program.addOption(optionOf(flag));
  const rank = ({ name }: Verb): number => {
    const heading = headingOf(name.split(' ')[0] ?? '');
    return tasks.findIndex((task) => task.heading === heading);
  };
  for (const verb of parts.verbs.toSorted((a, b) => rank(a) - rank(b))) {
    addVerb(program, verb, parts, settle);
  }
  return program;
}

const helpWidth = 80; // columns, independent of the terminal's width
const minWidthToWrap = 20; // columns of a description

/**
 * A line of a term and its description: beside it, or below it where a terminal is too narrow for
 * both.
 */
function formatItem(term: string, width: number, description: string, helper: Help): string {
  const columns = helper.helpWidth ?? helpWidth;
  if (columns - width - 4 >= minWidthToWrap || description === '') {
    return Help.prototype.formatItem.call(helper, term, width, description, helper);
  }
  const [below, indent] = [helper.boxWrap(description, columns - 6), ' '.repeat(6)];
  return `  ${term}\n${indent}${below.replaceAll('\n', `\n${indent}`)}`;
}

function addVerb(
  program: Command,
  verb: Verb,
  parts: ProgramParts,
  settle: (code: ExitCode) => void,
): void {
  const words = verb.name.split(' ');
  const parent = words.length === 1 ? program : groupOf(program, words[0] ?? '');
  const command = parent
    .command(`${words.at(-1)} ${verb.positionals}`.trim())
    .description(verb.description)
    .helpCommand(false);
  dress(command, verb.name);
  for (const flag of verb.flags) command.addOption(optionOf(flag));
  command.action(async () => {
    refuseEmpty(verb, command);
    const args = givenOf(command.args, command.opts());
    settle(await parts.start(verb, args, givenOf([], program.opts())));
  });
}

/** Adds the heading of a command and its example. */
function dress(command: Command, name: string): void {
  const heading = headingOf(name);
  if (heading !== undefined && !name.includes(' ')) command.helpGroup(heading);
  command.addHelpText('after', exampleText(name).trimEnd());
}

function exampleText(name: string): string {
  const example = exampleOf(name);
  return example === undefined ? '' : `\nExample:\n  deskhand ${example}\n`;
}

/** Refuses an argument left empty by a script: it would mean this folder, or nothing. */
function refuseEmpty(verb: Verb, command: Command): void {
  const options = Object.entries({ ...command.optsWithGlobals() });
  const [flag] = options.find(([, value]) => [value].flat().includes('')) ?? [];
  const hint = `give it a value or omit it; see \`deskhand ${verb.name} --help\``;
  if (flag !== undefined) {
    const name = flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(`--${name} is empty`, hint);
  }
  if (command.args.includes('')) throw new UsageError('an argument is empty', hint);
}

function groupOf(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const group = program
    .command(name)
    .description(groupDescriptions[name] ?? name)
    .helpCommand(false);
  dress(group, name);
  return group;
}

function optionOf(flag: Flag): Option {
  if (!flag.isRepeated && !flag.isCollected) return new Option(flag.flags, flag.description);
  const note = flag.isRepeated ? ' (repeatable)' : '';
  return new Option(flag.flags, `${flag.description}${note}`).argParser<
    readonly string[] | undefined
  >((value, before = []) => [...before, value]);
}

function givenOf(words: readonly string[], options: Readonly<Record<string, unknown>>): Args {
  const valueOf = (flag: string): unknown =>
    options[flag.replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())];
  return {
    positionals: words,
    text: (flag) => {
      const value = valueOf(flag);
      return typeof value === 'string' ? value : undefined;
    },
    texts: (flag) => {
      const value = valueOf(flag);
      return Array.isArray(value) ? value.map(String) : [];
    },
    isOn: (flag) => valueOf(flag) === true,
  };
}

/** Commander's error in our wording; values are never repeated, because they may be secrets. */
function usageError(
  error: CommanderError,
  argv: readonly string[],
  verbs: readonly Verb[],
): UsageError {
  const quoted = /'([^'=]*)/.exec(error.message)?.[1] ?? '';
  switch (error.code) {
    case 'commander.unknownCommand':
      return unknownWord('command', quoted, verbWords(verbs, argv[0]), helpHint(argv, verbs));
    case 'commander.unknownOption':
      if (/key|secret|pass|token/i.test(quoted)) {
        return new UsageError(
          `unknown flag ${quoted}: secrets are never flags`,
          'set DESKHAND_API_KEY, DESKHAND_API_SECRET and DESKHAND_API_PASSPHRASE, or name a file with …_FILE',
        );
      }
      return (
        refusedFlag(quoted, verbOf(argv, verbs)) ??
        unknownWord('flag', quoted, flagWords(verbs, argv), helpHint(argv, verbs))
      );
    case 'commander.missingArgument':
      return new UsageError(`<${quoted}> is missing`, helpHint(argv, verbs));
    case 'commander.optionMissingArgument':
      return new UsageError(`${longFlag(quoted)} needs a value`, helpHint(argv, verbs));
    case 'commander.excessArguments':
      return new UsageError('unexpected argument', helpHint(argv, verbs));
    case 'commander.help':
      return new UsageError('a subcommand is required', helpHint(argv, verbs));
    default:
      return new UsageError(error.message.replace(/^error: /, ''), helpHint(argv, verbs));
  }
}

/** The reason for a flag that programs of this kind usually have, and this command does not. */
function refusedFlag(flag: string, verb: Verb | undefined): UsageError | undefined {
  const { flags, because, hint } = verb?.refused ?? { flags: [], because: '', hint: '' };
  return flags.includes(flag) ? new UsageError(`${flag}: ${because}`, hint) : undefined;
}

function unknownWord(
  what: string,
  word: string,
  known: readonly string[],
  otherwise = 'see `deskhand --help`',
): UsageError {
  const near = nearWord(word, known);
  return new UsageError(
    `unknown ${what} ${JSON.stringify(word)}`,
    near ? `did you mean ${near}?` : otherwise,
  );
}

function verbWords(verbs: readonly Verb[], group?: string): readonly string[] {
  const ofGroup = verbs.filter(({ name }) => name.startsWith(`${group} `));
  const words = ofGroup.length > 0 ? ofGroup.map(({ name }) => name.split(' ')[1]) : undefined;
  return [...new Set(words ?? verbs.map(({ name }) => name.split(' ')[0]))].filter(
    (word) => word !== undefined,
  );
}

function flagWords(verbs: readonly Verb[], argv: readonly string[]): readonly string[] {
  const verb = verbOf(argv, verbs);
  return [...globalFlags, ...(verb?.flags ?? [])].map(({ flags }) => longFlag(flags));
}

function verbOf(argv: readonly string[], verbs: readonly Verb[]): Verb | undefined {
  const words = argv.filter((word) => !word.startsWith('-'));
  return (
    verbs.find(({ name }) => name === `${words[0]} ${words[1]}`) ??
    verbs.find(({ name }) => name === words[0])
  );
}

function helpHint(argv: readonly string[], verbs: readonly Verb[]): string {
  const group = verbs.find(({ name }) => name.startsWith(`${argv[0]} `)) && argv[0];
  const name = verbOf(argv, verbs)?.name ?? group;
  return name === undefined ? 'see `deskhand --help`' : `see \`deskhand ${name} --help\``;
}
