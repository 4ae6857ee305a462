/** `runner.ts` as we ship programs: one bundle, schemas compiled, and what draws in its own part. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { undiciParts } from '../../.ci/undici.mjs';
import { precompiledValidators } from '../../.ci/validators.mjs';

const [folder = ''] = process.argv.slice(2);
const root = join(import.meta.dirname, '..', '..');
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
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
  plugins: [undiciParts, precompiledValidators(root)],
  minifySyntax: true,
  minifyWhitespace: true,
  banner: {
    js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);",
  },
});
