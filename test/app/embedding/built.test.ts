import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import type * as Library from '../../../src/index.ts';
import { everything, everythingConfig } from './everything.ts';
import { folder } from './options.ts';

test('the built library has what steps load when they run', async () => {
  const where = folder({ 'everything.yaml': everything, 'deskhand.yaml': everythingConfig });
  const { run }: typeof Library = await import(inject('library'));
  const ended = await run({ playbook: 'everything.yaml', ...where }).result;
  expect(ended).toMatchObject({ status: 'done' });
  for (const file of ['t.xlsx', 't.parquet', 'page.html']) {
    expect(existsSync(join(where.cwd, 'out', file))).toBe(true);
  }
  expect(readFileSync(join(where.cwd, 'out/page.html'), 'utf8')).toContain('<svg');
});
