/** `runner.ts` as we ship programs: one bundle, schemas compiled, and what draws in its own part. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { handlebarsParser } from '../../.ci/handlebars.mjs';
import { undiciParts } from '../../.ci/undici.mjs';
import { precompiledValidators } from '../../.ci/validators.mjs';

const [folder = ''] = process.argv.slice(2);
const root = join(import.meta.dirname, '..', '..');
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
const validators = precompiledValidators(root);
await build({
  absWorkingDir: root,
  entryPoints: ['bench/processes/runner.ts'],
  outdir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['pg-native'],
  plugins: [undiciParts, handlebarsParser(root), validators.plugin],
  minifySyntax: true,
  minifyWhitespace: true,
  banner: {
    js: `import { createRequire as __r } from 'node:module';
const __f = __r(import.meta.url);
const require = (name) => name.startsWith('chunk:') ? __f('./' + name.slice(6) + '.cjs')[name.slice(6)]() : __f(name);`,
  },
});
// The validators that the program requires by the name of their part.
for (const [name, text] of Object.entries(await validators.parts())) {
  writeFileSync(join(folder, `${name}.cjs`), text);
}
