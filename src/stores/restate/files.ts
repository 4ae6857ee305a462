/** Files and locks of schedulers in Restate. */
import type { SharedFiles } from '../shared/shared-files.ts';
import { openDesk, required, type RestateOptions } from './desk.ts';
import { filesObject } from './objects/names.ts';

/** Opens the files of a desk; it connects at the first call. @throws ConfigError for a bad address */
export function openRestateFiles(options: RestateOptions): SharedFiles {
  const desk = openDesk(options);
  const ask = desk.single(filesObject);
  const repeatable = { isRepeatable: true } as const; // every method is, by its description
  return {
    read: (path) => ask<string>('read', { path }, repeatable),
    replace: async (path, text, before) =>
      required(
        ask<boolean>(
          'replace',
          { path, text, ...(before !== undefined && { before }) },
          repeatable,
        ),
      ),
    create: async (path, text) => required(ask<boolean>('create', { path, text }, repeatable)),
    append: async (path, line, id) =>
      required(ask<number>('append', { path, line, id }, repeatable)),
    names: async (folder) => required(ask<readonly string[]>('names', { folder }, repeatable)),
    remove: async (folder) => {
      await ask('remove', { folder }, repeatable);
    },
    lock: async (name, holder, lease) =>
      required(ask<boolean>('lock', { name, holder, lease }, repeatable)),
    renew: async (name, holder, lease) => {
      await ask('renew', { name, holder, lease }, repeatable);
    },
    unlock: async (name, holder) => {
      await ask('unlock', { name, holder }, repeatable);
    },
    now: async () => required(ask<number>('now', {}, repeatable)),
    close: () => desk.close(),
  };
}
