/** A day without rows, in every form of its response and every format of its file: every column, no row, and `verify` passes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { parquetMetadata } from 'hyparquet';
import { expect, test } from 'vitest';
import { day } from '../../src/base/clock.ts';
import type { Transport } from '../../src/exchange/api/exchange.ts';
import { rowFields } from '../../src/exchange/api/row-schema.ts';
import { checkFile } from '../../src/engine/export/check.ts';
import { emptiesOf } from '../support/empties.ts';
import { live, openHarness, playbookFrom } from '../support/harness.ts';
import { listNames, lists, type ListName } from '../support/inputs.ts';

const endings = ['csv', 'ndjson', 'json', 'parquet', 'xlsx'] as const;
const columnar: ReadonlySet<string> = new Set(['csv', 'parquet', 'xlsx']);

/** The columns in the file itself; undefined in formats that name them with each row. */
async function columnsIn(file: string): Promise<readonly string[] | undefined> {
  const bytes = await readFile(file);
  switch (file.slice(file.lastIndexOf('.') + 1)) {
    case 'csv':
      return bytes.toString().trimEnd().split(',');
    case 'parquet': {
      const [, ...columns] = parquetMetadata(new Uint8Array(bytes).buffer).schema;
      return columns.map(({ name }) => name);
    }
    case 'xlsx': {
      const sheet = unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array();
      return [...strFromU8(sheet).matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(([, name = '']) => name);
    }
    default:
      return undefined;
  }
}

function inputOf(name: ListName, now: number): Readonly<Record<string, string>> {
  const input: Readonly<Record<string, string>> = lists[name].input;
  if (!('startTime' in input)) return input;
  return { ...input, startTime: String(now - day), endTime: String(now) };
}

test.each(listNames)('%s', { timeout: 60_000 }, async (name) => {
  const on = await openHarness();
  const columns = [...rowFields(name).keys()];
  for (const [nth, data] of emptiesOf(name).entries()) {
    const wrap =
      (transport: Transport): Transport =>
      async (request, signal) => {
        const real = await transport(request, signal);
        if (request.operation !== name) return real;
        const { requestTime } = JSON.parse(Buffer.from(real.body).toString());
        const field = data === '' ? '' : `,"data":${data}`;
        const text = `{"code":"00000","msg":"success","requestTime":${requestTime}${field}}`;
        return { ...real, body: Buffer.from(text) };
      };
    const steps = endings.map(
      (ending) => `
  - id: ${ending}
    uses: ${name}
    with: ${JSON.stringify(inputOf(name, on.clock.now()))}
    write: { file: "${nth}.${ending}" }`,
    );
    on.disk = '';
    const playbook = playbookFrom(`playbook: 1\nname: quiet-${nth}\nsteps:${steps.join('')}\n`);
    expect((await live(on, playbook, { wrap })).status, data).toBe('done');
    for (const ending of endings) {
      const file = join(on.workspace, `${nth}.${ending}`);
      const manifest = JSON.parse(await readFile(`${file}.manifest.json`, 'utf8'));
      expect(manifest, `${ending} of ${data}`).toMatchObject({ rows: 0 });
      if (columnar.has(ending)) expect(manifest.columns).toEqual(columns);
      expect([ending, data, (await columnsIn(file)) ?? columns]).toEqual([ending, data, columns]);
      expect((await checkFile(file)).findings).toEqual([]);
    }
  }
});
