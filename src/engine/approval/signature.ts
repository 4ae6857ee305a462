/** An SSH signature in its armor: its key and namespace, in exactly one encoding. */
import { createHash } from 'node:crypto';

/** The contents of a signature; only `ssh-keygen` decides whether it is valid. */
export interface SshSignature {
  readonly kind: 'ssh';
  readonly armoured: string;
  readonly namespace: string;
  /** The type of the key: `ssh-ed25519`, `ssh-rsa`, `ecdsa-sha2-nistp256` … */
  readonly keyType: string;
  /** The fingerprint of the key: `SHA256:…`, as `ssh-keygen -l` shows it. */
  readonly fingerprint: string;
}

export const sshBegin = '-----BEGIN SSH SIGNATURE-----';
const end = '-----END SSH SIGNATURE-----';
const lineLength = 70; // letters per line, as ssh-keygen wraps them

/** Parses an armored signature; accepts only the canonical form. @see PROTOCOL.sshsig of OpenSSH */
export function signatureIn(armoured: string): SshSignature | undefined {
  const inside = armoured.slice(sshBegin.length, -(end.length + 1)).replaceAll('\n', '');
  const bytes = Buffer.from(inside, 'base64');
  if (armourOf(bytes) !== armoured) return undefined; // refuses other encodings of the same bytes
  const reader = readerOf(bytes);
  if (reader.take(6)?.toString() !== 'SSHSIG' || reader.take(4)?.readUInt32BE() !== 1) {
    return undefined;
  }
  const key = reader.text();
  const namespace = reader.text();
  const keyType = key && readerOf(key).text();
  if (key === undefined || namespace === undefined || keyType === undefined) return undefined;
  return {
    kind: 'ssh',
    armoured,
    namespace: namespace.toString(),
    keyType: keyType.toString(),
    fingerprint: fingerprintOf(key),
  };
}

/** Fingerprint of an encoded public key. */
export function fingerprintOf(key: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

function armourOf(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${lineLength}}`, 'g')) ?? [];
  return [sshBegin, ...lines, end, ''].join('\n');
}

interface Reader {
  take(length: number): Buffer | undefined;
  /** A byte string with a four-byte length prefix. */
  text(): Buffer | undefined;
}

function readerOf(bytes: Buffer): Reader {
  let at = 0;
  const take = (length: number): Buffer | undefined => {
    if (at + length > bytes.length) return undefined;
    at += length;
    return bytes.subarray(at - length, at);
  };
  return {
    take,
    text: () => {
      const length = take(4)?.readUInt32BE();
      return length === undefined ? undefined : take(length);
    },
  };
}
