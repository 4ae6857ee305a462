/** The proxy of a profile: `proxy: none`, an address, or the source of one with a login. */
import { proxyIn } from '../../base/proxy.ts';
import type { SecretSource } from '../../base/secret-source.ts';
import { inside, wrong, type Fields } from './fields.ts';
import { secretSourceIn } from './secret-source.ts';

/** The proxy that a profile names; if it is absent, the proxy of the environment applies. */
export type ProxySetting =
  | { readonly kind: 'none' }
  /** The address of a proxy without a login. */
  | { readonly kind: 'given'; readonly url: string }
  | SecretSource;

/** @throws ConfigError, which shows nothing of an address */
export function proxySettingOf(profile: Fields): ProxySetting | undefined {
  const value = profile.values['proxy'];
  if (value === undefined) return undefined;
  if (value === 'none') return { kind: 'none' };
  const place = inside(profile, 'proxy');
  if (typeof value === 'string') {
    const { login } = proxyIn(value, `${place.file}: ${place.path}`);
    if (login === undefined) return { kind: 'given', url: value };
    throw wrong(place, 'contains a login; name its source: { env: NAME }, file: or exec:');
  }
  if (typeof value === 'object' && value !== null) return secretSourceIn(profile, 'proxy');
  throw wrong(
    place,
    'must be none, an address such as http://proxy.example:3128, or { env: NAME }',
  );
}
