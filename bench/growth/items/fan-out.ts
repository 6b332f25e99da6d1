import type { BenchRow } from '../../report.ts'
import { curve, figureOf, type Item, rowsWith, sizesOf, stepsBySize } from '../item.ts'
import { table, times } from '../table.ts'

const hub = (rows: readonly BenchRow[]) => rowsWith(rows, { server: 'hub' })
const bare = (rows: readonly BenchRow[]) => rowsWith(rows, { server: 'bare' })

export const fanOut: Item = {
  name: 'fan-out',
  steps: stepsBySize('fan-out.ts', [100, 1000, 2000, 10_000]),
  tables: (rows) =>
    table(
      [
        'viewers',
        'hub, deliveries/s',
        'p99',
        'bare `ws`, deliveries/s',
        'p99',
        'hub / bare',
        'CPU a delivery, bare / hub',
      ],
      sizesOf(rows, 'viewers').map((viewers) => {
        const [ours, theirs] = [rowsWith(hub(rows), { viewers })[0], rowsWith(bare(rows), { viewers })[0]]
        const of = (name: string) => [figureOf(ours, name), figureOf(theirs, name)] as const
        const [perSecond, barePerSecond] = of('deliveriesPerSecond')
        const [p99, bareP99] = of('p99Ms')
        const [cpu, bareCpu] = of('cpuMsPer1000Deliveries')
        return [
          viewers,
          perSecond,
          p99 === null ? null : `${p99} ms`,
          barePerSecond,
          bareP99 === null ? null : `${bareP99} ms`,
          times(perSecond, barePerSecond),
          times(bareCpu, cpu),
        ]
      }),
    ),
  pictures: (rows) => [
    {
      name: 'fan-out',
      title: 'Deliveries a second that one process sustains by the number of viewers',
      xLabel: 'viewers',
      yLabel: 'deliveries/s with p99 < 250 ms',
      points: [
        ...curve(hub(rows), 'the hub', 'viewers', 'deliveriesPerSecond'),
        ...curve(bare(rows), 'bare ws', 'viewers', 'deliveriesPerSecond'),
      ],
    },
  ],
}
