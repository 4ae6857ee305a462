/** Pages of the library's interface, from its declarations in `api/`: one for each entry, and one of the types that those consist of. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The entries of the package, by the name of their file. */
const entries = {
  index: ['deskhand', 'plan, run and resume'],
  api: ['deskhand/api', 'the operations of the exchange, with their types'],
  client: ['deskhand/client', 'a client that signs, paces and repeats requests'],
  sandbox: ['deskhand/sandbox', 'the exchange for tests'],
  playbook: ['deskhand/playbook', 'the language of playbooks'],
};

const typesPage = 'api-types.md';

/** @returns Markdown by the name of its page */
export async function apiPages(folder) {
  const text = await readFile(join(folder, 'types.d.ts'), 'utf8');
  const declarations = declarationsIn(text);
  const renamed = renamedIn(text);
  const exported = await Promise.all(
    Object.keys(entries).map(async (name) => [name, await namesIn(folder, name, renamed)]),
  );
  const places = placesOf(exported);
  const inner = reachable(declarations, places);
  for (const name of inner) places.set(name, `${typesPage}#${name}`);
  const texts = [...inner].map((name) => section({ ...declarations.get(name), name }, places));
  const intro =
    '# Types of the library\n\nWhat the exported types consist of. Programs do not import these by name.';
  return new Map([
    ['api.md', overview()],
    ...exported.map(([entry, names]) => [
      pageOf(entry),
      entryPage(entry, ownOf(names, declarations), places),
    ]),
    [typesPage, [intro, ...texts].join('\n\n')],
  ]);
}

function ownOf(names, declarations) {
  return [...names].flatMap(([local, name]) => {
    const found = declarations.get(local);
    return found === undefined ? [] : [{ ...found, name }];
  });
}

function overview() {
  const rows = Object.entries(entries).map(
    ([entry, [name, meaning]]) => `| [\`${name}\`](${pageOf(entry)}) | ${meaning} |`,
  );
  return [
    '# Interface of the library',
    'From the declarations of this version. How to use it: [embedding](embedding.md).',
    ['| import from | to |', '|---|---|', ...rows].join('\n'),
    `All of them share [these types](${typesPage}).`,
  ].join('\n\n');
}

function pageOf(entry) {
  return entry === 'index' ? 'api-deskhand.md' : `api-${entry}.md`;
}

/** Each name that is exported first: where its section is. */
function placesOf(exported) {
  const places = new Map();
  for (const [entry, names] of exported) {
    for (const [local, name] of names) {
      if (!places.has(local)) places.set(local, `${pageOf(entry)}#${name}`);
    }
  }
  return places;
}

const kinds = [
  ['Functions', /^declare (?:async )?function /],
  ['Classes', /^declare (?:abstract )?class /],
  ['Values', /^declare const /],
  ['Types', /^(?:interface|type) /],
];

function entryPage(entry, declarations, places) {
  const [name, meaning] = entries[entry];
  const parts = [`# The library: ${name}`, `For programs: ${meaning}.`];
  for (const [title, form] of kinds) {
    const own = declarations.filter(({ code }) => form.test(code));
    if (own.length === 0) continue;
    parts.push(`## ${title}`, ...own.map((each) => section(each, places, '###')));
  }
  return parts.join('\n\n');
}

function section({ name, code, comment }, places, level = '##') {
  // Fields may have the names of functions and values, which types name after `typeof` only.
  const words = new Set(code.match(/(?<=\btypeof )[\w$]+|\b[A-Z][\w$]*/g));
  const used = [...words].filter(
    (word) => places.has(word) && !places.get(word).endsWith(`#${name}`),
  );
  const links = used.map((word) => `[${word.replace(/\$\d+$/, '')}](${places.get(word)})`);
  return [
    `${level} ${name.replace(/\$\d+$/, '')} {#${name}}`,
    ...(comment === '' ? [] : [comment]),
    `\`\`\`ts\n${code.replaceAll(/\$\d+\b/g, '')}\n\`\`\``,
    ...(links.length === 0 ? [] : [`See ${links.join(', ')}.`]),
  ].join('\n\n');
}

/** All declarations that the exported ones lead to, in the order of the file. */
function reachable(declarations, places) {
  const found = new Set();
  const visit = (name) => {
    for (const word of new Set(declarations.get(name)?.code.match(/[A-Za-z_$][\w$]*/g))) {
      if (!declarations.has(word) || places.has(word) || found.has(word)) continue;
      found.add(word);
      visit(word);
    }
  };
  [...places.keys()].forEach(visit);
  return [...declarations.keys()].filter((name) => found.has(name));
}

/** Names that an entry exports, by their names in the shared file. */
async function namesIn(folder, entry, renamed) {
  const text = await readFile(join(folder, `${entry}.d.ts`), 'utf8');
  const [, list = ''] = /^import \{ (.+) \} from/.exec(text) ?? [];
  return new Map(
    list.split(', ').map((each) => {
      const [local, name = local] = each.split(' as ');
      return [renamed.get(local) ?? local, name];
    }),
  );
}

/** Names in the shared file by those that it exports, where they differ. */
function renamedIn(text) {
  const list = text.slice(text.lastIndexOf('\nexport {'));
  return new Map([...list.matchAll(/([\w$]+) as (\w+)/g)].map(([, local, name]) => [name, local]));
}

/** Declarations by name, with the comment directly above each. */
function declarationsIn(text) {
  const found = new Map();
  let comment = '';
  for (const [block] of text.matchAll(
    /^(?:\/\*\*[^]*?\*\/|(?:declare|interface|type)\b[^]*?)(?=\n(?:\/\*\*|declare|interface|type|export|import)\b|\n\/\*\*|(?![^]))/gm,
  )) {
    if (block.startsWith('/**')) {
      comment = proseOf(block);
      continue;
    }
    const [, name] =
      /^(?:declare )?(?:abstract |async )?(?:function|class|const|interface|type) ([\w$]+)/.exec(
        block,
      ) ?? [];
    if (name !== undefined) found.set(name, { code: block.trimEnd(), comment });
    comment = '';
  }
  return found;
}

/** The text of a comment as Markdown, with its tags as lines. */
function proseOf(block) {
  const lines = block
    .replace(/^\/\*\*/, '')
    .replace(/\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim());
  return lines
    .join('\n')
    .trim()
    .replaceAll('<', '&lt;')
    .replaceAll(/(^|\s)@(param|returns?|throws|see) /g, '\n\n*$2* ')
    .trim();
}
