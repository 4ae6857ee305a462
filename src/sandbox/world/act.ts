/** Everything that can change a world. A world is its seed, its start and its acts in order. */
import type { Millis } from '../../base/clock.ts';
import type { Input } from '../../exchange/api/operations/index.ts';
import type { Command } from '../engine/command.ts';
import type { ArmedRule, FaultRule } from '../faults/rules.ts';
import type { KeyRecord } from '../gateway/api-keys.ts';
import type { Added } from './added.ts';
import type { MarketKey, Pin } from './pins.ts';
import type { Config } from './world-settings.ts';
import type { BusinessTime } from './time.ts';

/** The operations that write. */
export type WriteName =
  | 'futures/place-order'
  | 'futures/set-all-leverage'
  | 'account/create-sub'
  | 'futures/cancel-order'
  | 'futures/set-leverage'
  | 'trade/place-order'
  | 'trade/cancel-order'
  | 'account/set-leverage';

/** A client's write, with its key's permissions. */
export type Call<N extends WriteName = WriteName> = {
  [P in N]: {
    readonly kind: 'call';
    readonly name: P;
    readonly input: Input<P>;
    readonly uid: string;
    readonly leads?: readonly string[];
  };
}[N];

export type Act =
  | Call
  /** Time has passed: markets move, and due events happen. */
  | { readonly kind: 'tick' }
  /** A command to the engine, for any account. */
  | { readonly kind: 'command'; readonly command: Command }
  /** A price or a rate is set manually, or made random again. */
  | {
      readonly kind: 'pin';
      readonly market: MarketKey;
      readonly what: Pin['what'];
      readonly price: string | null;
    }
  | { readonly kind: 'time'; readonly time: BusinessTime }
  | { readonly kind: 'config'; readonly config: Config }
  | { readonly kind: 'key'; readonly key: KeyRecord }
  /** A scenario adds to the world. */
  | { readonly kind: 'add'; readonly added: Added }
  | { readonly kind: 'arm'; readonly rules: readonly FaultRule[] }
  /** Requests that fault rules counted. */
  | { readonly kind: 'counted'; readonly rules: readonly ArmedRule[] }
  | { readonly kind: 'postpone'; readonly due: Millis; readonly act: Act };
