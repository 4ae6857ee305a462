/** Checks whether the files of a step with `since: last` can be continued. */
import { nameOfOne } from '../../exchange/api/time-range.ts';
import { listed } from '../../base/text.ts';
import type { Expression, Step, Write } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { partsOf, rowKeysOf, usesRow, windowOf } from '../since.ts';
import type { Type } from '../expression/type.ts';
import type { TypeScope } from './infer.ts';
import { formatOf } from './step-rows.ts';
import { plus } from './tables.ts';

/** The names that the name of a file may use: a file that is continued may be named by its rows. */
export function scopeOfName({ write }: Step, row: Type, inside: TypeScope): TypeScope {
  return write?.since === undefined ? inside : plus(inside, { row });
}

export function checkSince(step: Step, problems: Problems): void {
  const { write } = step;
  if (write?.since === undefined) return;
  const found = problemOf(step, write) ?? nameProblem(step, write);
  if (found === undefined) return;
  const { message, hint, at = write.file.at } = found;
  problems.add('PB425', at, message, { hint });
}

interface Found {
  readonly message: string;
  readonly hint: string;
  readonly at?: Expression['at'];
}

function problemOf(step: Step, write: Write): Found | undefined {
  const { action, uses } = step;
  const window = windowOf(step);
  if (action.kind !== 'call' || window === undefined) {
    const hint = 'leave since out: the file is written again in each run';
    return { message: `${uses} reads no time range: there is nothing to continue`, hint };
  }
  const id = nameOfOne[action.operation];
  if (id !== undefined && step.with.has(id)) {
    const hint = `leave out ${id}, or since`;
    return { message: `${id} selects one object, whatever the time range`, hint };
  }
  if (window.lookBack === undefined && !step.with.has(window.start)) {
    const hint = `give ${window.start}: the first run begins there, later ones where the file ends`;
    return { message: `${uses} keeps all data, so the first run needs a beginning`, hint };
  }
  const format = formatOf(write);
  if (format === 'parquet' || format === 'xlsx') {
    const hint =
      'use .csv, .ndjson or .json here, and write the other format from a table of its rows';
    return { message: `a .${format} file is not read back, so it cannot be continued`, hint };
  }
  if (write.overwrite !== undefined) {
    const hint = 'leave overwrite out';
    return { message: 'a file that is continued is never overwritten by other rows', hint };
  }
  const keys = rowKeysOf(step, write);
  if (!('missing' in keys)) return undefined;
  const { missing, fields } = keys;
  const what = missing === 'unique' ? 'identifies a row' : 'has the time of a row';
  const hint = `add ${listed(fields.map((field) => `{{ row.${field} }}`))} to columns, or name columns in ${missing}`;
  return { message: `no column ${what}`, hint };
}

/** The time of the run must not decide about the file: a run has rows of two months. */
function nameProblem(step: Step, { file }: Write): Found | undefined {
  const time = windowOf(step)?.time ?? '';
  const parts = partsOf(file);
  const hint = `name it by the time of its rows: {{ date row.${time} 'yyyy-MM' }}`;
  let isFolder = false;
  for (const part of parts.toReversed()) {
    if (typeof part === 'string') {
      isFolder ||= part.includes('/');
      continue;
    }
    const { references, at } = part;
    if (references.some(({ root }) => root === 'run')) {
      return { message: 'the time of the run does not say in which file a row belongs', hint, at };
    }
    const other = references.find(({ root, path }) => root === 'row' && path.join('.') !== time);
    if (other !== undefined) {
      const message = `only row.${time} may decide about the file of a row`;
      return { message, hint, at: other.at };
    }
    if (usesRow(part) && isFolder) {
      const message = 'the time of a row may be in the name of the file, not in that of a folder';
      return { message, hint, at };
    }
  }
  return undefined;
}
