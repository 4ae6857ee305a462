/** Text inside Markdown: values from outside cannot become markup, links, mentions or another row. */
import { moreText, plainText } from '../../base/text.ts';

/** A sentence of deskhand with values from outside: Markdown syntax is escaped. */
export function prose(text: string): string {
  return plainText(text, textMax)
    .replace(/[\\`*_{}[\]<>|~!&]/g, (sign) => entities[sign] ?? `\\${sign}`)
    .replace(/@(?! )|#|:\/\/|www\./g, (sign) => `${sign.slice(0, 1)}${gap}${sign.slice(1)}`);
}

/** Words from outside as they were written, in a code span that fits a cell of a table; '' stays ''. */
export function code(text: string): string {
  const shown = plainText(text, textMax).trim();
  if (shown === '') return '';
  const longest = (shown.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${shown.replaceAll('|', '\\|')}${pad}${fence}`;
}

/** Lines as a code block, whatever they contain. */
export function codeBlock(lines: readonly string[]): string {
  const shown = lines.map((line) => plainText(line, textMax));
  const runs = shown.flatMap((line) => line.match(/`+/g) ?? []);
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return [fence, ...shown, fence].join('\n');
}

const wordsMax = 20;

/** A list of words in one line: the first ones, and how many more there are. */
export function wordList(words: readonly string[]): string {
  const rest = words.length - wordsMax;
  if (rest <= 0) return words.join(', ');
  return `${words.slice(0, wordsMax).join(', ')}, and ${rest} more`;
}

/** A list of points: the first ones, and how many more there are. */
export function points(lines: readonly string[]): string {
  const rest = lines.length - wordsMax;
  const shown = rest <= 0 ? lines : [...lines.slice(0, wordsMax), moreText(rest)];
  return shown.map((line) => `- ${line}`).join('\n');
}

/** An invisible line that identifies a comment, so that a later one of its kind finds it. */
export function marker(
  kind: 'plan' | 'plans' | 'run' | 'validate' | 'drift',
  name: string,
): string {
  const safe = name.replace(/[^A-Za-z0-9._/-]/g, '-').replace(/-{2,}/g, '-');
  return `<!-- deskhand:${kind}:${safe.slice(0, 160)} -->`;
}

/** The first lines of a table; columns of numbers are right-aligned. */
export function tableHead(names: readonly string[], areNumbers: readonly boolean[] = []): string[] {
  return [tableRow(names), tableRow(names.map((_, at) => (areNumbers[at] ? '--:' : '---')))];
}

/** The line below a table whose omitted rows a command shows. */
export function moreIn(command: string): (left: number) => string {
  return (left) => `${moreText(left, 'row')}: \`${command}\` shows all`;
}

/** A row of a table. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

// Characters are written as entities, because a backslash does not reach them in a heading of HTML, for
// example.
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '`': '&#96;',
};
const textMax = 500; // characters of one text
const gap = '<!-- -->'; // splits what a host would turn into a mention or a link
