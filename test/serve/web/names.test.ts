import { expect, test } from 'vitest';
import { namesIn } from '../../../src/serve/web/names.ts';

test('a path that matches has its parts by name, decoded', () => {
  expect(namesIn('/', '/')).toEqual({});
  expect(namesIn('/plans', '/plans')).toEqual({});
  expect(namesIn('/runs/{run}', '/runs/r-1%2F2')).toEqual({ run: 'r-1/2' });
});

test.each(['/plans', '/runs', '/runs/', '/runs/a/b', '/runs/%', '/runs/%E0%A4%A'])(
  '%s is no address of a run',
  (path) => expect(namesIn('/runs/{run}', path)).toBeUndefined(),
);
