/** A passkey's signature below a record: four fields in exactly one encoding. */

/** The assertion that a browser returns from `navigator.credentials.get`. @see WebAuthn Level 3, 5.2.2 */
export interface Assertion {
  readonly kind: 'passkey';
  readonly armoured: string;
  /** The id of the credential, in base64url. */
  readonly id: string;
  readonly authenticatorData: Buffer;
  /** UTF-8 JSON, as the browser hashed it. */
  readonly clientData: Buffer;
  readonly signature: Buffer;
}

export const passkeyBegin = '-----BEGIN PASSKEY ASSERTION-----';
const end = '-----END PASSKEY ASSERTION-----';

/**
 * The maximum bytes of each field: the id by its specification, the others well above what
 * authenticators send.
 */
const fields = {
  id: 1_023,
  authenticatorData: 4_096,
  clientDataJSON: 4_096,
  signature: 1_024,
} as const;

type FieldName = keyof typeof fields;

/** The fields in base64url, as a browser sends them. */
export type AssertionFields = Readonly<Record<FieldName, string>>;

const names = Object.keys(fields) as readonly FieldName[];

/** Decodes an assertion; undefined if a field is empty, too large, or not in canonical base64url. */
export function assertionOf(values: AssertionFields): Assertion | undefined {
  const bytes = new Map(names.map((name) => [name, bytesIn(values[name], fields[name])]));
  const authenticatorData = bytes.get('authenticatorData');
  const clientData = bytes.get('clientDataJSON');
  const signature = bytes.get('signature');
  if (!bytes.get('id') || !authenticatorData || !clientData || !signature) return undefined;
  const armoured = [passkeyBegin, ...names.map((name) => `${name}: ${values[name]}`), end, ''];
  return {
    kind: 'passkey',
    armoured: armoured.join('\n'),
    id: values.id,
    authenticatorData,
    clientData,
    signature,
  };
}

/** Parses a block; accepts only its canonical form. */
export function assertionIn(armoured: string): Assertion | undefined {
  const values = armoured.split('\n').slice(1, 1 + names.length);
  const valueOf = (name: FieldName): string => {
    const line = values[names.indexOf(name)] ?? '';
    return line.startsWith(`${name}: `) ? line.slice(name.length + 2) : '';
  };
  const assertion = assertionOf({
    id: valueOf('id'),
    authenticatorData: valueOf('authenticatorData'),
    clientDataJSON: valueOf('clientDataJSON'),
    signature: valueOf('signature'),
  });
  return assertion?.armoured === armoured ? assertion : undefined;
}

/** The bytes of canonical base64url without padding; undefined for none, or more than `max`. */
export function bytesIn(text: string, max: number): Buffer | undefined {
  if (text === '' || text.length > Math.ceil((max * 4) / 3)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
