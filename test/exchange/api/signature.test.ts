/** Signatures: the signed text and key, compared with values from OpenSSL. */
import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { equalInConstantTime, prehash, signatureOf } from '../../../src/exchange/api/signature.ts';

const get = {
  timestamp: '1684814440729',
  method: 'GET',
  path: '/api/v3/trade/unfilled-orders',
  query: 'category=SPOT&symbol=BTCUSDT',
  body: '',
};
const post = {
  timestamp: '1684814440729',
  method: 'POST',
  path: '/api/v2/mix/order/place-order',
  query: '',
  body: '{"symbol":"BTCUSDT"}',
};

test('time, method, path, query with its question mark, and body are concatenated without separators', () => {
  expect(prehash(get).toString()).toBe(
    '1684814440729GET/api/v3/trade/unfilled-orders?category=SPOT&symbol=BTCUSDT',
  );
  expect(prehash(post).toString()).toBe(
    '1684814440729POST/api/v2/mix/order/place-order{"symbol":"BTCUSDT"}',
  );
  expect(
    prehash({ ...get, query: '' })
      .toString()
      .at(-1),
  ).toBe('s');
});

describe('with a secret', () => {
  // Made with: printf %s PREHASH | openssl dgst -sha256 -hmac 0123456789abcdef -binary | base64
  test.each([
    [get, 'oz8mv6sQp3qtHG7cgNPHhJ+F/BbGF50hWSE5TLHnqT0='],
    [post, 'YoHbdhMFRsZ+zRcicmPE8vAOmqR0OxtO5del2SloXgc='],
    [{ ...get, query: 'symbol=龙USDT' }, 'UFMbE+68INZaVb2vXyjZBUNSpPib7R9AIhygXGBIzxg='],
  ])('%# equals the base64 of HMAC-SHA256', (parts, expected) => {
    expect(signatureOf(parts, new Secret('0123456789abcdef'))).toBe(expected);
  });

  test('bytes are signed unchanged', () => {
    const secret = new Secret('0123456789abcdef');
    const bytes = new TextEncoder().encode(post.body);
    expect(signatureOf({ ...post, body: bytes }, secret)).toBe(signatureOf(post, secret));
  });
});

test('an RSA key in PEM signs with PKCS #1 v1.5 over SHA-256', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signature = Buffer.from(signatureOf(post, new Secret(pem)), 'base64');
  expect(verify('sha256', prehash(post), publicKey, signature)).toBe(true);
  expect(verify('sha256', prehash(get), publicKey, signature)).toBe(false);
});

test('texts of different lengths are compared safely', () => {
  expect(equalInConstantTime('abc', 'abc')).toBe(true);
  expect(equalInConstantTime('abc', 'abd')).toBe(false);
  expect(equalInConstantTime('abc', 'abcd')).toBe(false);
  expect(equalInConstantTime('', '')).toBe(true);
});
