/** The provenance of the page: digests, programs, the journal, the playbook, the machine-readable form. */
import { plainText } from '../../base/text.ts';
import type { Approval } from '../../journal/entry.ts';
import type { Assumption } from '../assumptions.ts';
import { showCommand, type Fact, type Inline } from '../blocks/block.ts';
import { guardFacts } from '../blocks/facts.ts';
import type { Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { moment } from '../words.ts';
import { definitions, folded, panel } from './draw.ts';
import { html, newline, type Html } from './html.ts';

export interface Printing {
  /** The program that creates the page: `deskhand 0.1.0`. */
  readonly program: string;
  /** Digest of that program's API. */
  readonly contract?: string;
}

export function provenance(story: Story, summary: Summary, printing: Printing): Html {
  const facts = definitions(factsOf(story, summary, printing));
  return html`${panel('from', 'Provenance', facts)}
  ${playbookPanel(story.started.playbook.text)}${machinePanel(summary)}`;
}

function factsOf(story: Story, summary: Summary, printing: Printing): Fact[] {
  const { started, head } = story;
  const { destination, program, run, exit, playbook } = summary;
  const { target, profile, host, keyFingerprint, accountId } = destination;
  const digest = (value: string): Inline => ({ code: `sha256 ${plainText(value, 64)}` });
  const where = `${target}, profile ${plainText(profile, 60)}, ${plainText(host, 100)}`;
  const ending = exit === undefined ? 'not finished' : `exit code ${exit}`;
  const facts: Fact[] = [
    ['Playbook', [playbook.file, ' ', digest(started.playbook.digest)]],
    ['Destination', where],
    ['Time of the run', `${moment(started.time)} UTC, by the exchange’s clock`],
    ['Run by', program],
    ['Page by', plainText(printing.program, 80)],
    ['Journal', [{ code: run }, `, ${head} entries, ${ending}`]],
  ];
  facts.splice(1, 0, ...basis(story, summary));
  if (accountId !== undefined) facts.push(['Account', plainText(accountId, 100)]);
  if (keyFingerprint !== undefined)
    facts.push(['Key', `fingerprint ${plainText(keyFingerprint, 16)}`]);
  for (const { profile, assumptions } of summary.bases) {
    const name = summary.bases.length === 1 ? 'Assumptions' : `Rests on, ${profile}`;
    facts.push([name, { lines: assumptions.map(assumptionWords) }]);
  }
  facts.push(...guardFacts(summary));
  if (printing.contract !== undefined) facts.push(['Contract', digest(printing.contract)]);
  return facts;
}

function basis({ started }: Story, { plan, commit, scheduledFor }: Summary): Fact[] {
  const facts: Fact[] = [];
  if (plan !== undefined) facts.push(['Plan', { code: plan }]);
  if (started.approvals !== undefined) {
    facts.push(['Approved by', { lines: started.approvals.map(approvalWords) }]);
  }
  if (commit !== undefined) facts.push(['Commit', { code: commit }]);
  if (scheduledFor !== undefined) facts.push(['Scheduled for', `${moment(scheduledFor)} UTC`]);
  return facts;
}

function approvalWords({ who, key, at }: Approval): Inline {
  return [`${plainText(who, 100)}, ${moment(at)} UTC, `, { code: plainText(key, 80) }];
}

function assumptionWords({ number, statement, state, because }: Assumption): Inline {
  return [`A${number} ${statement}: `, { strong: stateWords[state] }, `, ${because}`];
}

const stateWords = {
  assumed: 'assumed',
  proved: 'proved',
  open: 'not verified',
  refuted: 'NOT so',
};

function playbookPanel(text: string): Html {
  const lines = text.replace(/\n$/, '').split(/\r?\n/);
  const width = String(lines.length).length;
  const numbered = lines.map(
    (line, index) =>
      html`<span class="no">${String(index + 1).padStart(width)}</span> ${line}${newline}`,
  );
  const title = html`Playbook as it was run <small>${lines.length} lines</small>`;
  return folded(title, html`<pre class="code" tabindex="0">${numbered}</pre>`);
}

const machineMax = 512 * 1024; // characters; above it the long lists are omitted

function machinePanel(summary: Summary): Html {
  const whole = JSON.stringify({ version: 1, summary }, undefined, 1);
  const isShort = whole.length > machineMax;
  const text = isShort
    ? JSON.stringify({ version: 1, summary: shortOf(summary) }, undefined, 1)
    : whole;
  const lines = text.split('\n').map((line) => html`${line}${newline}`);
  const command = html`; without orders and steps: <code>${showCommand(summary.run)}</code>`;
  const title = html`JSON form <small>JSON${isShort ? command : undefined}</small>`;
  return folded(title, html`<pre class="code" tabindex="0" id="machine">${lines}</pre>`);
}

/** Its size does not depend on the number of items. */
function shortOf(summary: Summary): Partial<Summary> {
  const { orders: _orders, steps: _steps, refused, inDoubt, ...short } = summary;
  return { ...short, refused: refused.slice(0, listMax), inDoubt: inDoubt.slice(0, listMax) };
}

const listMax = 100; // refusals and writes in doubt
