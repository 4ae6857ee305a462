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
  /** Futures only, like all below; default: `crossed` and the symbol's coin. */
  readonly marginMode?: MarginMode | undefined;
  readonly marginCoin?: string | undefined;
  readonly tradeSide?: 'open' | 'close' | undefined;
  readonly reduceOnly?: 'YES' | 'NO' | undefined;
  readonly presetStopSurplusPrice?: string | undefined;
  readonly presetStopSurplusExecutePrice?: string | undefined;
  readonly presetStopLossPrice?: string | undefined;
  readonly presetStopLossExecutePrice?: string | undefined;
  /** The only symbols a copy-trading leader's key may trade. */
  readonly leaderSymbols?: readonly string[] | undefined;
}

interface Commands {
  readonly configure: Partial<Settings>;
  readonly 'list-instrument': {
    readonly instrument: Instrument;
    /** First mark and index price; not on SPOT. */
    readonly price?: string;
  };
  readonly 'open-account': {
    readonly uid: string;
    readonly accountKind: AccountKind;
    readonly parent?: string;
    /** Default for other product types: one-way. */
    readonly positionModes?: Readonly<Partial<Record<ProductType, PositionMode>>>;
  };
  /** A deposit (or withdrawal, when negative), with a bill on the futures product lines. */
  readonly credit: {
    readonly uid: string;
    readonly walletType: WalletType;
    readonly coin: string;
    readonly amount: string;
    /** `trans_from_exchange` or, when negative, `trans_to_exchange`. */
    readonly businessType?: BusinessType;
  };
  /** Between two wallets of one or two accounts. */
  readonly transfer: {
    readonly uid: string;
    readonly from: WalletType;
    readonly to: WalletType;
    readonly coin: string;
    readonly amount: string;
    readonly toUid?: string;
  };
  readonly place: PlaceFields;
  readonly cancel: { readonly orderId: string; /** Whose it must be. */ readonly uid?: string };
  readonly 'cancel-all': {
    readonly uid: string;
    readonly category?: OrderCategory;
    readonly symbol?: string;
  };
  /** Applies to all of these product lines, or to none. */
  readonly 'set-position-mode': {
    readonly uid: string;
    readonly productTypes: readonly ProductType[];
    readonly positionMode: PositionMode;
  };
  /** For one symbol, with or without a position. */
  readonly 'set-leverage': Market & { readonly uid: string; readonly leverage: string };
  /** Endpoint 15: every symbol of the product type with an open position, all or none. */
  readonly 'set-all-leverage': {
    readonly uid: string;
    readonly productType: ProductType;
    readonly leverage: string;
  };
  /** Adds to (or removes from, when negative) the margin of an isolated position. */
  readonly 'adjust-margin': Market & {
    readonly uid: string;
    /** Which position in hedge mode. */
    readonly holdSide?: 'long' | 'short';
    readonly amount: string;
  };
  /** Mark price, index price or both; triggers and liquidations follow immediately. */
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
  /** Only advances the time and settles due events, as every other command does first. */
  readonly advance: Readonly<Record<never, never>>;
}

interface Answers {
  /** No `orderId` after a reduce-only overflow (interface, endpoint 6, rule 2). */
  readonly place: { readonly orderId?: string; readonly clientOid: string };
  /** Number of orders. */
  readonly 'cancel-all': number;
  /** Number of symbols. */
  readonly 'set-all-leverage': { readonly changed: number };
}

export type CommandKind = keyof Commands;

export type Command<K extends CommandKind = CommandKind> = {
  [P in K]: { readonly kind: P } & Commands[P];
}[K];

/** `undefined` for a command without a result. */
export type Answer<K extends CommandKind> = K extends keyof Answers ? Answers[K] : undefined;

/** A refused command has changed nothing. The code is in the error table of the API. */
export type Reply<K extends CommandKind = CommandKind> =
  | { readonly kind: 'done'; readonly data: Answer<K> }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };
