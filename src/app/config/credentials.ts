/** The key of an account. */
import type { Secret } from '../../base/secret.ts';

export interface Credentials {
  readonly apiKey: Secret;
  readonly secretKey: Secret;
  readonly passphrase: Secret;
}
