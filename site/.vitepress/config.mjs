/** The site: its pages in the order of docs/index.md, a search without a server, no request elsewhere. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { defineConfig } from 'vitepress';

const pages = join(import.meta.dirname, '..', '.pages');
const base = process.env.SITE_BASE ?? '/';
const description =
  'Validate, plan and run YAML playbooks against exchange accounts. Orders are never placed twice.';

/** Previews in chats and networks need whole addresses: SITE_URL is that of the site. */
const address = process.env.SITE_URL?.replace(/\/$/, '');

export default defineConfig({
  title: 'deskhand',
  description,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }],
    ['meta', { name: 'theme-color', content: '#3146c4' }],
    ['meta', { property: 'og:site_name', content: 'deskhand' }],
    ['meta', { property: 'og:type', content: 'website' }],
  ],
  transformHead: social,
  lang: 'en',
  base,
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '.vitepress/cache',
  cleanUrls: false, // files open on any server
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    config: (md) => {
      md.core.ruler.push('in-the-repository', unlinked);
      for (const rule of ['code_inline', 'text'])
        md.renderer.rules[rule] = literal(md.renderer.rules[rule]);
    },
  },
  vite: {
    build: { chunkSizeWarningLimit: 4_000 }, // the index of the search, in kB
    esbuild: { tsconfigRaw: {} }, // not that of the repository
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: sidebar(),
    nav: [
      { text: 'Overview', link: '/readme' },
      { text: 'Documentation', link: '/documentation' },
      { text: 'Commands', link: '/commands' },
      { text: 'Library', link: '/api' },
      { text: 'Changelog', link: '/changelog' },
    ],
    outline: [2, 3],
  },
});

/** What previews show of a page: its title and description, and a picture. */
function social({ title, description: own, pageData: { relativePath } }) {
  const page = relativePath.replace(/(?:index)?\.md$/, (end) => (end === '.md' ? '.html' : ''));
  const place =
    address === undefined
      ? []
      : [
          ['meta', { property: 'og:url', content: `${address}/${page}` }],
          ['meta', { property: 'og:image', content: `${address}/social.png` }],
        ];
  return [
    ['meta', { property: 'og:title', content: title }],
    ['meta', { property: 'og:description', content: own }],
    ['meta', { name: 'twitter:card', content: address ? 'summary_large_image' : 'summary' }],
    ...place,
  ];
}

/** Braces as entities: the pages are templates of Vue, and `{{ }}` in ours is text. */
function literal(rule) {
  return (...parts) => rule(...parts).replaceAll('{{', '&#123;&#123;');
}

/** The anchors of the repository's own pages. */
function slugify(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

/** Headings and tables of the index. */
function sidebar() {
  const text = readFileSync(join(pages, 'documentation.md'), 'utf8');
  const groups = text.split(/^## /m).slice(1).map(groupOf);
  const more = ['readme', 'contributing', 'figures', 'changelog'];
  const names = {
    readme: 'Overview',
    contributing: 'Contributing',
    figures: 'Figures',
    changelog: 'Changelog',
  };
  const items = more.map((name) => ({ text: names[name], link: `/${name}` }));
  return [...groups, { text: 'Project', items }];
}

function groupOf(section) {
  const [heading] = section.split('\n');
  const links = [...section.matchAll(/^\| \[([^\]]+)\]\(([\w-]+)\.md\)/gm)];
  return { text: heading, items: links.map(([, text, name]) => ({ text, link: `/${name}` })) };
}

/** Renders the text of a link to a file that is only in the repository. */
function unlinked({ tokens }) {
  for (const { children } of tokens) {
    let depth = 0;
    for (const token of children ?? []) {
      const isMarked = token.type === 'link_open' && token.attrGet('href') === '#in-the-repository';
      if (isMarked) depth = 1;
      if (depth === 1 && token.type.startsWith('link_')) {
        if (token.type === 'link_close') depth = 0;
        Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '', attrs: null });
      }
    }
  }
}
