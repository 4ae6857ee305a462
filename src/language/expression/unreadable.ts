/** The reason why a template cannot be parsed, and its position. */
import { withDigits } from './numerals.ts';
import { otherSyntaxIn, type OtherSyntax } from './other-syntax.ts';

/** @param report the parser's message, with the token that it did not expect */
export function unreadable(text: string, report: string): OtherSyntax {
  const other = otherSyntaxIn(text);
  if (other !== undefined) return other;
  const why = /Expecting (.*), got '(\w+)'/.test(report)
    ? ': it ends too early or continues too long'
    : '';
  const [from, to] = placeOf(report, text);
  const hint =
    'templates look like {{ inputs.size }} or {{ add inputs.a 1 }}; close every {{ and (';
  return { from, to, message: `the template cannot be read${why}`, hint };
}

/** Offsets of the token in the parser's report, which shows up to 20 characters before it, and an arrow. */
function placeOf(report: string, text: string): [number, number] {
  const [, shown = '', arrow = ''] = report.split('\n');
  const cut = shown.startsWith('...') && !text.startsWith('...') ? 3 : 0;
  const before = withDigits(shown.slice(cut, Math.max(cut, arrow.length - 1)));
  const oneLine = text.replaceAll('\n', ''); // as the parser shows it
  const next = withDigits(shown.slice(cut + before.length, cut + before.length + 10));
  const found = oneLine.indexOf(before + next.replace(/\.+$/, ''));
  if (arrow === '' || found === -1) return [0, text.length];
  let at = found + before.length;
  for (let index = 0; index < at && index < text.length; index++) if (text[index] === '\n') at += 1;
  return at < text.length ? [at, at + 1] : [text.length - 1, text.length];
}

/** How deep calls are nested in a text. */
export function nestingIn(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '(') deepest = Math.max(deepest, ++depth);
    if (character === ')') depth -= 1;
  }
  return deepest;
}
