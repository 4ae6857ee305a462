/** The certificate of a server that listens with TLS. */
import { once } from 'node:events';
import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { minute, standingClock, type Clock } from '../../../src/base/clock.ts';
import { messageOf } from '../../../src/base/error.ts';
import { checkedCertificate, renewing } from '../../../src/serve/server/certificate.ts';
import { listen } from '../../../src/serve/server/listener.ts';
import { selfSigned } from '../../support/certificate.ts';

const handlers = { handle: () => new Response('ok'), caller: () => undefined };

async function nameOn(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return new X509Certificate(raw).subject;
}

test('is renewed without a restart; files that do not fit are reported, and the last one remains', async () => {
  const slept: number[] = [];
  let wake = (): void => undefined;
  const clock: Clock = {
    ...standingClock(0),
    sleep: (ms) => {
      slept.push(ms);
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
  };
  const first = selfSigned('first');
  let files = first;
  const ending = new AbortController();
  const errors: string[] = [];
  const place = { kind: 'tls', host: '127.0.0.1', port: 0, certificate: first } as const;
  const listener = await listen(place, handlers);
  let renewals = 0;
  const done = renewing(first, {
    read: () => Promise.resolve(files),
    renew: (next) => {
      renewals += 1;
      listener.renew(next);
    },
    onError: (error) => errors.push(messageOf(error)),
    clock,
    signal: ending.signal,
  });
  const pass = async (): Promise<void> => {
    wake(); // a minute passed
    await new Promise(setImmediate);
  };
  await pass();
  expect([await nameOn(listener.port), renewals]).toEqual(['CN=first', 0]);
  files = { ...selfSigned('half'), key: first.key };
  await pass();
  expect(await nameOn(listener.port)).toBe('CN=first');
  expect(errors).toEqual([expect.stringMatching(/^serve\.tls: .*mismatch/)]);
  files = selfSigned('second');
  await pass();
  expect([await nameOn(listener.port), renewals]).toEqual(['CN=second', 1]);
  expect(slept.every((ms) => ms === minute)).toBe(true);
  ending.abort();
  wake();
  await done;
  await listener.close();
});

test.each([
  ['text that is no certificate', { cert: 'x', key: 'y' }],
  ['a key of another one', { ...selfSigned('a'), key: selfSigned('b').key }],
])('is refused at the start: %s', async (_name, files) => {
  const message = await checkedCertificate(() => Promise.resolve(files)).catch(messageOf);
  expect(message).toMatch(/^serve\.tls: /);
  expect(message).not.toContain('PRIVATE');
});

test('has at least TLS 1.2', async () => {
  const place = { kind: 'tls', host: '127.0.0.1', port: 0, certificate: selfSigned('a') } as const;
  const listener = await listen(place, handlers);
  const { port } = listener;
  const ciphers = 'DEFAULT:@SECLEVEL=0';
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers } as const;
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...old });
  const [error] = await once(socket, 'error');
  expect(messageOf(error)).toMatch(/protocol version|unsupported/i);
  await listener.close();
});
