/** A page of `serve`: its view, and its place in the table of pages. */
import { before, type Addition } from './addition.ts';

export const page: Addition = {
  name: 'a page',
  files: [
    {
      file: 'serve/web/pages/about.tsx',
      text: `/** What this program is. */
import type { JSX } from 'preact';

export function About(): JSX.Element {
  return <h1>About</h1>;
}
`,
    },
    {
      file: 'serve/web/pages/index.ts',
      edits: [
        before("import { Home } from './home.tsx';", "import { About } from './about.tsx';\n"),
        before(
          "  { path: '/runs/{run}', section: 'runs', View: Run },",
          "  { path: '/about', section: 'runs', View: About },\n",
        ),
      ],
    },
  ],
  shows: `
Object.assign(globalThis, { location: new URL('http://127.0.0.1/'), document: {}, window: globalThis });
const { pageAt } = await import('./src/serve/web/pages/index.ts');
console.log(JSON.stringify(pageAt('/about').page?.View.name));
`,
  shown: 'About',
};
