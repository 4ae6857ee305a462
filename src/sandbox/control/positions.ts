/** Control of positions: what stands, at which leverage, with which margin of its own. */
import { choice, optional, record } from '../../contract/schema.ts';
import { decimalText, futuresLines, symbolName } from '../../contract/vocabulary.ts';
import { closed, uid, word } from '../scenario/words.ts';
import { asking, askingOne, type ControlTable } from './bench.ts';

const whose = { uid, category: choice(futuresLines), symbol: symbolName };

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
          amount: decimalText('Negative takes away'),
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
