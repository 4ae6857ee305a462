/** The top of the page: the destination, the outcome in one sentence, the four counts, the next command. */
import { plainText } from '../../base/text.ts';
import { allAccounts } from '../accounts.ts';
import { toneOf, type Tone } from '../blocks/block.ts';
import { runFacts } from '../blocks/facts.ts';
import { noDoubtWords } from '../sentences.ts';
import type { Summary } from '../summary.ts';
import { factList } from './draw.ts';
import { html, type Html } from './html.ts';
import { badge, sign } from './marks.ts';

export function bar(summary: Summary): Html {
  const { destination, playbook, run } = summary;
  const { target } = destination;
  return html`<div class="bar ${target}" role="banner">
    <div>
      <strong>${target === 'live' ? 'LIVE' : 'SANDBOX'}</strong>
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
  const { tally, done, refused, inDoubt, notSent } = summary;
  const noDoubt = noDoubtWords(summary).replace(/^none$/, 'nothing is in doubt');
  const of = (words: readonly string[], none: string): string => words.join(' · ') || none;
  const made = done.map(({ text }) => text);
  const bad = refused.map(({ what }) => what);
  const doubts = inDoubt.map(({ what }) => what);
  const left = notSent.map(({ text, detail }) => `${text}: ${detail}`);
  return html`<section class="tallies" aria-label="The outcome in numbers">
    ${card('good', 'Done', { n: tally.done, of: 'action' }, of(made, 'nothing'))}
    ${card('bad', 'Refused', { n: tally.refused, of: 'action' }, of(bad, 'nothing was refused'))}
    ${card('doubt', 'In doubt', { n: tally.inDoubt, of: 'write' }, of(doubts, noDoubt))}
    ${card('idle', 'Not sent', { n: tally.notSent }, of(left, 'nothing was left'))}
  </section>`;
}

const noteMax = 110; // characters below a count; the answers below have the rest

/**
 * A card with a count. @param of the unit of the count, if the name does not show it: a step may have many
 * actions
 */
function card(
  tone: Tone,
  name: string,
  { n, of }: { readonly n: number; readonly of?: string },
  note: string,
): Html {
  const is = n === 0 ? 'zero' : tone;
  return html`<div class="card ${is}">
    <h2>${sign(n === 0 ? 'idle' : tone)}${name}</h2>
    <b
      >${n}${of === undefined || n === 0 ? undefined : html` <small>${n === 1 ? of : `${of}s`}</small>`}</b
    >
    <p>${plainText(note, noteMax)}</p>
  </div>`;
}
