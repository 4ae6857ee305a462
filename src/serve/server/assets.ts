/** The files of the page, which the build put beside the program. */
import { extname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { ConfigError, isCode } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { html, type Html } from '../../report/page/html.ts';

export interface Assets {
  /** The HTML of the page; the same for every address. */
  readonly page: string;
  /** Files by name, with a digest in the name: a name always has the same content. */
  readonly files: ReadonlyMap<string, Asset>;
}

export interface Asset {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The folder of the page, by its name in the program's loader. */
const webKey = Symbol.for('deskhand.web');

/** The files of the built page. @throws ConfigError when the program was not built */
export async function builtAssets(): Promise<Assets> {
  const folder: unknown = Reflect.get(globalThis, webKey);
  if (typeof folder === 'string') return readAssets(folder);
  throw new ConfigError('the page is not built', 'run `npm run build`');
}

/** Reads the files of a page. @throws ConfigError when the folder does not have the page */
async function readAssets(folder: string): Promise<Assets> {
  const texts = await textsIn(join(folder, 'page.br'));
  const files = new Map<string, Asset>();
  for (const [name, text] of texts) {
    const body = new TextEncoder().encode(text);
    files.set(name, { type: types[extname(name)] ?? 'application/octet-stream', body });
  }
  const names = [...files.keys()];
  const named = (ending: string): string => names.find((name) => name.endsWith(ending)) ?? '';
  const page = pageWith({ script: named('.js'), style: named('.css'), icon: named('.svg') });
  return { page, files };
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The texts of the files by their names. */
async function textsIn(path: string): Promise<readonly (readonly [string, string])[]> {
  try {
    const files: unknown = JSON.parse(brotliDecompressSync(await readRegular(path)).toString());
    if (isRecord(files)) return Object.entries(files).map(([name, text]) => [name, String(text)]);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
  throw new ConfigError(`${path} is missing or damaged`, 'install deskhand again');
}

function pageWith({
  script,
  style,
  icon,
}: Readonly<Record<'script' | 'style' | 'icon', string>>): string {
  return documentOf({
    title: 'deskhand',
    style,
    head: html`<link rel="icon" href="/assets/${icon}" />
      <script type="module" src="/assets/${script}"></script>`,
    body: html`<noscript>This page needs JavaScript. The same is in: deskhand runs list</noscript>
      <div id="page"></div>`,
  });
}

/** A whole document with our style sheet. @param style its name among the files */
export function documentOf(parts: {
  readonly title: string;
  readonly style: string;
  readonly head?: Html;
  readonly body: Html;
}): string {
  const { title, style, head, body } = parts;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="/assets/${style}" />
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `.toString();
}
