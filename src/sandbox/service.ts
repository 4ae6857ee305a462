/** Handles one request at a time: the newest world, the gateway, and the faults. */
import type { Clock, Millis } from '../base/clock.ts';
import type { Delivery } from './faults/delivery.ts';
import { concernsAny, strike, type FaultRule, type FaultSubject } from './faults/rules.ts';
import { deliverStruck } from './faults/strike.ts';
import { admittedCall, answerOf, type GatewayPorts } from './gateway.ts';
import { keyNamed } from './gateway/api-keys.ts';
import { textOf, type RawRequest, type RawResponse } from './gateway/request.ts';
import { emptied, envelopeFaultOf, turnedAway } from './gateway/no-envelope.ts';
import { routeOf } from './gateway/route.ts';
import { throttle } from './gateway/throttle.ts';
import { handle } from './handlers/index.ts';
import { Refusal } from './refusal.ts';
import type { RequestLog } from './requests.ts';
import type { Store } from './persistence/world-store.ts';
import { noise } from './world/noise.ts';
import type { Registry } from './world/registry.ts';
import { speedOf } from './world/time.ts';

export interface Service {
  /** Answers a request as an exchange without faults. */
  answer(request: RawRequest): RawResponse;
  /** Answers a request, or leaves it unanswered, according to the fault rules. */
  deliver(request: RawRequest): Delivery;
}

export function serviceOf(store: Store, clock: Clock, log: RequestLog): Service {
  return new StoreService(store, clock, log);
}

interface Circumstances {
  readonly lagMs?: Millis;
  readonly fault?: string;
}

class StoreService implements Service {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: RequestLog;
  readonly #limiter = throttle();

  constructor(store: Store, clock: Clock, log: RequestLog) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  answer(request: RawRequest): RawResponse {
    return this.#answerUnder({}, request);
  }

  deliver(request: RawRequest): Delivery {
    return this.#store.exclusive(() => {
      this.#store.settle(); // settling may arm or disarm rules
      const rule = strikingRule(this.#store, request);
      return rule === undefined ? this.#undisturbed(request) : this.#struck(request, rule);
    });
  }

  #answerUnder(circumstances: Circumstances, request: RawRequest): RawResponse {
    return this.#store.exclusive(() => {
      this.#store.settle();
      return this.#answerNow(request, circumstances);
    });
  }

  /** Answers a request after due events have been settled. */
  #answerNow(request: RawRequest, { lagMs = 0, fault }: Circumstances): RawResponse {
    const now = this.#store.now();
    const { response, name, uid, code } = answerOf(request, this.#portsAt(now, lagMs));
    const { method, target } = request;
    const { status } = response;
    this.#log.note({ at: now, method, target, operation: name, uid, status, code, fault });
    return response;
  }

  #struck(request: RawRequest, rule: FaultRule): Delivery {
    const store = this.#store;
    const { kind: fault } = rule.action;
    const now = store.now();
    const { method, target } = request;
    this.#log.note({ at: now, method, target, fault });
    const lagMs = rule.action.kind === 'stale-reads' ? rule.action.ms : 0;
    return deliverStruck(rule, {
      now: () => store.now(),
      execute: () => this.#answerUnder({ fault, lagMs }, request),
      postpone: (ms) => {
        const act = admittedCall(request, this.#portsAt(now, 0));
        if (act !== undefined) store.commit({ kind: 'postpone', due: now + ms, act });
      },
    });
  }

  /**
   * Answers as the exchange does or, if it has the habits of real ones, as a gateway before it.
   */
  #undisturbed(request: RawRequest): Delivery {
    const { origin, registry } = this.#store.world();
    const place = { seed: origin.seed, at: this.#clock.now() };
    const isReal = registry.config.quirks.answers === 'real';
    const fault = isReal ? envelopeFaultOf(request, place) : undefined;
    if (fault === undefined) return { kind: 'whole', response: this.#answerNow(request, {}) };
    const turned = turnedAway(fault);
    if (turned !== undefined) {
      const { method, target } = request;
      const at = this.#store.now();
      this.#log.note({ at, method, target, status: turned.status, fault });
      return { kind: 'whole', response: turned };
    }
    const response = this.#answerNow(request, { fault });
    return fault === 'packed'
      ? { kind: 'packed', response }
      : { kind: 'whole', response: emptied(response) };
  }

  #portsAt(now: Millis, lagMs: Millis): GatewayPorts {
    const store = this.#store;
    const clock = this.#clock;
    const { registry } = store.world();
    return {
      throttle: this.#limiter,
      monotonic: clock.monotonic(),
      clocks: { wall: clock.now(), business: now, speed: speedOf(registry.time) },
      config: registry.config,
      seed: store.world().origin.seed,
      keyOf: (apiKey) => keyNamed(registry.keys, apiKey),
      read: (name, input, caller) =>
        handle(name, input, { world: store.world(), now, caller, lagMs }),
      write: (call) => store.commit(call),
    };
  }
}

/** Counts the request and returns the rule that applies, if any. */
function strikingRule(store: Store, request: RawRequest): FaultRule | undefined {
  const { faults } = store.world().registry;
  if (faults.length === 0) return undefined;
  const subject = subjectOf(store.world().registry, request);
  if (subject === undefined || !concernsAny(faults, subject)) return undefined;
  const chance = noise(store.world().origin.seed, 'faults');
  const { rules, rule } = strike(faults, subject, (place, seen) =>
    chance.uniform(place * 2 ** 20 + seen),
  );
  store.commit({ kind: 'counted', rules });
  return rule;
}

/** The account and operation of a request, from its head only: faults apply before any check. */
function subjectOf(registry: Registry, request: RawRequest): FaultSubject | undefined {
  try {
    const { name } = routeOf(request);
    const apiKey = textOf(request.headers['access-key']);
    const key = apiKey === undefined ? undefined : keyNamed(registry.keys, apiKey);
    return { operation: name, uid: key?.uid ?? '' };
  } catch (error) {
    if (error instanceof Refusal) return undefined; // an unknown path has no faults
    throw error;
  }
}
