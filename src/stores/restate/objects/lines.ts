/** The object with the older lines of a run: pages that never change, each named by its first line. */
import { afterLines } from '../../shared/lines.ts';
import type { LineRow } from '../../shared/shared-runs.ts';
import { linesObject } from './names.ts';
import type { Invocation, ObjectDefinition } from './object.ts';

export interface PageRead {
  /** Number of the last line in `text`. */
  readonly last: number;
  readonly text: string;
}

export const lines: ObjectDefinition = {
  name: linesObject,
  isLazy: true,
  exclusive: { append, clear },
  shared: { page },
  internal: ['append', 'clear'],
};

async function append(invocation: Invocation, row: LineRow): Promise<void> {
  invocation.set(pageName(row.first), row);
}

/** Deletes all lines: the run was removed. */
async function clear(invocation: Invocation): Promise<void> {
  invocation.clearAll();
}

const answerMax = 1024 * 1024; // characters, and one page

/** The lines after a number; undefined if the next line did not arrive yet. */
async function page(
  invocation: Invocation,
  { after }: { readonly after: number },
): Promise<PageRead | undefined> {
  const firsts = (await invocation.names()).map(Number).toSorted((a, b) => a - b);
  const begin = firsts.findLastIndex((first) => first <= after + 1);
  let text = '';
  let last = after;
  for (const first of begin === -1 ? [] : firsts.slice(begin)) {
    if (text.length > answerMax) break;
    const row = await invocation.get<LineRow>(pageName(first));
    if (row === undefined || row.first > last + 1 || row.last <= last) break;
    text += afterLines(row.text, last + 1 - row.first);
    last = row.last;
  }
  return last === after ? undefined : { last, text };
}

const pageName = (first: number): string => String(first);
