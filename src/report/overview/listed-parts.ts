/** A block of listed runs by columns, checked: what every place has at hand, and lines that are made one by one. */
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { looseBlock, type Block } from '../../engine/journal/catalogue-blocks.ts';
import {
  numberAt,
  sharedOf,
  valueAt,
  valuesOf,
  type Column,
} from '../../engine/journal/columns.ts';
import { fieldsOf, stampsIn, type Groups, type StampAt } from '../../engine/journal/run-columns.ts';
import type { Stamp } from '../../engine/journal/stamp.ts';
import { runStatuses } from '../run-status.ts';
import type { ListedRun } from './listed.ts';

/** A block by columns. */
export interface Part {
  readonly names: readonly string[];
  readonly groups: Uint32Array;
  readonly people: (at: number) => number;
  readonly status: (at: number) => number;
  readonly startedAt: (at: number) => Millis;
  readonly lastAt: (at: number) => Millis;
  readonly createdAt: (at: number) => Millis;
  readonly doubts: (at: number) => number;
  readonly asks: (at: number) => unknown;
  readonly sentFrom: (at: number) => unknown;
  readonly sentTo: (at: number) => unknown;
  readonly what: (at: number) => unknown;
  readonly line: (at: number) => ListedRun;
  readonly stampOf: StampAt;
}

/** A block by columns; undefined unless this version wrote it. */
export function partOf(stored: Block, groups: Groups, people: Lists): Part | undefined {
  const block = fieldsOf(stored.values) === undefined ? looseOf(stored) : stored;
  const { runs: names, files, values } = block;
  const fields = fieldsOf(values);
  const count = names.length;
  if (fields === undefined) return undefined;
  const [startedAt, lastAt, doubts, createdAt] = [
    fields['startedAt'],
    fields['lastAt'],
    fields['doubts'],
    fields['createdAt'],
  ].map((column) => column && numberAt(column, count));
  const status = statusesIn(fields['status'], count);
  const numbered = groups.numbersOf(fields, count);
  const listed = people.numbersIn(fields['people'], count);
  const { what } = fields;
  if (!startedAt || !lastAt || !doubts || !createdAt) return undefined;
  if (!status || !numbered || !listed || !what) return undefined;
  const lineOf = valueAt(values);
  return {
    names,
    groups: numbered,
    people: listed,
    status,
    startedAt,
    lastAt,
    createdAt,
    doubts,
    asks: optional(fields['asks']),
    sentFrom: optional(fields['sentFrom']),
    sentTo: optional(fields['sentTo']),
    what: valueAt(what),
    line: (at) => lineIn(lineOf(at)),
    stampOf: stampsIn(files, count) ?? stampsEach(files),
  };
}

/** A block of so few facts that they were not put into columns. */
function looseOf({ kind, runs, files, values }: Block): Block {
  const [filesOf, valueOf] = [valuesOf(files), valuesOf(values)];
  const facts = runs.map((run, at) => ({ run, files: stampsOf(filesOf(at)), value: valueOf(at) }));
  return looseBlock(kind, facts);
}

/** Whether a value is a stamp, whose format the checksum of its line and the kind of the fact prove. */
function isStamp(value: unknown): value is Stamp {
  return Array.isArray(value) && value.every((each) => typeof each === 'number');
}

function stampsOf(value: unknown): readonly Stamp[] {
  const stamps: readonly unknown[] = Array.isArray(value) ? value : [];
  return stamps.filter(isStamp);
}

const noStamp: Stamp = [NaN, NaN, NaN, NaN, NaN];

function stampsEach(files: Column): StampAt {
  const filesOf = valueAt(files);
  return (file, at) => stampsOf(filesOf(at))[file] ?? noStamp;
}

function optional(column: Column | undefined): (at: number) => unknown {
  return column === undefined ? () => undefined : valueAt(column);
}

/** The number of the status of each run; undefined unless all are statuses of this version. */
function statusesIn(column: Column | undefined, count: number): Part['status'] | undefined {
  if (column === undefined) return undefined;
  const { values, numberOf } = sharedOf(column, count);
  const numbers = values.map((value) => runStatuses.findIndex((each) => each === value));
  return numbers.includes(-1) ? undefined : (at) => numbers[numberOf(at)] ?? 0;
}

function isLine(value: unknown): value is ListedRun {
  return isRecord(value) && typeof value['status'] === 'string';
}

function lineIn(value: unknown): ListedRun {
  if (!isLine(value)) throw new RangeError('the table has lines without a status');
  return value;
}

/** Lists of texts, each once. */
export class Lists {
  readonly all: (readonly string[])[] = [];
  readonly #known = new Map<string, number>();

  numbersIn(column: Column | undefined, count: number): ((at: number) => number) | undefined {
    if (column === undefined) return undefined;
    const { values, numberOf } = sharedOf(column, count);
    const numbers = values.map((value) => this.#numberOf(value));
    return (at) => numbers[numberOf(at)] ?? 0;
  }

  #numberOf(value: unknown): number {
    const list = Array.isArray(value) ? value.map(String) : [];
    const key = JSON.stringify(list);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.all.length);
    return this.all.push(list) - 1;
  }
}
