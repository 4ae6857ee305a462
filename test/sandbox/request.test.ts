/** The headers of a request: the known ones are read as Node reads them. */
import { once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fieldOf } from '../../src/base/json.ts';
import { Request } from '../../src/sandbox/http/request.ts';
import { saidTo } from '../support/socket.ts';

type Headers = IncomingMessage['headers'];
let seen: { readonly ours: Headers; readonly nodes: Headers } = { ours: {}, nodes: {} };
let port = 0;
const server = createServer({ IncomingMessage: Request }, (request, answer) => {
  const nodes = Reflect.get(IncomingMessage.prototype, 'headers', request);
  seen = { ours: request.headers, nodes };
  answer.end();
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = Number(fieldOf(server.address(), 'port'));
});
afterAll(() => {
  server.close();
});

const names = [
  'authorization',
  'content-type',
  'content-encoding',
  'origin',
  'te',
  'access-key',
  'access-sign',
  'access-timestamp',
  'access-passphrase',
  'paptrading',
];
const others = ['locale', 'x-known-to-nobody', 'cookie', 'a', '__proto__', 'constructor'];

test('are equal in any spelling and however often they are sent', async () => {
  const name = fc
    .tuple(fc.constantFrom(...names, ...others), fc.nat())
    .map(([text, large]) =>
      text.replace(/./g, (letter, place) => ((large >> place) & 1 ? letter.toUpperCase() : letter)),
    );
  const header = fc.tuple(name, fc.constantFrom('', '1', 'two words', 'a=b;c', 'ÿ'));
  await fc.assert(
    fc.asyncProperty(fc.array(header, { maxLength: 30 }), async (headers) => {
      const lines = headers.map(([key, value]) => `${key}: ${value}\r\n`).join('');
      await saidTo(port, [`GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${lines}\r\n`]);
      for (const known of ['host', 'expect', ...names]) {
        expect([known, seen.ours[known]]).toEqual([known, seen.nodes[known]]);
      }
    }),
    { numRuns: 100 },
  );
});
