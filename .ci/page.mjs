/** Builds the page of `serve` into a folder: a script, a sheet and an icon, named by their content. */
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';

const [folder] = process.argv.slice(2);
const isStarted = process.argv[1] === import.meta.filename;
if (isStarted && folder !== undefined) await buildPage(join(import.meta.dirname, '..'), folder);

/** The page of `serve`; nothing it loads is elsewhere. */
export async function buildPage(root, outdir) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      page: 'src/serve/web/main.tsx',
      style: 'src/serve/web/style.css',
      icon: 'src/serve/web/icon.svg',
    },
    loader: { '.svg': 'copy' },
    outdir,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  const names = Object.keys(metafile.outputs).map((path) => basename(path));
  await writeFile(join(outdir, 'manifest.json'), JSON.stringify(names));
  return { inputs: metafile.inputs };
}
