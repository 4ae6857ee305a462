/** The proxy of a profile: `proxy: none`, an address, or the source of one with a login. */
import { proxyIn } from '../../base/proxy.ts';
import type { SecretSource } from '../../base/secret-source.ts';
import { described, either, text } from '../../exchange/api/schema.ts';
import { wrong, type Part } from './part.ts';
import { secret } from './secret-source.ts';

/** The proxy that a profile names; if it is absent, the proxy of the environment applies. */
export type ProxySetting =
  | { readonly kind: 'none' }
  /** The address of a proxy without a login. */
  | { readonly kind: 'given'; readonly url: string }
  | SecretSource;

/** A part whose errors show nothing of an address. */
export const proxySetting: Part<ProxySetting> = {
  ...described(
    'HTTP proxy to the exchange and to receivers of notifications: an address without a login, the source of one with a login, or none; default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY',
    either(text(), secret),
  ),
  read: (value, place) => {
    if (value === 'none') return { kind: 'none' };
    if (typeof value === 'string') {
      const { login } = proxyIn(value, `${place.file}: ${place.path}`);
      if (login === undefined) return { kind: 'given', url: value };
      throw wrong(place, 'contains a login; name its source: { env: NAME }, file: or exec:');
    }
    if (typeof value === 'object' && value !== null) return secret.read(value, place);
    throw wrong(
      place,
      'must be none, an address such as http://proxy.example:3128, or { env: NAME }',
    );
  },
};
