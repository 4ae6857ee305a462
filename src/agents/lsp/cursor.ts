/** The expression at the cursor in an incomplete text, and the path in it. */

export interface Cursor {
  /** The path up to the cursor: `steps.sub.ou`; empty if none was started. */
  readonly path: string;
  /** The offset where the path starts, and the one where the word under the cursor ends. */
  readonly start: number;
  readonly end: number;
  /** Whether a helper is allowed here: first in an expression, or after a parenthesis. */
  readonly mayCall: boolean;
}

/**
 * The cursor in a text.
 * @param offset in UTF-16 units
 * @returns undefined outside of an expression
 */
export function cursorAt(text: string, offset: number): Cursor | undefined {
  const before = text.slice(0, offset);
  const open = before.lastIndexOf('{{');
  if (open === -1 || before.includes('}}', open)) return undefined;
  const inside = before.slice(open + 2);
  const [path = ''] = /[\w@.-]*$/.exec(inside) ?? [];
  const [rest = ''] = /^[\w-]*/.exec(text.slice(offset)) ?? [];
  const ahead = inside.slice(0, inside.length - path.length);
  return {
    path,
    start: offset - path.length,
    end: offset + rest.length,
    mayCall: /(?:^~?|\(|#(?:each|if|unless))\s*$/.test(ahead),
  };
}

/** An unknown root that is used as a probe: its problem lists the available roots. */
export const probe = 'zz-probe';

/** The text with the probe instead of the path, and its expression and quotes closed. */
export function probed(text: string, { start, end }: Cursor): string {
  const line = text.slice(0, start).slice(text.lastIndexOf('\n', start - 1) + 1);
  const after = text.slice(end);
  const [left = ''] = /^[^\n]*/.exec(after) ?? [];
  const isClosed = left.includes('}}') && !/^[^}]*\{\{/.test(left);
  const [quote = ''] = /["'](?=[^"']*\{\{[^}]*$)/.exec(line) ?? [];
  const close = isClosed ? '' : ` }}${left.includes(quote) ? '' : quote}`;
  return `${text.slice(0, start)}${probe}${close}${after}`;
}
