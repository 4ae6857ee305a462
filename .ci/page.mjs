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

/** Puts what every page has before the sheet, and the colors of the palette into the icon. */
async function colours(root) {
  const { pageStyle, colouredSvg } = await stylesOf(root);
  return {
    name: 'colours',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]web[\\/]style\.css$/ }, async ({ path }) => ({
        contents: pageStyle() + (await readFile(path, 'utf8')),
        loader: 'css',
      }));
      onLoad({ filter: /[\\/]web[\\/]icon\.svg$/ }, async ({ path }) => ({
        contents: colouredSvg(await readFile(path, 'utf8')),
        loader: 'copy',
      }));
    },
  };
}

/** The palette and the style of pages, compiled: Node 20 does not read TypeScript. */
async function stylesOf(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `export * from './palette.ts'; export * from './page-style.ts';`,
      resolveDir: join(root, 'src', 'base'),
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const [{ text }] = outputFiles;
  return import(`data:text/javascript,${encodeURIComponent(text)}`);
}
