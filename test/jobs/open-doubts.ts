/** The doubts of a run that stopped: every screen names them, and a person settles them, gives them up, or leaves them. */
import { doubtsIn, flat } from './advice.ts';
import { jobFile } from './compose.ts';
import { said } from './killed.ts';
import { addressOf, rowAt, rowsOf } from './wanted.ts';
import type { Work } from './work.ts';

export interface Settled {
  /** The number of doubts that are left. */
  readonly left: number;
  /** The items, or steps, that a person abandoned. */
  readonly abandoned: readonly string[];
}

export async function settle(work: Work, run: string): Promise<Settled> {
  const shown = await work.type(['runs', 'show', run]);
  const abandoned: string[] = [];
  let left = 0;
  for (const address of doubtsIn(shown, run)) {
    const row = rowAt(work.begun, address, work.choice);
    const order = work.scene.world.orders().find(({ price }) => price === row?.price);
    const found = order === undefined ? ['--absent'] : ['--placed', order.orderId];
    const isAbandoned = work.chance(50);
    if (work.chance(25)) left += 1;
    else {
      const words = ['resolve', run, address, ...(isAbandoned ? ['--abandon'] : found)];
      work.told.push(`  $ ${words.join(' ')} of ${row?.price}`);
      if (isAbandoned) abandoned.push(itemOf(address));
      await said(words, work.scene.desk);
    }
  }
  return { left, abandoned };
}

/** @param price that of the order which nobody found out about */
export async function checkNamed(
  work: Work,
  run: string,
  price: string | undefined,
  isAside: boolean,
): Promise<void> {
  const { desk } = work.scene;
  const row = rowsOf(work.begun).find((one) => one.price === price);
  const part = work.begun.parts.find(({ rows }) => row !== undefined && rows.includes(row));
  if (row === undefined || part === undefined) return;
  const address = addressOf(part, row, work.choice);
  const shown = await desk.type(['runs', 'show', run]);
  if (!flat(shown).includes(address)) work.note(`${address} is in doubt, and unnamed`, shown);
  const doctor = await desk.type(['doctor']);
  const words = isAside ? String.raw`was set aside with \d+ writes? in doubt` : 'is in doubt';
  if (!new RegExp(String.raw`${run} \(job\) ${words}`).test(flat(doctor)))
    work.note(`doctor does not name the doubt of ${run}`, doctor);
  if (isAside) return;
  const plan = await work.typeOn(['plan', jobFile]);
  if (!flat(plan).includes(address)) work.note(`a plan does not name the doubt ${address}`, plan);
}

/** The item or the step of an address in a playbook that it uses. */
function itemOf(address: string): string {
  const end = address.lastIndexOf('/place');
  return end === -1 ? address : address.slice(0, end);
}
