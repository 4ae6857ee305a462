/** All commands of the engine, and their results. Decimals are texts. */
import type { businessTypes, ProductType, OrderCategory } from '../../exchange/api/vocabulary.ts';
import type {
  AccountKind,
  DeliveryStatus,
  Instrument,
  InstrumentCategory,
  MarginMode,
  PositionMode,
  WalletType,
  SelfTradeMode,
  Side,
  TimeInForce,
} from './instrument.ts';

export type BusinessType = (typeof businessTypes)[number];

export interface Settings {
  /**
   * The effect of a used clientOid: refused permanently, accepted, or refused for so many
   * milliseconds after the first.
   */
  readonly duplicateClientOid: 'reject' | 'accept' | number;
  /** How long an accepted order stays `new` before it is matched, in milliseconds. */
  readonly matchDelayMs: number;
}

interface Market {
  readonly category: InstrumentCategory;
  readonly symbol: string;
}

/** The fields of endpoint 6, and the account. */
export interface PlaceFields {
  readonly uid: string;
  readonly category: OrderCategory;
  readonly symbol: string;
  readonly side: Side;
  readonly orderType: 'limit' | 'market';
  readonly size: string;
  readonly price?: string | undefined;
  readonly force?: TimeInForce | undefined;
  readonly clientOid?: string | undefined;
  readonly stpMode?: SelfTradeMode | undefined;
  /**
   * The margin mode. Only on futures, like all fields below; default: `crossed` and the symbol's
   * coin.
   */
  readonly marginMode?: MarginMode | undefined;
  readonly marginCoin?: string | undefined;
  readonly tradeSide?: 'open' | 'close' | undefined;
  readonly reduceOnly?: 'YES' | 'NO' | undefined;
  readonly presetStopSurplusPrice?: string | undefined;
  readonly presetStopSurplusExecutePrice?: string | undefined;
  readonly presetStopLossPrice?: string | undefined;
  readonly presetStopLossExecutePrice?: string | undefined;
  /** Whether the clientOid of an order that is closed may be used again. */
  readonly reusesClientOid?: true | undefined;
  /** The only symbols a copy-trading leader's key may trade. */
  readonly leaderSymbols?: readonly string[] | undefined;
}

interface Commands {
  readonly configure: Partial<Settings>;
  readonly 'list-instrument': {
    readonly instrument: Instrument;
    /** The first mark and index price; absent on SPOT. */
    readonly price?: string;
  };
  readonly 'open-account': {
    readonly uid: string;
    readonly accountKind: AccountKind;
    readonly parent?: string;
    /** The position mode of each product type; default for omitted types: one-way. */
    readonly positionModes?: Readonly<Partial<Record<ProductType, PositionMode>>>;
  };
  /** Deposits money (or withdraws it, when negative), with a bill on the futures product lines. */
  readonly credit: {
    readonly uid: string;
    readonly walletType: WalletType;
    readonly coin: string;
    readonly amount: string;
    /**
     * The type of the bill; default: `trans_from_exchange` or, when negative, `trans_to_exchange`.
     */
    readonly businessType?: BusinessType;
  };
  /** Transfers money between two wallets of one or two accounts. */
  readonly transfer: {
    readonly uid: string;
    readonly from: WalletType;
    readonly to: WalletType;
    readonly coin: string;
    readonly amount: string;
    readonly toUid?: string;
  };
  readonly place: PlaceFields;
  readonly cancel: {
    readonly orderId: string;
    /** The account that must own the order. */
    readonly uid?: string;
  };
  readonly 'cancel-all': {
    readonly uid: string;
    readonly category?: OrderCategory;
    readonly symbol?: string;
  };
  /** Sets the position mode of all these product lines, or of none. */
  readonly 'set-position-mode': {
    readonly uid: string;
    readonly productTypes: readonly ProductType[];
    readonly positionMode: PositionMode;
  };
  /** Sets the leverage of one symbol, with or without a position. */
  readonly 'set-leverage': Market & { readonly uid: string; readonly leverage: string };
  /**
   * Endpoint 15: sets the leverage of every symbol of the product type with an open position, or of
   * none.
   */
  readonly 'set-all-leverage': {
    readonly uid: string;
    readonly productType: ProductType;
    readonly leverage: string;
  };
  /** Adds margin to an isolated position (or removes it, when negative). */
  readonly 'adjust-margin': Market & {
    readonly uid: string;
    /** The side of the position in hedge mode. */
    readonly holdSide?: 'long' | 'short';
    readonly amount: string;
  };
  /** Sets mark price, index price or both; triggers and liquidations follow immediately. */
  readonly 'set-price': Market & { readonly mark?: string; readonly index?: string };
  readonly 'set-funding-rate': Market & { readonly rate: string };
  readonly 'set-delivery-status': Market & { readonly status: DeliveryStatus };
  /** Settles every position at the index price now. */
  readonly deliver: Market;
  readonly 'fund-reserve': {
    readonly productType: ProductType;
    readonly coin: string;
    readonly amount: string;
  };
  /** Advances the time and settles due events, as every other command does first. */
  readonly advance: Readonly<Record<never, never>>;
}

interface Answers {
  /**
   * The ids of the placed order; without `orderId` after a reduce-only overflow (interface,
   * endpoint 6, rule 2).
   */
  readonly place: { readonly orderId?: string; readonly clientOid: string };
  /** The number of canceled orders. */
  readonly 'cancel-all': number;
  /** The number of symbols whose leverage changed. */
  readonly 'set-all-leverage': { readonly changed: number };
}

export type CommandKind = keyof Commands;

export type Command<K extends CommandKind = CommandKind> = {
  [P in K]: { readonly kind: P } & Commands[P];
}[K];

/** The result of a command; `undefined` for a command without a result. */
export type Answer<K extends CommandKind> = K extends keyof Answers ? Answers[K] : undefined;

/**
 * The reply to a command. A refused command has changed nothing; its code is in the error table of
 * the API.
 */
export type Reply<K extends CommandKind = CommandKind> =
  | { readonly kind: 'done'; readonly data: Answer<K> }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };
