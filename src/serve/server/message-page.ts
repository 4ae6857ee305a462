/** A page with one message and no script, for a browser that navigates. */
import { html } from '../../report/page/html.ts';
import { documentOf, type Assets } from './assets.ts';

export interface PageMessage {
  readonly title: string;
  readonly lines: readonly string[];
  readonly links: readonly { readonly path: string; readonly text: string }[];
}

export function messagePage({ files }: Assets, { title, lines, links }: PageMessage): string {
  const style = [...files.keys()].find((name) => name.endsWith('.css')) ?? '';
  return documentOf({
    title: `${title} - deskhand`,
    style,
    body: html`<main class="sign-in">
      <h1>${title}</h1>
      ${lines.map((line) => html`<p>${line}</p>`)}
      ${links.map(({ path, text }) => html`<p><a href="${path}">${text}</a></p>`)}
    </main>`,
  });
}
