/** `GET /about`: the program, its desks, and the person who is signed in. */
import { targets } from '../../../engine/journal/shared-schema.ts';
import { choice, list, optional, record, text, truth } from '../../../exchange/api/schema.ts';
import { plainText } from '../../../base/text.ts';
import { roles } from '../../../app/config/role.ts';
import { noFields, reads } from '../route.ts';

export const about = reads({
  title: 'Show the program, its desks, and who is signed in',
  role: 'viewer',
  parameters: noFields,
  answer: record({
    program: text(),
    isReadOnly: truth,
    who: text(),
    role: choice(roles),
    desks: list(
      record({
        name: text(),
        folder: text(),
        accounts: list(record({ profile: text(), target: choice(targets) })),
        trouble: optional(text({ description: 'Why the shared state cannot be reached now' })),
      }),
    ),
  }),
  handle: ({ session }, { desks, program, isReadOnly }) => ({
    program,
    isReadOnly,
    who: session?.who ?? '',
    role: session?.role ?? 'viewer',
    desks: desks.map((desk) => {
      const trouble = desk.trouble();
      return {
        name: desk.name,
        folder: plainText(desk.folder, 300),
        accounts: [...desk.config.profiles.values()].map(({ name, target }) => ({
          profile: plainText(name, 60),
          target,
        })),
        ...(trouble !== undefined && { trouble }),
      };
    }),
  }),
});
