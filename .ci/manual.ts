/** The pages of the manual, printed from the table of commands in the macros of man(7). */
import { environmentRows } from '../src/cli/environment.ts';
import { exitMeanings } from '../src/cli/exits.ts';
import { globalFlags } from '../src/cli/verbs/flags.ts';
import { verbs } from '../src/cli/verbs/index.ts';
import { exampleOf, groupDescriptions, headingOf, tasks } from '../src/cli/verbs/tasks.ts';
import type { Flag, Verb } from '../src/cli/verbs/verb.ts';
import { version } from '../src/base/version.ts';

/** Pages by file name: one for the program, and one for each command or group of commands. */
export function manual(): Readonly<Record<string, string>> {
  const words = [...new Set(verbs.map(firstWord))];
  return {
    'deskhand.1': programPage(words),
    ...Object.fromEntries(words.map((word) => [`deskhand-${word}.1`, commandPage(word)])),
  };
}

const firstWord = ({ name }: Verb): string => name.split(' ')[0] ?? '';
const pageOf = (word: string): string => `deskhand-${word}`;

function programPage(words: readonly string[]): string {
  const commands = tasks.flatMap(({ heading }) => [
    macro('SS', heading.replace(/:$/, '')),
    ...words
      .filter((word) => headingOf(word) === heading)
      .flatMap((word) =>
        term(`deskhand ${word}`, descriptionOf(word), ` (see ${pageOf(word)}(1))`),
      ),
  ]);
  return page('deskhand', 'validate, plan and run playbooks against exchange accounts', [
    section('SYNOPSIS', bold('deskhand') + plain(' [options] command [arguments]')),
    section(
      'DESCRIPTION',
      plain(
        'deskhand is a declarative runner of YAML playbooks. Orders are never placed twice, and every outcome that is not known is reported as in doubt.',
      ),
      '.PP',
      plain('The manual and the help of each command are printed from one table.'),
      bold('deskhand explain') +
        plain(' explains operations, rules, helpers and error codes; ') +
        bold('deskhand help topics') +
        plain(' lists general topics.'),
    ),
    section('COMMANDS', ...commands),
    section('OPTIONS', ...flagLines(globalFlags), ...term('-V, --version', 'print the version')),
    section(
      'EXIT STATUS',
      ...exitMeanings.flatMap(([code, meaning]) => term(String(code), meaning)),
    ),
    section('ENVIRONMENT', ...environmentRows.flatMap(([name, meaning]) => term(name, meaning))),
    section(
      'FILES',
      ...term('deskhand.yaml', 'profiles: accounts, their keys, limits and approvals'),
      ...term('.deskhand', 'state of this folder: runs, plans, locks, and the built-in exchange'),
    ),
    section('SEE ALSO', plain(words.map((word) => `${pageOf(word)}(1)`).join(', '))),
  ]);
}

function commandPage(word: string): string {
  const own = verbs.filter((verb) => firstWord(verb) === word);
  return page(pageOf(word), descriptionOf(word), [
    section('SYNOPSIS', ...own.flatMap((verb, at) => [...(at > 0 ? ['.br'] : []), usage(verb)])),
    section(
      'DESCRIPTION',
      ...own.flatMap((verb) => [
        ...(own.length > 1 ? [macro('SS', `deskhand ${verb.name}`)] : []),
        plain(`${verb.description}.`),
        ...detailsOf(verb),
      ]),
    ),
    section('SEE ALSO', plain('deskhand(1) has the options of every command, and exit codes.')),
  ]);
}

function detailsOf({ name, flags, formats }: Verb): readonly string[] {
  const example = exampleOf(name);
  return [
    ...flagLines(flags),
    ...(formats === undefined ? [] : ['.PP', plain(`Output formats: ${formats.join(', ')}.`)]),
    ...(example === undefined
      ? []
      : ['.PP', plain('Example:'), '.PP', bold(`deskhand ${example}`)]),
  ];
}

function descriptionOf(word: string): string {
  return verbs.find(({ name }) => name === word)?.description ?? groupDescriptions[word] ?? word;
}

function usage({ name, positionals, flags }: Verb): string {
  const options = flags.length > 0 ? ' [options]' : '';
  return bold(`deskhand ${name}`) + plain(`${options} ${positionals}`.trimEnd());
}

function flagLines(flags: readonly Flag[]): readonly string[] {
  return flags.flatMap(({ flags: names, description, isRepeated }) =>
    term(names, description, isRepeated ? ' (repeatable)' : ''),
  );
}

function page(name: string, title: string, sections: readonly string[]): string {
  const head = `.TH ${[name.toUpperCase(), '1', '', `deskhand ${version}`, 'Manual of deskhand'].map(quoted).join(' ')}`;
  const purpose = section('NAME', `${plain(name)} \\- ${plain(title)}`);
  const note = '.\\" Printed from the code by `npm run print`.';
  return `${[note, head, purpose, ...sections].join('\n')}\n`;
}

const section = (name: string, ...lines: readonly string[]): string =>
  [
    `.SH ${name}`,
    ...lines.flatMap((line) => (/^\.[A-Zb]/.test(line) ? [line] : wrapped(line))),
  ].join('\n');

const widest = 80; // bytes of a line; mandoc reports longer ones

/** Broken at blanks; a line never begins with a control character. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length >= widest) {
      lines.push(word.startsWith('.') ? `\\&${word}` : word);
    } else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** A term and its meaning, indented below it. */
function term(name: string, meaning: string, more = ''): readonly string[] {
  return ['.TP', bold(name), plain(`${meaning}${more}`)];
}

const macro = (name: string, text: string): string => `.${name} ${quoted(text)}`;
const bold = (text: string): string => `\\fB${plain(text)}\\fR`;
const quoted = (text: string): string => `"${plain(text).replaceAll('"', '\\(dq')}"`;

/**
 * Text without a meaning in roff: no escape, hyphens that can be copied
 * as minus signs, and other characters by their code points.
 */
function plain(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll(/[^ -~]/gu, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
      return `\\[u${code.padStart(4, '0')}]`;
    });
}
