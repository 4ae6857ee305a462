/** The answers in full: what is in doubt, why it stopped, what was done, what to watch. */
import { count, shellWord } from '../../base/text.ts';
import type { Group } from '../achievements.ts';
import type { Doubt, Refusal } from '../answers.ts';
import type { ExcerptLine, Stop } from '../stop.ts';
import { orphanLines, orphansHint, orphansWords } from '../orphans.ts';
import type { Summary } from '../summary.ts';
import { beginsWords, dayOf, timeOf } from '../words.ts';
import { html, newline, type Content, type Html } from './html.ts';
import { badge, sign, type Tone } from './marks.ts';

export function doubtPanel({ inDoubt }: Summary): Html | undefined {
  if (inDoubt.length === 0) return undefined;
  return html`<section class="panel edge doubt" aria-labelledby="doubt">
    <h2 id="doubt">In doubt</h2>
    <ul class="plain">
      ${inDoubt.slice(0, listMax).map(doubtItem)}
    </ul>
    <p class="strong">
      ${inDoubt.length === 1 ? 'It' : 'Each'} may or may not have happened. Nothing is sent again
      until its outcome is known.
    </p>
  </section>`;
}

function doubtItem({ what, address, clientOid, because, sentAt, attempts }: Doubt): Html {
  const sent =
    sentAt === undefined
      ? undefined
      : html`sent ${dayOf(sentAt)} ${timeOf(sentAt)}
        UTC${attempts > 1 ? `, ${count(attempts, 'time')}` : ''}; `;
  return html`<li>
    <b>${what}</b> <code class="dim">${address}</code>${
      clientOid === undefined
        ? undefined
        : html`<br />clientOid <code class="key">${clientOid}</code>`
    }<br /><span class="dim">${sent}${because}</span>
  </li>`;
}

export function stopPanel({ stop }: Summary): Html | undefined {
  if (stop === undefined) return undefined;
  const { code, message, hint, what, address, by } = stop;
  return html`<section class="panel edge bad" aria-labelledby="stop">
    <h2 id="stop">${stop.continues ? 'What failed' : 'Why it stopped'}</h2>
    <p>
      ${code === '' ? undefined : html`<b><code>${code}</code></b> `}<span class="strong"
        >${message}</span
      >
    </p>
    <p class="dim">
      ${saidBy[by]} of <code>${address}</code>${what === undefined ? undefined : `: ${what}`}
    </p>
    ${excerpt(stop)} ${hint === undefined ? undefined : html`<p class="hint">${hint}</p>`}
  </section>`;
}

const saidBy = {
  exchange: 'the exchange’s response to the request',
  deskhand: 'the outcome',
  expectation: 'an expectation on the response',
} as const;

function excerpt({ excerpt: lines, file, line }: Stop): Html | undefined {
  if (lines.length === 0) return undefined;
  const width = Math.max(...lines.map(({ number }) => String(number).length));
  return html`<figure class="code">
    <figcaption>${file}${line === undefined ? '' : `:${line}`}</figcaption>
    <pre tabindex="0">${lines.map((each, at) => codeLine(each, lines[at - 1], width))}</pre>
  </figure>`;
}

function codeLine(
  { number, text, isMarked, sent }: ExcerptLine,
  before: ExcerptLine | undefined,
  width: number,
): Html {
  const isGap = before !== undefined && number > before.number + 1;
  const gap = html`<span class="no">${'⋮'.padStart(width)}</span>${newline}`;
  const line = html`<span class="no">${String(number).padStart(width)}</span> ${text}`;
  const indent = ' '.repeat(width + 1 + text.length - text.trimStart().length);
  const became = sent && html`${newline}${indent}<i>${'↳'} sent as ${sent}</i>`;
  const shown = isMarked ? html`<mark>${line}${became}</mark>` : line;
  return html`${isGap ? gap : undefined}${shown}${newline}`;
}

export function answersPanel(summary: Summary): Html {
  const { done, refused, inDoubt, notSent, skipped, run } = summary;
  const rows = [
    ...done.map((group) => row('good', 'done', group)),
    ...refused.slice(0, listMax).map(refusedLine),
    ...inDoubt
      .slice(0, listMax)
      .map(({ what, because, clientOid, address }) =>
        line('doubt', 'in doubt', what, [because, named(clientOid, address)]),
      ),
    ...leftOut('bad', 'refused', refused.length, run),
    ...leftOut('doubt', 'in doubt', inDoubt.length, run),
    ...notSent.map((group) => row('idle', 'not sent', group)),
    ...skipped.map((group) => row('idle', 'skipped', group)),
  ];
  if (rows.length === 0) return html``;
  return html`<section class="panel" aria-labelledby="answers">
    <h2 id="answers">Outcome</h2>
    <table class="answers">
      <thead class="unseen">
        <tr>
          <th>State</th>
          <th>What</th>
          <th>Detail</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section>`;
}

function refusedLine({ what, by, address, code, message, clientOid }: Refusal): Html {
  const number = code === '' ? undefined : html`<code>${code}</code> `;
  const word = by === 'exchange' ? 'refused' : 'failed';
  return line('bad', word, what, [number, message, named(clientOid, address)]);
}

const listMax = 100; // refusals, doubts or warnings; more are not read one by one

function leftOut(tone: Tone, word: string, total: number, run: string): Html[] {
  if (total <= listMax) return [];
  return [
    line(
      tone,
      word,
      `${total - listMax} more`,
      html`<code>deskhand runs show ${shellWord(run)}</code>`,
    ),
  ];
}

/** What to look it up by: its clientOid, or else its place in the playbook. */
function named(clientOid: string | undefined, address: string): Html {
  if (clientOid === undefined) return html`, <code>${address}</code>`;
  return html`, clientOid <code>${clientOid}</code>`;
}

function row(tone: Tone, word: string, { text, detail }: Group): Html {
  return line(tone, word, text, detail);
}

function line(tone: Tone, word: string, what: string, detail: Content): Html {
  return html`<tr>
    <td>${badge(tone, word)}</td>
    <td><b>${what}</b></td>
    <td class="dim">${detail}</td>
  </tr>`;
}

export function warningsPanel({
  warnings,
  files,
  bases,
  orphans,
  playbook,
  run,
}: Summary): Html | undefined {
  const all = [
    ...bases.flatMap((basis) =>
      basis.warning ? warning(basis.warning.text, basis.warning.because) : [],
    ),
    ...(orphans.length === 0 ? [] : [warning(orphansWords(orphans.length), orphansHint)]),
    ...orphanLines(orphans).map((line) => warning('no longer in the playbook', line)),
    ...warnings.map(({ address, message, line: at }) => {
      const place = html`<code>${playbook.file}:${at}</code>`;
      return warning(message, html`expected of <code>${address}</code> at ${place}`);
    }),
    ...files.flatMap(({ file, clamped }) => {
      if (clamped === undefined) return [];
      return [warning(`${file} ${beginsWords(clamped)}`, 'the exchange keeps no older data')];
    }),
  ];
  if (all.length === 0) return undefined;
  const rest = all.length - listMax;
  const more = html`<code>deskhand runs show ${shellWord(run)}</code>`;
  return html`<section class="panel edge warn" aria-labelledby="warnings">
    <h2 id="warnings">Warnings</h2>
    <ul class="signs">
      ${all.slice(0, listMax)}${rest > 0 ? warning(`${rest} more`, more) : undefined}
    </ul>
  </section>`;
}

function warning(what: string, detail: Content): Html {
  return html`<li>
    ${sign('warn')}<span><b>${what}</b> <span class="dim">${detail}</span></span>
  </li>`;
}
