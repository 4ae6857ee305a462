/** Keys in files as platforms mount them: used with one warning on stderr, refused if others may write. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { startSandbox } from './sandbox.ts';

/** The three parts of a key, each in a file of this mode. */
async function withKeyFiles(mode: number, words: readonly string[]): Promise<Ended> {
  const sandbox = await startSandbox();
  const { baseUrl } = sandbox;
  const own = sandbox.env('hedge');
  const cwd = folderWith({
    'deskhand.yaml': `profile: main\nprofiles: { main: { base-url: "${baseUrl}" } }\n`,
  });
  const env = Object.fromEntries(
    ['API_KEY', 'API_SECRET', 'API_PASSPHRASE'].map((name) => {
      const path = join(cwd, name);
      writeFileSync(path, `${own[`DESKHAND_${name}`]}\n`);
      chmodSync(path, mode);
      return [`DESKHAND_${name}_FILE`, path];
    }),
  );
  return deskhand(words, { cwd, env });
}

const call = ['call', 'order/list-open', 'category=SPOT'];
const warned = (text: string): number => text.split('is readable by other users').length - 1;

describe('files that others may read', () => {
  test('are used, with one warning for each on stderr, and none in JSON', async () => {
    for (const mode of [0o440, 0o444]) {
      const { code, stdout, stderr } = await withKeyFiles(mode, [...call, '-o', 'json']);
      expect([code, warned(stderr), warned(stdout)]).toEqual([0, 3, 0]);
      expect(JSON.parse(stdout)).toBeTypeOf('object');
      expect(stderr).toMatch(
        /^warning the file of DESKHAND_API_KEY_FILE is readable by other users \(mode 04[04]{2}\)/m,
      );
    }
  });

  test('are a record of a log in JSON', async () => {
    const { stderr } = await withKeyFiles(0o444, [...call, '--log-format', 'json']);
    const records = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.filter((record) => warned(JSON.stringify(record)) > 0)).toHaveLength(3);
  });
});

test('files that others may write are refused, and nothing is sent', async () => {
  for (const mode of [0o660, 0o666]) {
    const { code, stderr } = await withKeyFiles(mode, call);
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(
        /^error\[credentials\] the file of DESKHAND_API_\w+_FILE can be changed/,
      ),
    ]);
  }
});
