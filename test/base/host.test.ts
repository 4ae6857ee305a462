import { expect, test } from 'vitest';
import { canonicalHost, isLoopbackHost } from '../../src/base/host.ts';

test.each([
  ['localhost:8787', '127.0.0.1:8787'],
  ['LocalHost.:8787', '127.0.0.1:8787'],
  ['127.0.0.2:8787', '127.0.0.1:8787'],
  ['127.1:8787', '127.0.0.1:8787'],
  ['[::1]:8787', '127.0.0.1:8787'],
  ['[0:0:0:0:0:0:0:1]:8787', '127.0.0.1:8787'],
  ['[::ffff:127.0.0.1]:8787', '127.0.0.1:8787'],
  ['0.0.0.0:8787', '127.0.0.1:8787'],
  ['API.Exchange.Example', 'api.exchange.example'],
  ['api.exchange.example.', 'api.exchange.example'],
  ['api.exchange.example:443', 'api.exchange.example'],
  ['api.exchange.example:0443', 'api.exchange.example'],
  ['api.exchange.example:8443', 'api.exchange.example:8443'],
  ['in-process-1-mb3x', 'in-process-1-mb3x'],
  ['', ''],
  ['no host at all', 'no host at all'],
])('%s is compared as %s', (written, compared) => {
  expect(canonicalHost(written)).toBe(compared);
  expect(canonicalHost(compared)).toBe(compared);
});

test('only names of this machine count as local, with any port', () => {
  const hosts = ['localhost', '127.0.0.1:1', 'localhost.example', '127.0.0.1.example', '128.0.0.1'];
  expect(hosts.map(isLoopbackHost)).toEqual([true, true, false, false, false]);
});
