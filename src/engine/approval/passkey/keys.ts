/** `passkeys.json`: the passkeys whose approvals count in addition to those of allowed signers,
 * reviewed in Git.
 */
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { schemaProblems } from '../../../exchange/api/check.ts';
import {
  choice,
  integer,
  list,
  optional,
  record,
  text,
  type Infer,
} from '../../../exchange/api/schema.ts';
import { ConfigError, messageOf } from '../../../base/error.ts';
import { parseJson } from '../../../base/json.ts';
import { readRegular } from '../../../base/read-file.ts';
import { plainText } from '../../../base/text.ts';
import { fingerprintOf } from '../signature.ts';
import { bytesIn } from './assertion.ts';
import { algorithms, publicKeyIn } from './public-key.ts';

const base64url = '^[A-Za-z0-9_-]+$';

const passkeySchema = record(
  {
    who: text({
      description: 'The person, by the address that allowed_signers and Git have',
      pattern: '^[^\\s,*?!"]+$',
      maxLength: 200,
    }),
    id: text({ description: 'The credential id, base64url', pattern: base64url, maxLength: 1_364 }),
    publicKey: text({
      description: 'The public key: SPKI in DER, base64url',
      pattern: base64url,
      maxLength: 2_731,
    }),
    alg: choice(algorithms, { description: 'The algorithm of its signatures' }),
    rpId: text({
      description: 'The relying party: `localhost`, or the domain of the page',
      pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$',
      maxLength: 253,
    }),
    origins: list(
      text({
        description: 'Where it may sign: scheme, host and port',
        pattern: '^https?://[a-z0-9.-]+(:[0-9]{1,5})?$',
      }),
      { minItems: 1 },
    ),
    counter: optional(
      integer({ minimum: 0, description: 'Its signature counter when it was enrolled' }),
    ),
    addedAt: text({
      description: 'When it was enrolled, UTC',
      pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
    }),
  },
  { additionalProperties: false },
);

export const passkeysSchema = list(passkeySchema);

export type PasskeyEntry = Infer<typeof passkeySchema>;

/** A passkey that may approve. */
export interface Passkey extends Omit<PasskeyEntry, 'publicKey'> {
  readonly key: KeyObject;
  /** The fingerprint of the public key: `passkey SHA256:…`. */
  readonly fingerprint: string;
}

const bytesMax = 1024 * 1024;

/** @throws ConfigError naming the file, the entry and its field; UnreadableError */
export async function readPasskeys(file: string): Promise<readonly Passkey[]> {
  if (!existsSync(file)) {
    throw new ConfigError(
      `file of passkeys not found: ${plainText(file, 300)}`,
      'list the lines that `deskhand approve --enroll` prints in it: [{ "who": … }]',
    );
  }
  const bytes = await readRegular(file, bytesMax);
  try {
    return passkeysIn(parseJson(bytes.toString('utf8')));
  } catch (error) {
    throw new ConfigError(
      `${plainText(file, 300)}: ${messageOf(error)}`,
      'it is a JSON list; each entry is a line that `deskhand approve --enroll` printed',
    );
  }
}

/** @throws Error naming the first entry that is refused, and its field */
export function passkeysIn(value: unknown): readonly Passkey[] {
  checkPasskeys(value);
  const ids = new Map<string, number>();
  return value.map((entry, index) => {
    const where = `entry ${index + 1} (${plainText(entry.who, 100)})`;
    const earlier = ids.get(entry.id);
    if (earlier !== undefined) throw new Error(`${where}: "id" is also that of entry ${earlier}`);
    ids.set(entry.id, index + 1);
    return passkeyOf(entry, where);
  });
}

function checkPasskeys(value: unknown): asserts value is readonly PasskeyEntry[] {
  const [problem] = schemaProblems(passkeysSchema.json, value);
  if (problem !== undefined) throw new Error(plainText(problem.message, 300));
}

function passkeyOf({ publicKey, ...entry }: PasskeyEntry, where: string): Passkey {
  if (bytesIn(entry.id, 1_023) === undefined) {
    throw new Error(`${where}: "id" is not base64url without padding`);
  }
  if (entry.origins.length === 0) throw new Error(`${where}: "origins" is empty`);
  const key = publicKeyIn(publicKey, entry.alg);
  if (typeof key === 'string') throw new Error(`${where}: "publicKey" ${key}`);
  const foreign = entry.origins.find((origin) => !mayUse(origin, entry.rpId));
  if (foreign !== undefined) {
    throw new Error(
      `${where}: "origins": ${foreign} cannot use the relying party ${entry.rpId}; it is https:// of that domain, or http://localhost`,
    );
  }
  const fingerprint = `passkey ${fingerprintOf(Buffer.from(publicKey, 'base64url'))}`;
  return { ...entry, key, fingerprint };
}

/** Whether a browser lets a page of this origin use a relying party. */
function mayUse(origin: string, rpId: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: canonical } = new URL(origin);
  if (canonical !== origin) return false; // browsers sign the canonical form
  if (protocol === 'http:') return hostname === 'localhost' && rpId === 'localhost';
  return hostname === rpId || hostname.endsWith(`.${rpId}`);
}
