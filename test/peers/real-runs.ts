/** One desk with real runs, whose pages many checks of a test open one after the other. */
import { expect } from 'vitest';
import { deskhand } from '../cli/deskhand.ts';

/** Types a command in a folder, and requires its exit code. @returns what it printed */
export type At = (exit: number, ...words: readonly string[]) => Promise<string>;

export function commandsIn(cwd: string): At {
  return async (exit, ...words) => {
    const { code, stdout, stderr } = await deskhand(words, { cwd });
    expect([words, code, code === exit ? '' : stderr + stdout]).toEqual([words, exit, '']);
    return stdout;
  };
}

/** The newest run of each playbook. */
export async function runsByPlaybook(at: At): Promise<Map<string, string>> {
  const { runs } = JSON.parse(await at(0, 'runs', 'list', '-o', 'json')) as {
    readonly runs: readonly { readonly run: string; readonly playbook: string }[];
  };
  return new Map(runs.toReversed().map(({ run, playbook }) => [playbook, run]));
}

/** Checks that share the desk, because its runs take long; each is executed, whatever the others find. */
export class Checks {
  readonly #all: (readonly [name: string, work: () => Promise<void>])[] = [];

  readonly add = (name: string, work: () => Promise<void>): void => {
    this.#all.push([name, work]);
  };

  /** @param before what is done before each */
  async pass(before: () => Promise<void> = async () => undefined): Promise<void> {
    const failed: string[] = [];
    for (const [name, work] of this.#all) {
      await before();
      await work().catch((error: unknown) => failed.push(`${name}: ${String(error)}`));
    }
    expect(failed).toEqual([]);
  }
}
