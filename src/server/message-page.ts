/** A page with one message, for a browser that navigates: without a script. */
import { html } from '../report/page/html.ts';
import type { Assets } from './assets.ts';

export interface PageMessage {
  readonly title: string;
  readonly lines: readonly string[];
  readonly links: readonly { readonly path: string; readonly text: string }[];
}

export function messagePage({ files }: Assets, { title, lines, links }: PageMessage): string {
  const sheet = [...files.keys()].find((name) => name.endsWith('.css')) ?? '';
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} - deskhand</title>
        <link rel="stylesheet" href="/assets/${sheet}" />
      </head>
      <body>
        <main class="sign-in">
          <h1>${title}</h1>
          ${lines.map((line) => html`<p>${line}</p>`)}
          ${links.map(({ path, text }) => html`<p><a href="${path}">${text}</a></p>`)}
        </main>
      </body>
    </html> `.toString();
}
