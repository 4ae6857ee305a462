/** The shapes of stored values, and the build, which compiles them: the program has no compiler of schemas. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkedShapes } from '../../../src/exchange/api/check.ts';

const root = join(import.meta.dirname, '..', '..', '..');

test('the build compiles the shape of each stored value', async () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && file !== 'exchange/api/check.ts')
    .filter((file) => readFileSync(join(root, 'src', file), 'utf8').includes('shapeCheck('));
  const build = readFileSync(join(root, '.ci', 'validators.mjs'), 'utf8');
  expect(files.filter((file) => !build.includes(`'${file}',`))).toEqual([]);
  await Promise.all(files.map((file) => import(join(root, 'src', file))));
  expect(checkedShapes.length).toBeGreaterThanOrEqual(files.length);
});
