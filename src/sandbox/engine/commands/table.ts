/** The function of each command: a missing one does not compile. */
import type { Answer, Command, CommandKind } from '../command.ts';
import type { State } from '../model/state.ts';
import { cancel, cancelAll } from '../trade/cancel.ts';
import { place } from '../trade/place-order.ts';
import { credit, openAccount, setPositionMode, transfer } from './account-commands.ts';
import { adjustMargin, setAllLeverage, setLeverage } from './leverage.ts';
import { listInstrument } from './list-instrument.ts';
import { deliverNow, fundReserve, setDeliveryStatus, setFundingRate, setPrice } from './prices.ts';

type Table = {
  readonly [K in CommandKind]: (state: State, command: Command<K>) => Answer<K>;
};

/** The functions of all commands. Each throws a Refusal before it changes anything. */
export const commandTable: Table = {
  configure: (state, { kind: _kind, ...settings }) => {
    state.settings = { ...state.settings, ...settings };
    return undefined;
  },
  'list-instrument': listInstrument,
  'open-account': openAccount,
  credit,
  transfer,
  place,
  cancel,
  'cancel-all': cancelAll,
  'set-position-mode': setPositionMode,
  'set-leverage': setLeverage,
  'set-all-leverage': setAllLeverage,
  'adjust-margin': adjustMargin,
  'set-price': setPrice,
  'set-funding-rate': setFundingRate,
  'set-delivery-status': setDeliveryStatus,
  deliver: deliverNow,
  'fund-reserve': fundReserve,
  advance: () => undefined,
};
