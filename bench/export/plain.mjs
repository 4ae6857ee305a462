/** The least a person would write: node:http, signed pages, a line of CSV for each row as it comes. */
import { createHmac } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';

const [baseUrl = '', folder = '', startTime = '', endTime = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const out = createWriteStream(join(folder, 'plain.csv'));
const span = 30 * 86_400_000;
let columns;
for (let start = Number(startTime); start <= Number(endTime); start += span + 1) {
  let cursor = '';
  for (;;) {
    const end = Math.min(start + span, Number(endTime));
    const query = `startTime=${start}&endTime=${end}&limit=100${cursor && `&cursor=${cursor}`}`;
    const path = `/api/v3/trade/history-orders?${query}`;
    const timestamp = String(Date.now());
    const sign = createHmac('sha256', 'bench-secret')
      .update(`${timestamp}GET${path}`)
      .digest('base64');
    const headers = {
      'ACCESS-KEY': 'bench',
      'ACCESS-SIGN': sign,
      'ACCESS-TIMESTAMP': timestamp,
      'ACCESS-PASSPHRASE': 'bench',
    };
    const [response] = await once(get(`${baseUrl}${path}`, { agent, headers }), 'response');
    const { data } = JSON.parse(await text(response));
    if (data.list.length === 0) break;
    if (columns === undefined) {
      columns = Object.keys(data.list[0]);
      out.write(`${columns.join()}\r\n`);
    }
    for (const row of data.list) {
      const line = columns.map((name) => cell(row[name])).join();
      if (!out.write(`${line}\r\n`)) await once(out, 'drain');
    }
    cursor = data.cursor;
    if (!cursor) break;
  }
}
out.end();
await once(out, 'finish');
agent.destroy();

function cell(value) {
  const text =
    typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
