/** The top of the page: the destination, the outcome in one sentence, the four counts, the next command. */
import { count, listed, plainText, spoken } from '../../base/text.ts';
import { noDoubtWords } from '../sentences.ts';
import type { Summary } from '../summary.ts';
import { moment } from '../words.ts';
import { html, type Content, type Html } from './html.ts';
import { badge, sign, toneOf, type Tone } from './marks.ts';

export function bar({ destination, playbook, run }: Summary): Html {
  const { target, profile } = destination;
  return html`<div class="bar ${target}" role="banner">
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

function facts({ destination, startedAt, tookMs, ...summary }: Summary): Html {
  const { requests, retries, longestWait } = summary;
  const sent = [count(requests, 'request')];
  if (retries > 0) sent.push(count(retries, 'retry', 'retries'));
  const { attempts } = summary;
  const took = attempts === 1 ? spoken(tookMs) : `${spoken(tookMs)} in ${attempts} sessions`;
  const known: (readonly [string, Content])[] = [['account', plainText(destination.profile, 60)]];
  if (destination.target === 'live') known.push(['host', plainText(destination.host, 100)]);
  known.push(...basis(summary));
  known.push(['started', `${moment(startedAt)} UTC`], ['took', took]);
  known.push(['sent', sent.join(', ')]);
  if (longestWait) known.push(['longest wait', `${spoken(longestWait.ms)} ${longestWait.why}`]);
  return html`<ul class="facts">
    ${known.map(([name, value]) => html`<li>${name} <b>${value}</b></li>`)}
  </ul>`;
}

/** The plan the run is based on, if any. */
function basis({
  plan,
  approvedBy,
  commit,
  scheduledFor,
}: Pick<Summary, 'plan' | 'approvedBy' | 'commit' | 'scheduledFor'>): [string, Content][] {
  const known: [string, Content][] = [];
  if (plan !== undefined) known.push(['plan', html`<code>${shortened(plan)}</code>`]);
  if (approvedBy !== undefined) known.push(['approved by', listed(approvedBy)]);
  if (commit !== undefined) known.push(['commit', html`<code>${shortened(commit)}</code>`]);
  if (scheduledFor !== undefined) known.push(['scheduled for', `${moment(scheduledFor)} UTC`]);
  return known;
}

/** A long digest as its first characters; a short name in full. */
function shortened(name: string): string {
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

function tallies(summary: Summary): Html {
  const { tally, done, refused, inDoubt, notSent } = summary;
  const noDoubt = noDoubtWords(summary).replace(/^none$/, 'nothing is in doubt');
  const left = notSent.map(({ text, detail }) => `${text}: ${detail}`);
  return html`<section class="tallies" aria-label="The outcome in numbers">
    ${card('good', 'Done', { n: tally.done, of: 'action' }, texts(done) || 'nothing')}
    ${card('bad', 'Refused', { n: tally.refused, of: 'action' }, whats(refused) || noRefusal)}
    ${card('doubt', 'In doubt', { n: tally.inDoubt, of: 'write' }, whats(inDoubt) || noDoubt)}
    ${card('idle', 'Not sent', { n: tally.notSent }, joined(left) || 'nothing was left')}
  </section>`;
}

function whats(items: readonly { readonly what: string }[]): string {
  return joined(items.map(({ what }) => what));
}

function texts(groups: readonly { readonly text: string }[]): string {
  return joined(groups.map(({ text }) => text));
}

function joined(words: readonly string[]): string {
  return words.join(' · ');
}

const noRefusal = 'nothing was refused';
const noteMax = 110; // characters below a count; the answers below have the rest

/** @param of the unit of the count, if the name does not show it: a step may have many actions */
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
