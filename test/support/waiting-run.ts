/** Runs of the command line that wait for an approval, in a repository whose playbook Ann wrote. */
import { once } from 'node:events';
import { begin, folderWith } from '../cli/deskhand.ts';
import { limitOrder } from './order.ts';
import { commitByAnnForPipeline } from './repository.ts';

/** A playbook that asks before it places an order. @param fields of its `approve` step */
export function gatedPlaybook(fields = 'for: 10m'): string {
  return `playbook: 1
name: gated
account: main
steps:
  - id: market
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs: { price: "{{ floorTo (mul response.0.lastPrice 0.9) 0.1 }}" }
  - id: consent
    uses: approve
    with: { text: "A bid at {{ steps.market.outputs.price }}?", ${fields} }
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '{{ steps.market.outputs.price }}', size: '0.010' })}
`;
}

/** A repository with files that Ann committed; a pipeline runs its playbooks. */
export function annsRepository(files: Readonly<Record<string, string>>): string {
  const cwd = folderWith({ ...files });
  commitByAnnForPipeline(cwd);
  return cwd;
}

export interface WaitingRun {
  readonly run: string;
  readonly output: () => string;
  readonly kill: () => Promise<void>;
  readonly ended: Promise<number | null>;
}

/** Starts a command, and returns when its run waits for an approval. */
export async function waitingRun(
  cwd: string,
  words: readonly string[],
  env = {},
): Promise<WaitingRun> {
  const child = begin(words, { cwd, env });
  let text = '';
  const take = (chunk: Buffer): void => void (text += chunk.toString());
  child.stdout.on('data', take);
  const ended = once(child, 'close').then(([code]) => Number(code));
  const run = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      take(chunk);
      const [, found] = /: deskhand approve (r-\S+) consent/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then((code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { run, output: () => text, kill, ended };
}
