/** Files of runs in Restate: whoever continues the run, and whoever looks at it, has them. */
import { expect, test } from 'vitest';
import { keyOf, outputObject } from '../../src/stores/restate/objects/names.ts';
import { type } from '../postgres/desk.ts';
import { checkout, continuesWithFiles } from '../postgres/files-of-runs.ts';
import { brief, restateDesk } from './desk.ts';
import { replaceValues, valuesOf } from './forget.ts';

test('a run continues with the files of the worker that failed, and anybody can fetch them', async () => {
  const all = await restateDesk({ lease: brief });
  const { cwd, run } = await continuesWithFiles(all);
  const [server] = all.servers;
  const key = keyOf('desk', run);

  // A copy that another program changed is refused, as is an index that it wrote.
  const values = await valuesOf(server, key, outputObject);
  const parts = [...values.keys()].filter((name) => name.startsWith('part '));
  expect(parts).toHaveLength(5); // three files, and two manifests
  const changed = new Map(values);
  for (const name of parts) changed.set(name, '"AAAA"');
  await replaceValues(server, key, changed, outputObject);
  const fetched = await type(all, cwd, ['runs', 'files', run, '--into', 'fresh']);
  expect([fetched.code, fetched.stderr]).toEqual([1, expect.stringContaining('not the file that')]);
  for (const index of ['5', '[]', '{"copies":5}', '{"copies":[{"parts":[]}]}', '"x"']) {
    await replaceValues(server, key, new Map([['index', index]]), outputObject);
    const refused = await type(all, cwd, ['runs', 'files', run, '--into', 'other']);
    expect([index, refused.code, refused.stderr]).toEqual([
      index,
      expect.toBeOneOf([1, 5]),
      expect.not.stringContaining('TypeError'),
    ]);
  }
});

test('a run that is started here stores its files in Restate if that is configured', async () => {
  const all = await restateDesk();
  const cwd = checkout(all, 'outputs: { keep: store, max: 1KiB }\n');
  const ran = await type(all, cwd, ['run', 'ladder.yaml']);
  expect([ran.code, ran.stderr]).toEqual([
    0,
    expect.stringMatching(/page .*wrote .*page.html .*, only on \S+: it is larger than 1KiB/),
  ]);
  const list = await type(all, checkout(all), ['runs', 'files', 'last']);
  expect(list.stdout).toMatch(/^out\/tickers.csv .* in the store/m);
});
