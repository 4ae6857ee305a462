/** NAME=value lines of a file of secrets, or of what a program prints. */
import { CredentialError } from './credential-error.ts';

const name = /^(?:export\s+)?([A-Za-z_][\w.-]*)\s*=[^\S\n]*/;
const quotes = ['"', "'", '`'];

/**
 * Parses NAME=value lines. A value is everything after the first `=`, without blanks around it, or the
 * content of quotes; in quotes it may have several lines, and `\n` in double quotes is a line end. A `#`
 * begins a comment only at the start of a line or after a closing quote.
 * @param source where the lines are, for messages; their text is never shown
 * @throws CredentialError for a line that can be read in two ways
 */
export function secretLines(text: string, source: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const lines = text
    .replace(/^\u{feff}/u, '') // a mark that editors on Windows write
    .replaceAll(/\r\n?/g, '\n')
    .split('\n');
  for (let index = 0; index < lines.length; index++) {
    const line = (lines[index] ?? '').trim();
    if (line === '' || line.startsWith('#')) continue;
    const refuse = (what: string, hint: string): never => {
      throw new CredentialError(`line ${index + 1} ${source} ${what}`, hint);
    };
    const [start = '', key] = name.exec(line) ?? refuse('is not NAME=value', several);
    const rest = [line.slice(start.length), ...lines.slice(index + 1)].join('\n');
    const given = valueOf(key ?? '', rest, refuse);
    values.set(key ?? '', given.value);
    index += given.lines;
  }
  return values;
}

const several =
  'write a comment after #, and put a value of several lines in quotes: NAME="first\\nsecond"';

type Refuse = (what: string, hint: string) => never;

/** The value at the start of a text, and how many more lines it has. */
function valueOf(
  key: string,
  text: string,
  refuse: Refuse,
): { readonly value: string; readonly lines: number } {
  const [line = ''] = text.split('\n', 1);
  const quote = quotes.find((each) => line.startsWith(each));
  if (quote === undefined) {
    if (/\s#/.test(line)) {
      const hint = `write ${key}='…' if the # belongs to the value, or put the comment in another line`;
      refuse('has a # after a blank, which may begin a comment', hint);
    }
    return { value: line.trim(), lines: 0 };
  }
  const end = text.indexOf(quote, 1);
  const free = quotes.find((each) => !line.includes(each)) ?? "'";
  const inQuotes = `write ${key}=${free}…${free} around the whole value`;
  if (end < 0) refuse('begins with a quote that is not closed', inQuotes);
  const [after = ''] = text.slice(end + 1).split('\n', 1);
  if (after.trim() !== '' && !/^\s+#/.test(after)) refuse('has text after its quote', inQuotes);
  const inside = text.slice(1, end);
  return {
    value: quote === '"' ? inside.replaceAll(String.raw`\n`, '\n') : inside,
    lines: inside.split('\n').length - 1,
  };
}
