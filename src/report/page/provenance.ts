/** The provenance of the page: digests, programs, the journal, the playbook, the machine-readable form. */
import { plainText, shellWord } from '../../base/text.ts';
import type { Approval } from '../../journal/entry.ts';
import type { Assumption } from '../assumptions.ts';
import type { Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { moment } from '../words.ts';
import { html, newline, type Content, type Html } from './html.ts';

export interface Printing {
  /** The program that creates the page: `deskhand 0.1.0`. */
  readonly program: string;
  /** Digest of that program's API. */
  readonly contract?: string;
}

export function provenance(story: Story, summary: Summary, printing: Printing): Html {
  return html`<section class="panel" aria-labelledby="from">
      <h2 id="from">Provenance</h2>
      <dl class="from">${factsOf(story, summary, printing).map(fact)}</dl>
    </section>
    ${playbookPanel(story.started.playbook.text)}${machinePanel(summary)}`;
}

export type Fact = readonly [name: string, value: Content];

function factsOf(story: Story, summary: Summary, printing: Printing): Fact[] {
  const { started, head } = story;
  const { destination, program, run, exit, playbook } = summary;
  const { target, profile, host, keyFingerprint, accountId } = destination;
  const digest = (value: string): Html => html`<code>sha256 ${plainText(value, 64)}</code>`;
  const where = `${target}, profile ${plainText(profile, 60)}, ${plainText(host, 100)}`;
  const ending = exit === undefined ? 'not finished' : `exit code ${exit}`;
  const facts: Fact[] = [
    ['Playbook', html`${playbook.file} ${digest(started.playbook.digest)}`],
    ['Destination', where],
    ['Time of the run', `${moment(started.time)} UTC, by the exchange’s clock`],
    ['Run by', program],
    ['Page by', plainText(printing.program, 80)],
    ['Journal', html`<code>${run}</code>, ${head} entries, ${ending}`],
  ];
  facts.splice(1, 0, ...basis(story, summary));
  if (accountId !== undefined) facts.push(['Account', plainText(accountId, 100)]);
  if (keyFingerprint !== undefined)
    facts.push(['Key', `fingerprint ${plainText(keyFingerprint, 16)}`]);
  for (const { profile, assumptions } of summary.bases) {
    const name = summary.bases.length === 1 ? 'Assumptions' : `Rests on, ${profile}`;
    facts.push([name, html`${assumptions.map(assumptionWords)}`]);
  }
  if (summary.guards.length > 0) facts.push(['Guards', html`${summary.guards.map(guardWords)}`]);
  if (printing.contract !== undefined) facts.push(['Contract', digest(printing.contract)]);
  return facts;
}

function basis({ started }: Story, { plan, commit, scheduledFor }: Summary): Fact[] {
  const facts: Fact[] = [];
  if (plan !== undefined) facts.push(['Plan', html`<code>${plan}</code>`]);
  if (started.approvals !== undefined) {
    facts.push(['Approved by', html`${started.approvals.map(approvalWords)}`]);
  }
  if (commit !== undefined) facts.push(['Commit', html`<code>${commit}</code>`]);
  if (scheduledFor !== undefined) facts.push(['Scheduled for', `${moment(scheduledFor)} UTC`]);
  return facts;
}

function approvalWords({ who, key, at }: Approval): Html {
  const signed = `${plainText(who, 100)}, ${moment(at)} UTC`;
  return html`${signed}, <code>${plainText(key, 80)}</code><br />`;
}

/** The usage of a limit, on its own line. */
function guardWords({ guard, used, limit, isKept }: Summary['guards'][number]): Html {
  return html`${isKept ? '' : 'not kept: '}${guard} ${used || 'none'} of ${limit}<br />`;
}

function assumptionWords({ number, statement, state, because }: Assumption): Html {
  return html`A${number} ${statement}: <b>${stateWords[state]}</b>, ${because}<br />`;
}

const stateWords = {
  assumed: 'assumed',
  proved: 'proved',
  open: 'not verified',
  refuted: 'NOT so',
};

export function fact([name, value]: Fact): Html {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

function playbookPanel(text: string): Html {
  const lines = text.replace(/\n$/, '').split(/\r?\n/);
  const width = String(lines.length).length;
  const numbered = lines.map(
    (line, index) =>
      html`<span class="no">${String(index + 1).padStart(width)}</span> ${line}${newline}`,
  );
  return html`<section class="panel">
    <details>
      <summary>
        <h2>Playbook as it was run <small>${lines.length} lines</small></h2>
      </summary>
      <pre class="code" tabindex="0">${numbered}</pre>
    </details>
  </section>`;
}

const machineMax = 512 * 1024; // characters; above it the long lists are omitted

function machinePanel(summary: Summary): Html {
  const whole = JSON.stringify({ version: 1, summary }, undefined, 1);
  const isShort = whole.length > machineMax;
  const text = isShort
    ? JSON.stringify({ version: 1, summary: shortOf(summary) }, undefined, 1)
    : whole;
  const lines = text.split('\n').map((line) => html`${line}${newline}`);
  const command = html`; without orders and steps:
    <code>deskhand runs show ${shellWord(summary.run)}</code>`;
  return html`<section class="panel">
    <details>
      <summary>
        <h2>JSON form <small>JSON${isShort ? command : undefined}</small></h2>
      </summary>
      <pre class="code" tabindex="0" id="machine">${lines}</pre>
    </details>
  </section>`;
}

/** Its size does not depend on the number of items. */
function shortOf(summary: Summary): Partial<Summary> {
  const { orders: _orders, steps: _steps, refused, inDoubt, ...short } = summary;
  return { ...short, refused: refused.slice(0, listMax), inDoubt: inDoubt.slice(0, listMax) };
}

const listMax = 100; // refusals and writes in doubt
