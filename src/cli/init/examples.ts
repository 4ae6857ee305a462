/** The bundled workflows: the build inlines their texts in place of this read. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularSync } from '../../base/read-file.ts';

/** File contents by name, tests included. */
export const exampleFiles: Readonly<Record<string, string>> = filesOf(
  join(import.meta.dirname, '..', '..', '..', 'workflows'),
);

function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return Object.fromEntries(
    names.map((name) => [name, readRegularSync(join(folder, name)).toString('utf8')] as const),
  );
}
