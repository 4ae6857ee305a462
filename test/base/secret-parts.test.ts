/** Parts of structured secrets and short ones are masked; ordinary words are not. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { redactor, Secret, secretFinder } from '../../src/base/secret.ts';

function masking(...values: readonly string[]): (text: string) => string {
  return redactor(values.map((value) => new Secret(value)));
}

const service = {
  user: 'svc',
  token: 'tok-9f8e7d6c5b4a',
  host: 'h',
  port: 5432,
  live: true,
  note: null,
  deep: [{ password: 'hunter2', pin: '739102', chat: 100_200_300_400 }],
};

describe.each([
  ['compact JSON', JSON.stringify(service)],
  ['JSON in lines', JSON.stringify(service, null, 2)],
])('of %s', (_, secret) => {
  const hide = masking(secret);

  test.each([
    'tok-9f8e7d6c5b4a',
    'hunter2',
    '739102',
    '100200300400',
    '"token": "tok-9f8e7d6c5b4a",',
    encodeURIComponent('tok-9f8e7d6c5b4a'),
    Buffer.from('tok-9f8e7d6c5b4a').toString('base64'),
    Buffer.from('hunter2').toString('base64'),
    Buffer.from('tok-9f8e7d6c5b4a').toString('hex'),
  ])('%s is masked', (part) => {
    const said = hide(`before ${part} after`);
    expect(said).toContain('•••');
    expect(said).not.toContain(part);
  });

  test('the whole is masked, and ordinary words are not', () => {
    expect(hide(`a ${secret} b`)).toBe('a ••• b');
    const usual = 'true false null user h 5432 hunter21 37391020 1739102 0.739102 739102.5';
    expect(hide(usual)).toBe(usual);
  });
});

describe('of a private key', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const lines = pem.trim().split('\n');
  const body = lines.slice(1, -1);

  test.each([
    ['its lines', pem],
    ['its lines as on Windows', pem.replaceAll('\n', '\r\n')],
    ['line ends as letters', pem.replaceAll('\n', '\\n')],
    ['a field of JSON', JSON.stringify({ private_key: pem })],
  ])('given with %s, each line is masked, and the body on one line', (_, secret) => {
    const hide = masking(secret);
    for (const line of body) expect(hide(`> ${line}`)).toBe('> •••');
    expect(hide(`> ${body.join('')}`)).toBe('> •••');
    expect(hide(lines[0] ?? '')).toBe(lines[0]);
  });
});

test('the lines and values of NAME=value are masked', () => {
  const hide = masking('# keys\nDB_USER=ann\nexport DB_PASSWORD="pa55wd"\nHOOK=T0123/B4567\n');
  expect(hide('pa55wd, T0123/B4567, and ann')).toBe('•••, •••, and ann');
  expect(hide('export DB_PASSWORD="pa55wd"')).toBe('•••');
});

test('the password and the tokens of an address are masked', () => {
  const hide = masking('https://desk:0p3nsesame@host.example/hook?token=abc123xyz&page=2');
  expect(hide('0p3nsesame abc123xyz host.example 2')).toBe('••• ••• host.example 2');
});

test.each(['s3cr3t!', 'hunter2', '739102', 'pass', 'żółw5'])(
  'a short secret is masked as a whole word: %s',
  (secret) => {
    const hide = masking(secret);
    expect(hide(`a ${secret}, "${secret}" (${secret}) x=${secret}`)).toBe(
      'a •••, "•••" (•••) x=•••',
    );
    for (const word of [`a${secret}`, `9${secret}`]) expect(hide(word)).toBe(word);
  },
);

test.each(['true', 'null', 'yes', '42', '1.5', '-17', '12345', 'x', ''])(
  'a text that is in any output is never masked: %j',
  (secret) => {
    const usual = `{"a":true,"b":null,"c":42,"d":"yes 1.5 -17 12345 x"} ${secret}`;
    expect(masking(secret, JSON.stringify({ secret }))(usual)).toBe(usual);
  },
);

test('a short field whose name says that it is secret is masked as a whole word', () => {
  const hide = masking('{"user":"svc","pass":"abc","pin":4711}');
  expect(hide('pin=4711 pass=abc abcd svc')).toBe('pin=4711 pass=••• abcd svc');
});

test.each([
  ['TOKEN="tkn-dotenv-99" # rotated in May', 'tkn-dotenv-99'],
  ["export TOKEN='tkn-dotenv-99'   # c", 'tkn-dotenv-99'],
  ['PASS=plain-pass-77 # note', 'plain-pass-77'],
  ['PASS="plain#pass 77"', 'plain#pass 77'],
  ['PASS=plain#pass-77', 'plain#pass-77'],
])('of lines with %s, the value is masked without its comment', (line, value) => {
  const said = masking(`HOST=db.example.com\n${line}\nOTHER=1`)(`it printed ${value}.`);
  expect(said).toBe('it printed •••.');
});

test('a secret is masked where JSON is written in ASCII', () => {
  const hide = masking('pä-sswörd-4242');
  expect(hide(String.raw`{"p":"p\u00e4-ssw\u00f6rd-4242"}`)).toBe('{"p":"•••"}');
  expect(hide(String.raw`{"p":"p\u00E4-ssw\u00F6rd-4242"}`)).toBe('{"p":"•••"}');
});

test('a field that is an ordinary word is masked, and refuses no playbook', () => {
  const secrets = [new Secret('{"env":"production","password":"correcthorse","key":"k-123456"}')];
  expect(redactor(secrets)('in production: correcthorse')).toBe('in •••: •••');
  const holds = secretFinder(secrets);
  expect(holds('account: production')).toBe(false);
  expect(holds('password: correcthorse')).toBe(true);
  expect(holds('k-123456')).toBe(true);
});
