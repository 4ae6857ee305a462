/** Control of positions: list them, set leverage and isolated margin. */
import { choice, optional, record } from '../../exchange/api/schema.ts';
import { decimalText, futuresProductTypes, symbolName } from '../../exchange/api/vocabulary.ts';
import { closed, uid, word } from '../scenario/words.ts';
import { asking, askingOne, type ControlTable } from './control-context.ts';

const whose = { uid, category: choice(futuresProductTypes), symbol: symbolName };

export const positionControls: ControlTable = {
  positions: {
    GET: askingOne((name, { store }) => store.world().engine.positions(name)),
  },
  'positions/leverage': {
    POST: asking(record({ ...whose, leverage: word }, closed), (fields, { store }) => {
      store.commit({ kind: 'command', command: { kind: 'set-leverage', ...fields } });
      return store.world().engine.positions(fields.uid);
    }),
  },
  'positions/margin': {
    POST: asking(
      record(
        {
          ...whose,
          holdSide: optional(choice(['long', 'short'])),
          amount: decimalText('Negative amounts are removed'),
        },
        closed,
      ),
      (fields, { store }) => {
        store.commit({ kind: 'command', command: { kind: 'adjust-margin', ...fields } });
        return store.world().engine.positions(fields.uid);
      },
    ),
  },
};
