/** `since: last`: the rows since earlier runs, added to the files in which rows of their time belong. */
import type { Millis } from '../../../base/clock.ts';
import { InternalError } from '../../../base/error.ts';
import { plainText } from '../../../base/text.ts';
import { isRow, type Row } from '../../../exchange/api/listing.ts';
import { formats } from '../../../exchange/api/vocabulary.ts';
import { continuationOf, continuedItem } from './continuation.ts';
import { ExportError } from '../../export/error.ts';
import { manifestSaid, type TimeWindow, type Written } from '../../export/manifest.ts';
import { seriesOf } from '../../export/series.ts';
import { sorter } from '../../export/sorter.ts';
import type { Outcome } from '../../journal/entry.ts';
import { limitsOf } from '../../interpreter/jobs.ts';
import type { Item } from '../../plan/items.ts';
import { wireInput } from '../../../language/expression/evaluate.ts';
import type { Scope } from '../../../language/expression/value.ts';
import type { Step, Write } from '../../../language/playbook.ts';
import { isByRow, windowOf } from '../../../language/since.ts';
import type { EffectContext } from '../effect-context.ts';
import { continueFile, runIn, type Parts, type Work } from './continue-file.ts';
import { gathered, type Gathered, type Source } from './gather.ts';
import { keepAs, rowsOf } from './kept-rows.ts';

/** Reads the rows since the files of earlier runs end, and adds them to the files of their time. */
export async function continueFiles(
  step: Step,
  write: Write,
  item: Item,
  context: EffectContext,
): Promise<Outcome> {
  const { address, scope } = item;
  const { action } = step;
  if (action.kind !== 'call') throw new InternalError(`${step.path} reads nothing`);
  const { input } = wireInput(action.operation, step.with, scope);
  const continued = continuedItem(step, write, { input, scope }, context.destination);
  const source: Source = {
    address,
    operation: action.operation,
    input,
    file: continued.series.place,
    since: async (folder, time) => {
      const { start, from, gaps, earlier } = await continuationOf(folder, continued, input, time);
      const files = earlier.map(({ file, claim: { rows, sha256 } }) => ({ file, rows, sha256 }));
      return { start, ...(from !== undefined && { from }), gaps: [...gaps], files };
    },
    limits: limitsOf(step),
    fields: continued.source.fields,
    shape: (rows) => rows, // shaped when they are written: the names of files use the fields of the API
    keep: keepAs('rows', undefined),
  };
  return gathered(source, context, async (found) => {
    const work = { step, write, item, continued, found };
    const parts = await partsOf(work, context);
    const made: Written[] = [];
    try {
      for (const file of parts.files) made.push(await continueFile(file, parts, work, context));
    } finally {
      await parts.close();
    }
    const last = made.at(-1);
    if (last === undefined) throw new InternalError(`${step.path} has no file`);
    const rows = made.reduce((sum, each) => sum + each.rows, 0);
    const files = made.map(({ file }) => file);
    const output = { file: last.file, rows, files, manifest: manifestSaid(last) };
    return { kind: 'done', output, evidence: 'answered' };
  });
}

/** The name next to which the rows of an item are stored until its end. */
export function placeOf(step: Step, write: Write, scope: Scope): string {
  return seriesOf(write, windowOf(step)?.time ?? '', scope).place;
}

async function partsOf({ write, continued, found }: Work, context: EffectContext): Promise<Parts> {
  const { series, times } = continued;
  const { asked } = found.origin;
  const periods = asked === undefined ? new Map() : series.filesIn(spanRead(found, asked));
  const names = new Set<string>(periods.keys());
  const order = sorter({ columns: ['name'], makeRun: () => runIn(found, continued, context) });
  let number = 0;
  for await (const row of rowsOf(found)) {
    const file = isByRow(write) ? series.fileAt(timeOf(row, times.time)) : series.place;
    names.add(file);
    // A prefix prevents that a name counts as a number.
    await order.add({ row: { name: `=${file}`, row }, number: ++number });
  }
  const sorted = order.sorted()[Symbol.asyncIterator]();
  let head = await sorted.next();
  return {
    files: [...names].toSorted(),
    periods,
    rowsOf: async function* rowsOfOne(file) {
      while (head.done !== true && head.value.row['name'] === `=${file}`) {
        const { row } = head.value.row;
        if (isRow(row)) yield row;
        head = await sorted.next();
      }
    },
    close: () => order.close(),
  };
}

/** The read range: a bound in the future is cut off. */
function spanRead({ origin }: Gathered, asked: TimeWindow): TimeWindow {
  return { from: asked.from, to: origin.covered.at(-1)?.to ?? asked.from };
}

function timeOf(row: Row, field: string): Millis {
  const time = row[field];
  if (typeof time === 'string' && formats.millis.test(time)) return Number(time);
  throw new ExportError(
    'file-format',
    `a row has no time in ${field}: ${plainText(JSON.stringify(row), 200)}`,
    { hint: 'without its time, its file is not known; export this list as a whole' },
  );
}
