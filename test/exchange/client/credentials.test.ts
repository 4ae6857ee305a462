/** Which characters a key may have: they are the values of headers. */
import { expect, test } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { scripted, secrets, success } from '../../support/scripted.ts';

const withPassphrase = (text: string) =>
  scripted(() => success([]), { credentials: { ...secrets, passphrase: new Secret(text) } });

test.each(['ab#cd=ef"g h', 'two  words', '~'])(
  'the passphrase %j is sent as it is',
  async (text) => {
    const { client, requests } = withPassphrase(text);
    await client.call('loan/list-orders', {});
    expect(requests[0]?.headers['ACCESS-PASSPHRASE']).toBe(text);
  },
);

test.each(['', ' before', 'after ', 'a line\nbreak', 'tab\tulator', 'grün'])(
  'the passphrase %j is refused before anything is sent',
  (text) => {
    expect(() => withPassphrase(text)).toThrow('passphrase is empty or has a character');
  },
);
