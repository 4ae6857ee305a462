/** The secrets in the address of a database; the rest of the address may be printed. */
import { Secret } from '../../base/secret.ts';

/**
 * The passwords and tokens of an address, as written there and as sent.
 * @param address of Postgres, or of Restate: there one for each node, separated by commas
 */
export function secretsOfDatabase(address: string): readonly Secret[] {
  const urls = address.split(',').map((part) => part.trim());
  const all = urls
    .filter((each) => URL.canParse(each))
    .flatMap((each) => {
      const { protocol, username, password, searchParams } = new URL(each);
      const token = protocol.startsWith('postgres') ? '' : username;
      return [password, decoded(password), token, searchParams.get('password') ?? ''];
    });
  return [...new Set(all)].filter((each) => each !== '').map((each) => new Secret(each));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // the driver decodes it in the same way
  }
}
