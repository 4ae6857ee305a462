/** The account of each action of a run that has several; of a run with one account none is named. */
import type { Address, Entry } from '../engine/journal/entry.ts';
import { stepOf } from './step-of.ts';

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

/** The accounts of actions, learned from the entries of a journal in their order. */
export class ActionAccounts {
  readonly #steps = new Set<string>();
  readonly #ofStep = new Map<string, string>();
  readonly #ofAction = new Map<Address, string>();
  readonly #ofFile = new Map<string, string>();

  add(entry: Entry): void {
    switch (entry.kind) {
      case 'started':
        for (const { id, accounts = [] } of entry.steps) {
          if (accounts.length === 1) this.#note(this.#ofStep, id, accounts[0]);
        }
        return undefined;
      case 'opened':
        return this.#open(entry);
      case 'intended':
        return this.#note(this.#ofAction, entry.address, entry.account);
      case 'reading':
        return this.#note(this.#ofFile, entry.file, this.of(entry.address));
      default:
    }
  }

  /** The account of an action. @param address a step, or one item of it */
  of(address: Address): string | undefined {
    return (
      this.#ofAction.get(address) ?? this.#ofStep.get(stepOf(address, (id) => this.#steps.has(id)))
    );
  }

  /** The account of the step, action or file that an entry is about. */
  named(entry: Entry): string | undefined {
    if (entry.kind === 'wrote') return this.#ofFile.get(entry.file) ?? this.of(entry.step);
    if ('address' in entry) return this.of(entry.address);
    return 'step' in entry ? this.of(entry.step) : undefined;
  }

  #open({ step, items, accounts = [], writes = [] }: EntryOf<'opened'>): void {
    this.#steps.add(step);
    if (accounts.length > 0) this.#ofStep.delete(step); // as planned, also without items
    const [first] = accounts;
    if (accounts.length === 1) this.#note(this.#ofStep, step, first);
    else
      for (const [at, key] of (items ?? []).entries()) {
        this.#note(this.#ofAction, `${step}[${key}]`, accounts[at]);
      }
    for (const { address, account } of writes) this.#note(this.#ofAction, address, account);
  }

  #note(known: Map<string, string>, name: string, account: string | undefined): void {
    if (account !== undefined && account !== '') known.set(name, account);
  }
}
