/** Pictures of what commands cost with more and more items, from bench/growth/curves.json. */
import { keptCurves } from '../bench/growth/kept-curves.ts';
import { chartOf } from '../src/report/chart/chart.ts';
import { picture } from '../src/report/chart/picture.ts';

/** The texts of the pictures by their paths in docs. */
export async function curvePictures(): Promise<Readonly<Record<string, string>>> {
  return {
    'images/growth-cpu.svg': await drawn('cpu', 'CPU', 's'),
    'images/growth-memory.svg': await drawn('peak', 'Memory at the peak', 'MB'),
  };
}

async function drawn(cost: 'cpu' | 'peak', title: string, unit: string): Promise<string> {
  const curves = keptCurves();
  const rows = curves.flatMap(({ name, points }) =>
    points.map((point) => ({
      command: name.replace(' of items', ''),
      items: String(point.size),
      cost: String(point[cost]),
    })),
  );
  const sizes = curves[0]?.points.map(({ size }) => size.toLocaleString('en')) ?? [];
  return picture(
    await chartOf({
      title,
      description: `${title} of ${curves.map(({ name }) => name).join(', ')}, with ${sizes.join(', ')} items`,
      spec: {
        title: `${title}, by items`,
        mark: { type: 'line', point: true },
        encoding: {
          x: { field: 'items', type: 'quantitative', scale: { type: 'log' }, title: 'items' },
          y: {
            field: 'cost',
            type: 'quantitative',
            scale: { type: 'log', nice: true },
            title: unit,
          },
          color: { field: 'command', type: 'nominal' },
        },
      },
      rows,
    }),
  );
}
