/** Addresses of Restate: nodes, desk and token; what is refused shows nothing of them. */
import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/base/error.ts';
import { addressIn } from '../../../src/stores/restate/address.ts';
import { adminOf } from '../../../src/stores/restate/admin.ts';

function read(text: string): unknown {
  const { nodes, desk, shown } = addressIn(text);
  return { nodes: nodes.map(({ url, token }) => [url.origin, token]), desk, shown };
}

test('an address has a node, and the default port and desk', () => {
  expect(read('http://db')).toEqual({
    nodes: [['http://db:8080', undefined]],
    desk: 'desk',
    shown: 'db:8080',
  });
  expect(read('restate://db:99')).toMatchObject({ nodes: [['http://db:99', undefined]] });
  expect(read('https://db')).toMatchObject({ nodes: [['https://db', undefined]] });
});

test('an address has several nodes, each with its token, and one desk', () => {
  expect(read('http://s3cret@one, https://ann:k%40y@two:8443/eu')).toEqual({
    nodes: [
      ['http://one:8080', 's3cret'],
      ['https://two:8443', 'k@y'],
    ],
    desk: 'eu',
    shown: 'one:8080, two:8443/eu',
  });
});

test.each([
  's3cret',
  'ftp://s3cret@db',
  'http://s3cret@db?x=1',
  'http://s3cret@db#x',
  'http://s3cret@db/a/b',
  'http://s3cret@db/a%2Fb',
  'http://one/a,http://s3cret@two/b',
  'http://s3cret@one,',
])('%s is refused without showing it', (text) => {
  const refused = (): unknown => addressIn(text);
  expect(refused).toThrow(ConfigError);
  expect(refused).not.toThrow(/s3cret/);
});

test('the admin API is on port 9070 of the first node by default', () => {
  expect(adminOf('http://one:8080,http://two:8080')).toBe('http://one:9070/');
  expect(adminOf('http://one:8080', 'http://other:1')).toBe('http://other:1');
});
