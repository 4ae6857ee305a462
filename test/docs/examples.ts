/** The programs of a page: each block of TypeScript whose first line is its name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Example {
  readonly name: string;
  readonly text: string;
}

/** @param page path from the root */
export function examplesIn(page: string): readonly Example[] {
  const markdown = readFileSync(join(import.meta.dirname, '..', '..', page), 'utf8');
  return [...markdown.matchAll(/^```ts\n(\/\/ ([\w-]+\.ts)\n[^]*?)^```$/gm)].map(
    ([, text = '', name = '']) => ({ name, text }),
  );
}
