/** Allows list positions in a path, as in `inputs.legs.0`, which the grammar reads as numbers. */

// A quoted text, or a path: names separated by dots. Numbers start with a digit, so 1.5 does not
// match.
const textOrPath = /"[^"]*"|'[^']*'|(?<![\w.[-])[A-Za-z_][\w-]*(?:\.(?:[\w-]+|\[[^\]]*\]))+/g;
const letters = 0xe000; // ten unused letters represent the ten digits, one for one

/** The text with letters instead of the digits of positions; its length is unchanged. */
export function withLetters(text: string): string {
  if (/[\ue000-\ue009]/.test(text)) return text;
  return text.replace(/\{\{.*?\}\}/gs, (template) =>
    template.replace(textOrPath, (found) =>
      /^["']/.test(found)
        ? found
        : found.replace(/\.\d+(?![\w-])/g, (place) =>
            place.replace(/\d/g, (digit) => String.fromCharCode(letters + Number(digit))),
          ),
    ),
  );
}

/** A segment of a path as it was written. */
export function withDigits(word: string): string {
  return word.replace(/[\ue000-\ue009]/g, (letter) => String(letter.charCodeAt(0) - letters));
}
