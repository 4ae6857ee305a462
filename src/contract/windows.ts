/** Cuts a span of time into windows an operation accepts, and back to what the exchange keeps. */
import { day, hour, second, type Millis } from '../base/clock.ts';
import { count } from '../base/text.ts';
import { fieldOf } from '../base/json.ts';
