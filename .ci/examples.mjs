// An esbuild plugin: the bundled workflows as texts, so that `init --example` finds them anywhere.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export function bundledExamples(root) {
  return {
    name: 'bundled-examples',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]cli[\\/]init[\\/]examples\.ts$/ }, async () => {
        const folder = join(root, 'workflows');
        const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
        const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
        const files = Object.fromEntries(names.map((name, at) => [name, texts[at]]));
        return { contents: `export const exampleFiles = ${JSON.stringify(files)};` };
      });
    },
  };
}
