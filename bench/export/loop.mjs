/** What a person would write: pages of all windows, a line of CSV for each row as it comes. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';

const span = 30 * 86_400_000; // ms; the longest window

/**
 * @param pageOf reads a page of history orders: `{ list, cursor }` of the answer's data
 */
export async function exportAll(name, pageOf) {
  const [, folder = '', startTime = '', endTime = ''] = process.argv.slice(2);
  const out = createWriteStream(join(folder, `${name}.csv`));
  let columns;
  for (let start = Number(startTime); start <= Number(endTime); start += span + 1) {
    const times = { startTime: start, endTime: Math.min(start + span, Number(endTime)) };
    let cursor;
    do {
      const asked = { ...times, limit: 100, ...(cursor && { cursor }) };
      const page = await pageOf(asked);
      if (page.list.length === 0) break;
      if (columns === undefined) {
        columns = Object.keys(page.list[0]);
        out.write(`${columns.join()}\r\n`);
      }
      for (const row of page.list) {
        const line = columns.map((column) => cell(row[column])).join();
        if (!out.write(`${line}\r\n`)) await once(out, 'drain');
      }
      cursor = page.cursor;
    } while (cursor);
  }
  out.end();
  await once(out, 'finish');
}

function cell(value) {
  const text =
    typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
