/** Locations in a text: offsets as lines and columns, also inside scalars. */
import type { SourcePosition, SourceRange } from '../source-range.ts';
import { offsetsIn } from './alignment.ts';
import type { NodePlace, ScalarNode, Via } from './node.ts';

/** A file's text with its line starts. */
export class SourceText {
  readonly file: string;
  readonly text: string;
  readonly #lineStarts: readonly number[];
  #line = 0;
  /** The offsets of the last scalar: its parts are requested consecutively. */
  #aligned: { readonly scalar: ScalarNode; readonly offsets: readonly number[] } | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
    this.#lineStarts = lineStartsOf(text);
  }

  range(start: number, end: number): SourceRange {
    return { file: this.file, start: this.position(start), end: this.position(end) };
  }

  of({ start, end, via }: NodePlace): SourceRange {
    return this.#used(this.range(start, end), via);
  }

  /** The range of a part of a scalar, given in characters after folding and escapes. */
  within(scalar: ScalarNode, from: number, to: number): SourceRange {
    const [start, end] = this.#offsetsWithin(scalar, from, to);
    return this.#used(this.range(start, end), scalar.via);
  }

  #offsetsWithin(scalar: ScalarNode, from: number, to: number): [number, number] {
    const identical = this.#identicalFrom(scalar);
    if (identical !== undefined) return [identical + from, identical + to];
    if (this.#aligned?.scalar !== scalar) {
      this.#aligned = { scalar, offsets: offsetsIn(this.text, scalar) };
    }
    const { offsets } = this.#aligned;
    const start = offsets[from] ?? scalar.end;
    const last = offsets[to - 1];
    return [start, last === undefined || to <= from ? start : last + 1];
  }

  #used(range: SourceRange, via: Via | undefined): SourceRange {
    if (via === undefined) return range;
    return { ...range, alias: { name: via.name, at: this.position(via.start) } };
  }

  position(offset: number): SourcePosition {
    const line = this.#lineAt(offset);
    return { offset, line: line + 1, column: offset - (this.#lineStarts[line] ?? 0) + 1 };
  }

  /** The line of an offset. Most offsets are on the line of the previous one, or on the next. */
  #lineAt(offset: number): number {
    for (const line of [this.#line, this.#line + 1]) {
      const start = this.#lineStarts[line];
      const next = this.#lineStarts[line + 1];
      if (start !== undefined && start <= offset && (next === undefined || offset < next)) {
        this.#line = line;
        return line;
      }
    }
    this.#line = this.#lineOf(offset);
    return this.#line;
  }

  #lineOf(offset: number): number {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The start of the scalar's characters, if they are identical to the source. */
  #identicalFrom(scalar: ScalarNode): number | undefined {
    const start =
      scalar.style === 'single' || scalar.style === 'double' ? scalar.start + 1 : scalar.start;
    return this.text.startsWith(scalar.text, start) ? start : undefined;
  }
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
