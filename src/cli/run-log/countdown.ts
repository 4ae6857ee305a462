/** One line below a log on a terminal, updated while the run waits for an order that may still arrive. */
import { second, type Clock } from '../../base/clock.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { lateOrders, type LateOrder } from '../../report/late-orders.ts';
import { breakLines } from '../../report/terminal/columns.ts';
import type { Channel } from '../../report/terminal/terminal.ts';

export interface Countdown {
  add(entry: Entry): void;
  draw(): void;
  /** Removes the line, before anything else is written. */
  clear(): void;
}

const columnsMin = 20; // also of a terminal that does not know its width
const eraseLine = '\r\u001B[2K';

/** Creates the countdown, which prints nothing where lines cannot be updated. */
export function countdown(channel: Channel, clock: Clock): Countdown {
  const { theme } = channel;
  const late = lateOrders();
  let waits: (LateOrder & { readonly address: string }) | undefined;
  let isDrawn = false;
  const clear = (): void => {
    if (isDrawn) channel.write(eraseLine);
    isDrawn = false;
  };
  return {
    add: (entry) => {
      const order = late.add(entry);
      const { address } = { address: '', ...entry };
      if (order !== undefined) waits = { ...order, address };
      else if (address === waits?.address || entry.kind === 'finished') waits = undefined;
    },
    draw: () => {
      clear();
      const left = Math.ceil(((waits?.until ?? 0) - clock.now()) / second);
      if (waits === undefined || left <= 0 || !theme.isLive) return;
      const [text = ''] = breakLines(
        `${waits.words}, ${left} s`,
        Math.max(columnsMin, theme.columns - 1),
      );
      channel.write(theme.paint('warn', text));
      isDrawn = true;
    },
    clear,
  };
}
