/** Finds runs by the ids and symbols of their orders in the catalogue, whose bytes are searched before they are parsed. */
import { setImmediate } from 'node:timers/promises';
import type { Block, Piece } from '../../engine/journal/catalogue-blocks.ts';
import { isRecord } from '../../base/json.ts';
import { valuesOf } from '../../engine/journal/columns.ts';
import { fieldsOf } from '../../engine/journal/run-columns.ts';

export interface FoundIds {
  /** The runs that have each text. */
  readonly having: ReadonlyMap<string, ReadonlySet<string>>;
  /** The runs whose ids were searched: those of damaged lines are not among them. */
  readonly searched: ReadonlySet<string>;
}

/** @param pieces overviews, of which the later one about a run counts @param texts in lower case */
export async function idsIn(pieces: Iterable<Piece>, texts: readonly string[]): Promise<FoundIds> {
  const having = new Map(texts.map((text) => [text, new Set<string>()]));
  const searched = new Set<string>();
  for (const piece of pieces) {
    const bytes = piece.text();
    if (bytes === undefined) continue;
    const mayHave = texts.some((text) => isInBytes(text, bytes));
    const block = mayHave ? piece.block() : undefined;
    if (mayHave && block === undefined) continue;
    const runs = block?.runs ?? piece.runs();
    const idsOf = block && idsAt(block);
    for (const [at, run] of runs.entries()) {
      const ids = idsOf?.(at) ?? '';
      if (searched.has(run)) for (const found of having.values()) found.delete(run);
      searched.add(run);
      if (ids === '') continue;
      for (const [text, found] of having) if (ids.includes(text)) found.add(run);
    }
    if (mayHave) await setImmediate(); // others have a turn
  }
  return { having, searched };
}

/** Whether JSON may have a text: what is escaped there, or packed, is not looked for in bytes. */
function isInBytes(text: string, bytes: Buffer): boolean {
  return !/^[!#-[\]-~]+$/.test(text) || bytes.includes(text) || bytes.includes(packed);
}

const packed = '"ids":{"digests"';

function idsAt({ values }: Block): (at: number) => string {
  const ids = fieldsOf(values)?.['ids'];
  const valueOf = valuesOf(ids ?? values);
  return (at) => {
    const value = valueOf(at);
    const own = ids === undefined && isRecord(value) ? value['ids'] : value;
    return typeof own === 'string' ? own : '';
  };
}
