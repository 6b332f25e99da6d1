import { curve, figureOf, type Item, rowsWith, sizesOf, stepsBySize } from '../item.ts'
import { table } from '../table.ts'

export const reads: Item = {
  name: 'reads',
  steps: stepsBySize('reads.ts', [4, 40, 400]),
  tables: (rows) => {
    const sizes = sizesOf(rows, 'connections')
    const names = [...new Set(rows.map(({ input }) => input.read as string))]
    return table(
      [
        'read',
        ...sizes.map((connections) => `gateway/s, ${connections} connections`),
        ...sizes.map((connections) => `gateway / bare, ${connections}`),
      ],
      names.map((read) => {
        const at = (connections: number) => rowsWith(rows, { read, connections })[0]
        return [
          read,
          ...sizes.map((size) => figureOf(at(size), 'gatewayPerSecond')),
          ...sizes.map((size) => figureOf(at(size), 'ratio')),
        ]
      }),
    )
  },
  pictures: (rows) => [
    {
      name: 'reads',
      title: 'Reads a second through the gateway by the number of connections',
      xLabel: 'connections',
      yLabel: 'answers/s',
      points: ['now', 'guide', 'home', 'search, found'].flatMap((read) =>
        curve(rowsWith(rows, { read }), read, 'connections', 'gatewayPerSecond'),
      ),
    },
  ],
}
