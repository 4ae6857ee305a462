/** The top of the page: where it ran, how it ended in one sentence, the four tallies, what next. */
import { count, plainText, spoken } from '../../base/text.ts';
import type { Group } from '../achievements.ts';
import type { Summary } from '../summary.ts';
import { moment } from '../words.ts';
import { html, type Content, type Html } from './html.ts';
import { badge, sign, toneOf, type Tone } from './marks.ts';

export function bar({ destination, playbook, run }: Summary): Html {
  const { target, profile } = destination;
  return html`<div class="bar ${target}">
    <div>
      <strong>${target === 'live' ? 'LIVE' : 'SANDBOX'}</strong>
      <span>${plainText(profile, 60)}</span>
      <span class="far">${playbook.name} <code>${run}</code></span>
    </div>
  </div>`;
}

export function head(summary: Summary): Html {
  const { playbook, run, headline, status, lead, rest } = summary;
  return html`<header>
      <div class="title">
        <h1>${playbook.name}</h1>
        ${badge(toneOf(status), headline)}<code class="dim">${run}</code>
      </div>
      ${facts(summary)}
      <p class="lead"><strong>${lead}</strong> ${rest}</p>
      ${nextSteps(summary)}
    </header>
    ${tallies(summary)}`;
}

function facts(summary: Summary): Html {
  const { destination, plan, startedAt, tookMs, requests, retries, longestWait } = summary;
  const sent =
    retries === 0
      ? count(requests, 'request')
      : `${count(requests, 'request')}, ${count(retries, 'retry', 'retries')}`;
  return html`<ul class="facts">
    ${fact('account', plainText(destination.profile, 60))}
    ${destination.target === 'live' ? fact('host', plainText(destination.host, 100)) : undefined}
    ${plan === undefined ? undefined : fact('plan', html`<code>${shortened(plan)}</code>`)}
    ${fact('started', `${moment(startedAt)} UTC`)} ${fact('took', spoken(tookMs))}
    ${fact('sent', sent)}
    ${longestWait === undefined ? undefined : fact('longest wait', `${spoken(longestWait.ms)} ${longestWait.why}`)}
  </ul>`;
}

function fact(name: string, value: Content): Html {
  return html`<li>${name} <b>${value}</b></li>`;
}

/** A long digest as its first characters; a short name as it is. */
export function shortened(name: string): string {
  return name.length > 20 ? `${name.slice(0, 12)}…` : name;
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

function tallies({ tally, done, refused, inDoubt, notSent }: Summary): Html {
  return html`<section class="tallies" aria-label="The outcome in numbers">
    ${card('good', 'Done', tally.done, groupWords(done) || 'nothing')}
    ${card('bad', 'Refused or failed', tally.refused, refused.map(({ what }) => what).join(' · ') || 'nothing was refused')}
    ${card('doubt', 'In doubt', tally.inDoubt, inDoubt.map(({ what }) => what).join(' · ') || 'every request got an answer')}
    ${card('idle', 'Not sent', tally.notSent, notSent.map(({ text, detail }) => `${text}: ${detail}`).join(' · ') || 'nothing was left')}
  </section>`;
}

function groupWords(groups: readonly Group[]): string {
  return groups.map(({ text }) => text).join(' · ');
}

const noteMax = 110; // characters under a tally; the answers below have the rest

function card(tone: Tone, name: string, n: number, note: string): Html {
  const is = n === 0 ? 'zero' : tone;
  return html`<div class="card ${is}">
    <h2>${sign(n === 0 ? 'idle' : tone)}${name}</h2>
    <b>${n}</b>
    <p>${plainText(note, noteMax)}</p>
  </div>`;
}
