/**
 * Builds the page of `serve` into `page.br` in a folder: a script, a sheet and an icon by their names, which
 * have a digest of their content, as JSON, compressed.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { compressed } from './compressed.mjs';

const [folder] = process.argv.slice(2);
const isStarted = process.argv[1] === import.meta.filename;
if (isStarted && folder !== undefined) await buildPage(join(import.meta.dirname, '..'), folder);

/** The page of `serve`; nothing it loads is elsewhere. */
export async function buildPage(root, outdir) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: {
      page: 'src/serve/web/main.tsx',
      style: 'src/serve/web/style.css',
      icon: 'src/serve/web/icon.svg',
    },
    loader: { '.svg': 'copy' },
    plugins: [await colours(root)],
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
    write: false,
  });
  const files = Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]));
  await mkdir(outdir, { recursive: true });
  await writeFile(join(outdir, 'page.br'), compressed(JSON.stringify(files)));
  return { inputs: metafile.inputs };
}

/** Puts the colors of the palette before the sheet, and into the icon. */
async function colours(root) {
  const { pageColours, colouredSvg } = await paletteOf(root);
  return {
    name: 'colours',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]web[\\/]style\.css$/ }, async ({ path }) => ({
        contents: pageColours() + (await readFile(path, 'utf8')),
        loader: 'css',
      }));
      onLoad({ filter: /[\\/]web[\\/]icon\.svg$/ }, async ({ path }) => ({
        contents: colouredSvg(await readFile(path, 'utf8')),
        loader: 'copy',
      }));
    },
  };
}

/** The palette, compiled: Node 20 does not read TypeScript. */
async function paletteOf(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/base/palette.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const [{ text }] = outputFiles;
  return import(`data:text/javascript,${encodeURIComponent(text)}`);
}
