/** Files of a notice: only e-mail carries them, which a plan and a run check alike. */
import { ConfigError } from '../../base/error.ts';
import type { Channel } from '../../language/channels/channel.ts';
import type { Step } from '../../language/playbook.ts';

/** @throws ConfigError for a page or files on a channel that takes none */
export function refuseFiles(
  { path, with: fields }: Pick<Step, 'path' | 'with'>,
  { name, isMail }: Channel,
): void {
  const named = ['page', 'attach'].filter((field) => fields.has(field));
  if (isMail || named.length === 0) return;
  throw new ConfigError(
    `${path}: ${named.join(' and ')} can be sent by e-mail only, and url is for ${name}`,
    'use the address of an e-mail, or send a table and link: true instead',
  );
}
