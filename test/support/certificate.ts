/** A certificate for a server of a test: made on the spot, vouched for by itself. */
import { createSign, generateKeyPairSync } from 'node:crypto';

/** Key and certificate as PEM, for one name and for 127.0.0.1; good from 2000 to 2099. */
export function selfSigned(name: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
  const validity = sequence(
    der(0x18, Buffer.from('20000101000000Z')),
    der(0x18, Buffer.from('20991231235959Z')),
  );
  const names = sequence(
    der(0x82, Buffer.from(name)), // dNSName
    der(0x87, Buffer.from([127, 0, 0, 1])), // iPAddress
  );
  const extensions = sequence(
    sequence(oid('551d11'), der(0x04, names)), // subjectAltName
    sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.from([0xff]))))), // a CA
  );
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1])), // serial
    ecdsaWithSha256,
    subject, // issuer
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = createSign('sha256').update(content).sign(privateKey);
  const whole = sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** One element: its tag, its length, what it holds. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
