/** The model of the list of a run: lines of completed steps, and the steps in progress and to come. */
import type { Millis } from '../../base/clock.ts';
import { plainText } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { accountField, onAccounts } from '../../report/accounts.ts';
import { learnedWords, outlierWords, unlistedWords } from '../../report/assumptions.ts';
import { lateOrders } from '../../report/late-orders.ts';
import { stepOf } from '../../report/step-of.ts';
import { headerLine } from '../../report/terminal/header.ts';
import { readingProgress } from '../../report/terminal/reading.ts';
import { statusReader } from '../../report/terminal/status.ts';
import { stepText, widthsOf, type Widths } from '../../report/terminal/step-text.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import {
  follow,
  openStep,
  pendingRows,
  rowsOf,
  type OpenStep,
} from '../../report/terminal/window.ts';

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

const pendingMax = 5; // rows

export class ListModel {
  readonly #theme: Theme;
  readonly #statuses = statusReader();
  readonly #reading = readingProgress();
  readonly #late = lateOrders();
  readonly #open = new Map<string, OpenStep>();
  readonly #uses = new Map<string, string>();
  readonly #pending = new Map<string, { readonly id: string; readonly uses: string }>();
  /** Addresses of waits that ended after their step was closed. */
  readonly #waitedFor = new Set<string>();
  readonly #lines: string[] = [];
  #run = '';
  #widths: Widths = { id: 0, uses: 0 };

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  /** The step that the window shows. */
  get current(): OpenStep | undefined {
    const [step] = this.#open.values();
    return step;
  }

  /** Lines that were not returned before. */
  takeLines(): readonly string[] {
    return this.#lines.splice(0);
  }

  /** The rows of a window: the step, and those that have not started. */
  rows(step: OpenStep, room: number, now: Millis): string[] {
    const rows = rowsOf(step, this.#theme, room, now);
    const left = Math.min(pendingMax, room - rows.length);
    return [...rows, ...pendingRows([...this.#pending.values()], this.#theme, left)];
  }

  say(line: string): void {
    this.#lines.push(line);
  }

  /** Takes an entry of an earlier attempt, of which only the start is shown. */
  recall(entry: Entry): void {
    this.#statuses.add(entry);
    this.#reading.add(entry);
    this.#late.add(entry);
    if (entry.kind === 'started') this.#start(entry);
  }

  add(entry: Entry): void {
    this.#statuses.add(entry);
    const progress = this.#reading.add(entry);
    const order = this.#late.add(entry);
    switch (entry.kind) {
      case 'started':
        return this.#start(entry);
      case 'opened': {
        const { step } = entry;
        this.#pending.delete(step);
        const uses = this.#uses.get(step) ?? '';
        this.#open.set(step, openStep(entry, uses, this.#statuses.accounts));
        return;
      }
      case 'unmet': {
        const mark = this.#theme.sign('warn');
        return this.say(`${mark} ${this.#placed(entry.address)}: ${plainText(entry.message)}`);
      }
      case 'closed':
        return this.#close(entry);
      case 'visibility':
        return this.#learn(entry);
      case 'clock-outlier':
        return this.#warn(`${this.#placed(entry.address)}: ${outlierWords(entry.ms)}`);
      default: {
        if (!('address' in entry)) return;
        const step = this.#open.get(stepOf(entry.address, (id) => this.#open.has(id)));
        if (step === undefined) {
          if (entry.kind === 'waited') this.#checkAfterEnd(entry.address);
          return;
        }
        follow(step, entry, order);
        if (progress) step.running.set(entry.address, { before: progress.text });
      }
    }
  }

  #start(entry: EntryOf<'started'>): void {
    this.#run = entry.run;
    this.#widths = widthsOf(entry.steps);
    for (const step of entry.steps) {
      this.#uses.set(step.id, step.uses);
      this.#pending.set(step.id, step);
    }
    this.#lines.push(headerLine(entry, this.#theme), '');
  }

  #close({ step }: EntryOf<'closed'>): void {
    this.#open.delete(step);
    this.#pending.delete(step);
    const line = this.#statuses.step(step);
    if (line !== undefined) this.#lines.push(...stepText(line, this.#widths, this.#theme));
  }

  #learn(entry: EntryOf<'visibility'>): void {
    const { profile, orders, line } = entry;
    if (orders === 'unlisted') this.#warn(unlistedWords(profile, [line]));
    else if (entry.order.run !== this.#run) return; // already known
    this.say(this.#theme.paint('faint', `  ${plainText(profile, 60)}: ${learnedWords(entry)}`));
  }

  /** Adds a line for a write of a closed step that is still looked for in the lists. */
  #checkAfterEnd(address: string): void {
    if (this.#waitedFor.has(address)) return;
    this.#waitedFor.add(address);
    const { glyphs, paint } = this.#theme;
    const text = `${this.#placed(address)} is done; checking whether the lists show it`;
    this.say(paint('faint', `${glyphs.dots} ${text}`));
  }

  #warn(text: string): void {
    this.say(this.#theme.paint('warn', `! ${text}`));
  }

  /** An address in words, with its account. */
  #placed(address: string): string {
    const account = accountField(this.#statuses.accounts.of(address));
    return `${plainText(address, 80)}${onAccounts([account])}`;
  }
}
