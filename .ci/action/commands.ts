/**
 * The commands of action.yml: one to a line, in the form of a shell without variables, substitution or
 * patterns, so that a name in an input cannot become part of a script. Blanks separate words. Text in
 * single quotes is taken literally; in double quotes, and outside of quotes, a backslash takes the next
 * character literally, and at the end of a line continues it. `#` at the start of a word begins a comment.
 */

/** @throws SyntaxError for a quote that is not closed, with its line */
export function commandsIn(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined; // undefined between words; a quoted word may be empty
  let line = 1;
  let at = 0;
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endLine = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '\n') {
      endLine();
      line += 1;
      at += 1;
    } else if (/\s/.test(character)) {
      endWord();
      at += 1;
    } else if (character === '#' && word === undefined) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else if (character === '\\') {
      const next = text.charAt(at + 1);
      if (next === '\n') line += 1;
      else if (next !== '') word = (word ?? '') + next; // at the end of the text it continues nothing
      at += 2;
    } else if (character === "'" || character === '"') {
      const { value, end } = quoted(text, at, line);
      word = (word ?? '') + value;
      line += text.slice(at, end).split('\n').length - 1;
      at = end;
    } else {
      word = (word ?? '') + character;
      at += 1;
    }
  }
  endLine();
  return commands;
}

function quoted(text: string, begin: number, line: number): { value: string; end: number } {
  const quote = text.charAt(begin);
  let value = '';
  for (let at = begin + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === quote) return { value, end: at + 1 };
    if (quote === '"' && character === '\\' && /["\\\n]/.test(text.charAt(at + 1))) {
      at += 1;
      if (text.charAt(at) !== '\n') value += text.charAt(at);
    } else {
      value += character;
    }
  }
  throw new SyntaxError(`line ${line}: a ${quote} is not closed`);
}
