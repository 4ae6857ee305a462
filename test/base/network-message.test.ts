/** What is said of a connection that failed, on each version of Node. */
import { expect, test } from 'vitest';
import { networkMessageOf } from '../../src/base/error.ts';

const trusted =
  'if an authority of your own signed it, NODE_EXTRA_CA_CERTS must name its certificate file';

test.each([
  ['self-signed certificate', `self-signed certificate: ${trusted}`],
  [
    'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
    `self-signed certificate: ${trusted}`,
  ],
  [
    'unable to get local issuer certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
    `unable to get local issuer certificate: ${trusted}`,
  ],
  [
    '80:error:0A000086:SSL routines:tls_process:wrong version number:../x.c:1:',
    'TLS failed: wrong version number',
  ],
  ['connect ECONNREFUSED 127.0.0.1:1', 'connect ECONNREFUSED 127.0.0.1:1'],
])('%s', (message, said) => {
  expect(networkMessageOf(new Error(message))).toBe(said);
});
