/**
 * Collects the pages of the site in `.pages`: docs/*.md as they are in the repository, its other
 * documents, the bundled workflows, the schemas, the interface of the library and the first page. A link to another page leads there; one to
 * another file of the repository becomes its text. A link to nothing fails the build.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { apiPages } from './api.mjs';

const root = join(import.meta.dirname, '..');
const folder = join(import.meta.dirname, '.pages');

/** Marks a link to a file that is only in the repository; the configuration renders its text. */
const elsewhere = '#in-the-repository';

/** Pages by the path of what they show, in the repository. */
const pages = new Map([
  ['README.md', 'readme.md'],
  ['SECURITY.md', 'security.md'],
  ['CHANGELOG.md', 'changelog.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['bench/README.md', 'figures.md'],
  ['bench/tried.md', 'tried.md'],
  ['workflows', 'workflow-files.md'],
  ['schemas', 'schemas.md'],
  ['api', 'api.md'],
]);
for (const name of await namesIn('docs', '.md')) {
  pages.set(`docs/${name}`, name === 'index.md' ? 'documentation.md' : name);
}

await rm(folder, { recursive: true, force: true });
await mkdir(join(folder, 'public', 'schemas'), { recursive: true });
for (const [source, page] of pages) {
  if (source.endsWith('.md')) await write(page, linked(await textOf(source), source));
}
for (const name of await readdir(join(root, 'docs'), { recursive: true })) {
  if (isPicture(name)) await cp(join(root, 'docs', name), join(folder, name));
}
await write('workflow-files.md', await workflowsPage());
await write('schemas.md', await schemasPage());
for (const [name, text] of await apiPages(join(root, 'api'))) await write(name, text);
await cp(join(import.meta.dirname, 'home.md'), join(folder, 'index.md'));
await cp(join(import.meta.dirname, 'public'), join(folder, 'public'), { recursive: true });
await cp(join(root, 'docs', 'terminal.png'), join(folder, 'public', 'terminal.png'));

async function workflowsPage() {
  const names = await namesIn('workflows', '.yaml');
  const parts = await Promise.all(
    names.map(
      async (name) => `## ${name}\n\n\`\`\`yaml\n${await textOf(`workflows/${name}`)}\`\`\``,
    ),
  );
  const intro =
    'The files that `deskhand init --example NAME` copies, with their tests. What they do: [workflows to copy](workflows.md).';
  return ['# Files of the bundled workflows', intro, ...parts].join('\n\n');
}

async function schemasPage() {
  const rows = await Promise.all(
    (await namesIn('schemas', '.json')).map(async (name) => {
      const text = await textOf(`schemas/${name}`);
      await write(`public/schemas/${name}`, text);
      const { title, info } = JSON.parse(text);
      return `| <a href="./schemas/${name}" target="_blank">${name}</a> | ${title ?? info?.title ?? ''} |`;
    }),
  );
  return ['# Schemas', ['| file | what it describes |', '|---|---|', ...rows].join('\n')].join(
    '\n\n',
  );
}

/** Rewrites links, outside code. */
function linked(text, source) {
  return text
    .split(/(^```[^]*?^```|`[^`\n]*`)/m)
    .map((part, index) => (index % 2 === 1 ? part : rewritten(part, source)))
    .join('');
}

function rewritten(text, source) {
  const place = (name) => `./${relative('docs', normalize(join(dirname(source), name)))}`;
  // The text of a link may contain code, which was split off: its end is enough.
  const withLinks = text.replaceAll(/\]\(([^)\s]+)\)/g, (whole, target) => {
    if (/^(?:https?:|#)/.test(target)) return whole;
    const [path, anchor] = target.split('#');
    const file = normalize(join(dirname(source), path)).replace(/\/$/, '');
    const page = pages.get(file);
    const hash = anchor === undefined ? '' : `#${anchor}`;
    if (page !== undefined) return `](${page}${hash})`;
    if (file.startsWith('schemas/')) return `](schemas.md)`;
    if (!existsSync(join(root, file))) throw new Error(`${source}: no ${target}`);
    if (file.startsWith('docs/') && isPicture(file)) return `](${place(target)})`;
    return `](${elsewhere})`;
  });
  return withLinks.replaceAll(/ (src|srcset)="([^":]+\.(?:png|svg))"/g, (_whole, name, target) => {
    if (!existsSync(join(root, dirname(source), target)))
      throw new Error(`${source}: no ${target}`);
    return ` ${name}="${place(target)}"`;
  });
}

function isPicture(name) {
  return /\.(?:png|svg)$/.test(name);
}

function textOf(path) {
  return readFile(join(root, path), 'utf8');
}

async function namesIn(path, ending) {
  return (await readdir(join(root, path))).filter((name) => name.endsWith(ending)).sort();
}

function write(name, text) {
  return writeFile(join(folder, name), text);
}
