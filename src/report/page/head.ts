/** The top of the page: the destination, the outcome in one sentence, the four counts, the next command. */
import { allAccounts } from '../accounts.ts';
import { toneOf, targetWord } from '../states.ts';
import { runFacts } from '../blocks/facts.ts';
import { talliesOf, type Tally } from '../blocks/tallies.ts';
import type { Summary } from '../summary.ts';
import { factList } from './draw.ts';
import { html, type Html } from './html.ts';
import { badge, sign } from './marks.ts';

export function bar(summary: Summary): Html {
  const { destination, playbook, run } = summary;
  const { target } = destination;
  return html`<div class="bar ${target}" role="banner">
    <div>
      <strong>${targetWord(target)}</strong>
      <span>${allAccounts(summary)}</span>
      <span class="far">${playbook.name} <code>${run}</code></span>
    </div>
  </div>`;
}

export function head(summary: Summary): Html {
  const { playbook, headline, status, lead, rest } = summary;
  return html`<header>
      <div class="title">
        <h1>${playbook.name}</h1>
        ${badge(toneOf(status), headline)}
      </div>
      ${factList(runFacts(summary))}
      <p class="lead"><strong>${lead}</strong> ${rest}</p>
      ${nextSteps(summary)}
    </header>
    ${tallies(summary)}`;
}

function nextSteps({ next, status }: Summary): Html | undefined {
  if (status === 'done') return undefined;
  const lines = next.map(
    ({ command, why }) =>
      html`<dt><code>${command}</code></dt>
        <dd>${why}</dd>`,
  );
  return html`<section class="next" aria-labelledby="next">
    <h2 id="next">Next</h2>
    <dl>${lines}</dl>
  </section>`;
}

function tallies(summary: Summary): Html {
  return html`<section class="tallies" aria-label="The outcome in numbers">
    ${talliesOf(summary).map(card)}
  </section>`;
}

/** A card with a count. */
function card({ name, n, unit, tone, note }: Tally): Html {
  const shown = n === 0 ? 'idle' : tone;
  const of =
    unit === undefined || n === 0
      ? undefined
      : html` <small>${n === 1 ? unit : `${unit}s`}</small>`;
  return html`<div class="card ${n === 0 ? 'zero' : tone}">
    <h2>${sign(shown)}${name}</h2>
    <b>${n}${of}</b>
    <p>${note}</p>
  </div>`;
}
