// An esbuild plugin: of handlebars only its parser, which needs no other package. Its index would load
// templates, source maps and the compiler as well. The library gets it, too, so that it is not installed.
import { join } from 'node:path';

export function handlebarsParser(root) {
  const path = join(root, 'node_modules/handlebars/dist/cjs/handlebars/compiler/base.js');
  return {
    name: 'handlebars-parser',
    setup({ onResolve }) {
      onResolve({ filter: /^handlebars$/ }, () => ({ path }));
    },
  };
}
