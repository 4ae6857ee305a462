/** Signs with an SSH key: the given key, that of Git, or that of ssh. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../base/error.ts';
import { homeFolder } from '../../base/platform/home.ts';
import { namespace, sign } from '../../engine/approval/keygen.ts';
import type { AppContext } from '../app-context.ts';
import { signingKeyHere } from '../machine/git.ts';

/**
 * @param named the file of a key, or the public key itself
 * @throws UsageError without a key; ApprovalError when it does not sign
 */
export async function signedBy(
  named: string | undefined,
  body: string,
  { env, folder, canAsk = () => false }: AppContext,
  as = namespace,
): Promise<string> {
  const place = { env, ...(folder !== undefined && { folder }) };
  const key = named ?? (await signingKeyHere(place)) ?? usualKey(env['HOME'] || homeFolder());
  const asking = { env, canAsk: canAsk(), as };
  if (existsSync(key)) return sign(body, key, asking);
  if (!/^(key::)?(ssh|ecdsa|sk)-/.test(key)) {
    throw new UsageError(`key not found: ${key}`, 'name the file of a private or public key');
  }
  const temporary = await mkdtemp(join(tmpdir(), 'deskhand-'));
  try {
    const file = join(temporary, 'key.pub');
    await writeFile(file, `${key.replace(/^key::/, '')}\n`);
    return await sign(body, file, asking);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function usualKey(home: string | undefined): string {
  const types = home === undefined ? [] : ['ed25519', 'ecdsa', 'rsa'];
  const files = types.map((type) => join(home ?? '', '.ssh', `id_${type}`));
  const found = files.find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new UsageError('no SSH key to sign with', 'name one: --key FILE');
}
