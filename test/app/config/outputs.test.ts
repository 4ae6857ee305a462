/** `outputs` of deskhand.yaml: where files of runs are kept. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/app/config/load.ts';
import { folderWith } from '../../cli/deskhand.ts';

const postgres = 'state: { store: postgres, url: { env: DESK_DATABASE } }\n';

function load(text: string, store?: string) {
  const cwd = folderWith({ 'deskhand.yaml': text });
  const env = { XDG_CONFIG_HOME: join(cwd, '.config') };
  return loadConfig({ cwd, env, ...(store !== undefined && { store }) });
}

test('sizes are in binary units, and the default is 64 MiB', async () => {
  for (const [text, outputs] of [
    ['{ keep: store }', { keep: 'store', max: 64 * 1024 ** 2 }],
    ['{ keep: workspace, max: 1KiB }', { keep: 'workspace', max: 1024 }],
    ['{ max: 1GiB }', { max: 1024 ** 3 }],
  ] as const) {
    expect((await load(`${postgres}outputs: ${text}\n`)).outputs).toEqual(outputs);
  }
  expect((await load(postgres)).outputs).toBe(undefined);
});

test.each(['{ max: 64MB }', '{ max: 2GiB }', '{ max: 1B }', '{ max: 1023 }', '{ max: 0KiB }'])(
  '%s is refused',
  async (text) => {
    await expect(load(`outputs: ${text}\n`)).rejects.toThrow('outputs.max must be');
  },
);

test('only a database keeps files; another store that was chosen for one command keeps none', async () => {
  const keep = 'outputs: { keep: store }\n';
  await expect(load(keep)).rejects.toThrow('requires a database');
  await expect(load(`state: { store: git }\n${keep}`)).rejects.toThrow('requires a database');
  expect((await load(`${postgres}${keep}`, 'local')).state.store).toBe('local');
});
