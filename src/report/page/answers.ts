/** The answers in full: the doubts, why the run stopped, the outcome, and the warnings. */
import type { Doubt } from '../answers.ts';
import { showCommand, type Fact } from '../blocks/block.ts';
import { doubtFacts } from '../blocks/doubt.ts';
import { excerptLines, stopPlace, stopSource, stopTitle } from '../blocks/excerpt.ts';
import { outcomeTable } from '../blocks/outcome.ts';
import { fileTable, orderTable, placedWords } from '../blocks/tables.ts';
import { warningsIn } from '../blocks/warnings.ts';
import type { Stop } from '../stop.ts';
import type { Summary } from '../summary.ts';
import { definitions, drawn, panel, table } from './draw.ts';
import { html, newline, type Html } from './html.ts';
import { sign } from './marks.ts';

export function doubtPanel({ inDoubt, run }: Summary): Html | undefined {
  if (inDoubt.length === 0) return undefined;
  const rest = inDoubt.length - listMax;
  const more = html`<li><b>${rest} more</b> <code>${showCommand(run)}</code></li>`;
  const body = html`<ul class="plain">
      ${inDoubt.slice(0, listMax).map(doubtItem)} ${rest > 0 ? more : undefined}
    </ul>
    <p class="strong">
      ${inDoubt.length === 1 ? 'It' : 'Each'} may or may not have happened. Nothing is sent again
      until its outcome is known.
    </p>`;
  return panel('doubt', 'In doubt', body, 'doubt');
}

const listMax = 100; // doubts or warnings; more are not read one by one

function doubtItem(doubt: Doubt): Html {
  const { what, address, clientOid } = doubt;
  return html`<li>
    <b>${what}</b> <code class="dim">${address}</code>${
      clientOid === undefined
        ? undefined
        : html`<br />clientOid <code class="key">${clientOid}</code>`
    }${definitions(doubtFacts(doubt))}
  </li>`;
}

export function stopPanel({ stop }: Summary): Html | undefined {
  if (stop === undefined) return undefined;
  const { code, message, hint } = stop;
  const body = html`<p>
      ${code === '' ? undefined : html`<b><code>${code}</code></b> `}<span class="strong"
        >${message}</span
      >
    </p>
    <p class="dim">${drawn(stopSource(stop))}</p>
    ${excerpt(stop)} ${hint === undefined ? undefined : html`<p class="hint">${hint}</p>`}`;
  return panel('stop', stopTitle(stop), body, 'bad');
}

function excerpt(stop: Stop): Html | undefined {
  if (stop.excerpt.length === 0) return undefined;
  const lines = excerptLines(stop.excerpt).map(({ number, text, isMarked }) => {
    const line = html`<span class="no">${number}</span> ${text}`;
    return html`${isMarked ? html`<mark>${line}</mark>` : line}${newline}`;
  });
  return html`<figure class="code">
    <figcaption>${stopPlace(stop)}</figcaption>
    <pre tabindex="0">${lines}</pre>
  </figure>`;
}

export function answersPanel(summary: Summary): Html | undefined {
  const outcome = outcomeTable(summary);
  return outcome.rows.length === 0 ? undefined : panel('answers', 'Outcome', table(outcome));
}

export function warningsPanel(summary: Summary): Html | undefined {
  const all = warningsIn(summary);
  if (all.length === 0) return undefined;
  const rest = all.length - listMax;
  const more: Fact[] = rest > 0 ? [[`${rest} more`, { code: showCommand(summary.run) }]] : [];
  const items = [...all.slice(0, listMax), ...more].map(warning);
  return panel(
    'warnings',
    'Warnings',
    html`<ul class="signs">
      ${items}
    </ul>`,
    'warn',
  );
}

function warning([what, detail]: Fact): Html {
  return html`<li>
    ${sign('warn')}<span><b>${drawn(what)}</b> <span class="dim">${drawn(detail)}</span></span>
  </li>`;
}

export function ordersPanel(summary: Summary): Html | undefined {
  if (summary.orders.length === 0) return undefined;
  const title = html`Orders <small>${placedWords(summary)}</small>`;
  return panel('orders', title, table(orderTable(summary)));
}

export function filesPanel({ files, run }: Summary): Html | undefined {
  return files.length === 0 ? undefined : panel('files', 'Files', table(fileTable(files, run)));
}
