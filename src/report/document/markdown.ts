/** Converts a playbook's Markdown to markup; values stay text, and raw HTML is escaped. */
import { Lexer, type Token, type Tokens } from 'marked';
import type { Prose } from '../../engine/export/document-parts.ts';
import { html, newline, type Content, type Html } from '../page/html.ts';

/** Converts Markdown to markup. @param prose the Markdown, and values that are never read as Markdown */
export function markup(prose: Prose): Html {
  const values: string[] = [];
  const text = prose
    .map((part) => {
      if (typeof part === 'string') return part.replace(/[\uE000\uE001]/g, '');
      return `\uE000${values.push(part.value) - 1}\uE001`;
    })
    .join('');
  return html`${blocks(new Lexer({ gfm: true }).lex(text), values)}`;
}

type Values = readonly string[];

function blocks(tokens: readonly Token[], values: Values): Html[] {
  return tokens.map((token) => block(token, values));
}

function block(token: Token, values: Values): Html {
  if (isHeading(token)) return heading(token, values);
  if (isList(token)) return list(token, values);
  if (isTable(token)) return table(token, values);
  switch (token.type) {
    case 'space':
      return html``;
    case 'checkbox':
      return html`${'checked' in token && token.checked === true ? '☑' : '☐'} `;
    case 'hr':
      return html`<hr />`;
    case 'blockquote':
      return html`<blockquote>${blocks(insideOf(token), values)}</blockquote>`;
    case 'code':
      return html`<pre class="code" tabindex="0">${lines(textOf(token), values)}</pre>`;
    case 'text':
      return html`${inlines(insideOf(token), values, textOf(token))}`;
    case 'paragraph':
      return html`<p>${inlines(insideOf(token), values, textOf(token))}</p>`;
    default:
      return html`<p>${filled(token.raw, values)}</p>`;
  }
}

/** A heading, from the second level on: the title of the page is the only first-level heading. */
function heading({ depth, tokens, text }: Tokens.Heading, values: Values): Html {
  const inside = inlines(tokens, values, text);
  return depth <= 2 ? html`<h2>${inside}</h2>` : html`<h3>${inside}</h3>`;
}

function list({ ordered, start, items }: Tokens.List, values: Values): Html {
  const rows = items.map(({ tokens }) => html`<li>${blocks(tokens, values)}</li>`);
  if (!ordered)
    return html`<ul>
      ${rows}
    </ul>`;
  return html`<ol start="${start === '' ? 1 : start}">
    ${rows}
  </ol>`;
}

function table({ header, rows }: Tokens.Table, values: Values): Html {
  const cells = (row: readonly Tokens.TableCell[]): Html[] =>
    row.map(({ tokens, text }) => html`<td>${inlines(tokens, values, text)}</td>`);
  const heads = header.map(({ tokens, text }) => html`<th>${inlines(tokens, values, text)}</th>`);
  return html`<div class="wide" tabindex="0">
    <table>
      <thead>
        <tr>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${cells(row)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function inlines(tokens: readonly Token[], values: Values, otherwise: string): Content {
  if (tokens.length === 0) return filled(otherwise, values);
  return tokens.map((token) => inline(token, values));
}

function inline(token: Token, values: Values): Html {
  const inside = (): Content => inlines(insideOf(token), values, textOf(token));
  switch (token.type) {
    case 'strong':
      return html`<strong>${inside()}</strong>`;
    case 'em':
      return html`<em>${inside()}</em>`;
    case 'del':
      return html`<del>${inside()}</del>`;
    case 'br':
      return html`<br />`;
    case 'codespan':
      return html`<code>${filled(textOf(token), values)}</code>`;
    case 'link':
      return link(token, inside());
    case 'text':
    case 'escape':
      return html`${inside()}`;
    case 'image':
      return html`${filled(textOf(token), values)}`; // nothing is fetched
    default:
      return html`${filled(token.raw, values)}`; // including raw HTML
  }
}

/** A link, if its address is literal: an address with a value in it stays text. */
function link(token: Token, inside: Content): Html {
  const href = 'href' in token && typeof token.href === 'string' ? token.href : '';
  if (!/^https?:\/\/[\x21-\x7e]+$|^#[\w-]+$/.test(href)) return html`${inside}`;
  return html`<a href="${href}" rel="noreferrer">${inside}</a>`;
}

/** A text with its values inserted. */
function filled(text: string, values: Values): Content {
  return text.split(/\uE000(\d+)\uE001/).map((part, at) => {
    const value = at % 2 === 0 ? part : (values[Number(part)] ?? '');
    return value.replace(/\s*\n\s*/g, ' ');
  });
}

function lines(text: string, values: Values): Html[] {
  return text.split('\n').map((line) => html`${filled(line, values)}${newline}`);
}

function insideOf(token: Token): readonly Token[] {
  return 'tokens' in token && Array.isArray(token.tokens) ? token.tokens : [];
}

function textOf(token: Token): string {
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

function isList(token: Token): token is Tokens.List {
  return token.type === 'list';
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table';
}
