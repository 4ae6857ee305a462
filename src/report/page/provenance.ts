/** Where the page comes from: digests, programs, the journal; the playbook and machine form folded. */
import { plainText } from '../../base/text.ts';
import type { Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { moment } from '../words.ts';
import { html, type Content, type Html } from './html.ts';

export interface Printing {
  /** The program that prints the page: `deskhand 0.1.0`. */
  readonly program: string;
  /** Digest of the contract that program holds. */
  readonly contract?: string;
}

export function provenance(story: Story, summary: Summary, printing: Printing): Html {
  const { started, head } = story;
  const { destination, plan, program, run, exit } = summary;
  const key = destination.keyFingerprint;
  return html`<section class="panel" aria-labelledby="from">
      <h2 id="from">Provenance</h2>
      <dl class="from">
        ${fact('Playbook', html`${summary.playbook.file} <code>sha256 ${plainText(started.playbook.digest, 64)}</code>`)}
        ${plan === undefined ? undefined : fact('Plan', html`<code>${plan}</code>`)}
        ${fact('Destination', `${destination.target}, profile ${plainText(destination.profile, 60)}, ${plainText(destination.host, 100)}`)}
        ${key === undefined ? undefined : fact('Key', html`<code>${plainText(key, 16)}…</code> (fingerprint)`)}
        ${fact('Time of the run', `${moment(started.time)} UTC, by the exchange’s clock`)}
        ${fact('Run by', program)} ${fact('Page by', plainText(printing.program, 80))}
        ${printing.contract === undefined ? undefined : fact('Contract', html`<code>sha256 ${plainText(printing.contract, 64)}</code>`)}
        ${fact('Journal', html`<code>${run}</code>, ${head} entries${exit === undefined ? '' : `, exit code ${exit}`}`)}
      </dl>
    </section>
    ${playbookPanel(started.playbook.text)} ${machinePanel(summary)}`;
}

function fact(name: string, value: Content): Html {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

function playbookPanel(text: string): Html {
  const lines = text.replace(/\n$/, '').split(/\r?\n/);
  const width = String(lines.length).length;
  const numbered = lines.map(
    (line, index) => html`<span class="no">${String(index + 1).padStart(width)}</span> ${line} `,
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

function machinePanel(summary: Summary): Html {
  const text = JSON.stringify({ version: 1, summary }, undefined, 1);
  const lines = text.split('\n').map((line) => html`${line} `);
  return html`<section class="panel">
    <details>
      <summary>
        <h2>Machine form <small>JSON</small></h2>
      </summary>
      <pre class="code" tabindex="0" id="machine">${lines}</pre>
    </details>
  </section>`;
}
