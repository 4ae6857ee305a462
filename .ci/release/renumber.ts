/** Writes the number of the next version wherever the repository has it, except in package.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @throws Error when a place does not have the number before; other files may be written by then */
export function renumber(
  root: string,
  { before, after }: { readonly before: string; readonly after: string },
): void {
  const replace = (name: string, from: string, to: string): void => {
    const text = readFileSync(join(root, name), 'utf8');
    if (!text.includes(from)) throw new Error(`${name} does not contain ${JSON.stringify(from)}`);
    writeFileSync(
      join(root, name),
      text.replace(from, () => to), // the first place
    );
  };
  replace('src/base/version.ts', `'${before}'`, `'${after}'`);
  replace('CHANGELOG.md', '\n## Unreleased\n', `\n## Unreleased\n\n## ${after}\n`);
  // Its first two numbers are those of the package itself.
  replace('package-lock.json', `"version": "${before}"`, `"version": "${after}"`);
  replace('package-lock.json', `"version": "${before}"`, `"version": "${after}"`);
  const { man }: { man: readonly string[] } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  for (const page of man) replace(page, `"deskhand ${before}"`, `"deskhand ${after}"`); // its header
}
