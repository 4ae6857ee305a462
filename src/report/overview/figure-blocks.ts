/** The figures of ended runs by blocks of the catalogue: those of a block are added up once, and their sum counts
 * while the files of all of its runs are as they were.
 */
import { isRecord } from '../../base/json.ts';
import type { Block, Piece } from '../../engine/journal/catalogue-blocks.ts';
import { valuesOf } from '../../engine/journal/columns.ts';
import { fieldsOf, stampsIn, type StampAt } from '../../engine/journal/run-columns.ts';
import { isFigures } from '../telemetry/figures.ts';
import { FiguresSum } from '../telemetry/figures-sum.ts';

export interface FigureBlock {
  readonly runs: readonly string[];
  readonly stampOf: StampAt;
  readonly sum: FiguresSum;
}

/** The sum of the figures in a block; undefined of a single fact, and of a damaged block: these runs are read one by one. */
export function figureBlock(piece: Piece): FigureBlock | undefined {
  if (!piece.isBlock) return undefined;
  const block = piece.block();
  const stampOf = block && stampsIn(block.files, block.runs.length);
  if (block === undefined || stampOf === undefined) return undefined;
  const figuresOf = figuresIn(block);
  const sum = new FiguresSum();
  for (const at of block.runs.keys()) {
    const value = figuresOf(at);
    if (!isFigures(value)) return undefined;
    sum.add(value);
  }
  return { runs: block.runs, stampOf, sum };
}

function figuresIn({ values }: Block): (at: number) => unknown {
  const figures = fieldsOf(values)?.['figures'];
  const valueOf = valuesOf(figures ?? values);
  return (at) => {
    const value = valueOf(at);
    return figures === undefined && isRecord(value) ? value['figures'] : value;
  };
}
