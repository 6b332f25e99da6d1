import type { BenchRow } from '../../report.ts'
import { curve, figureOf, type Item, rowsWith, sizesOf, stepsBySize } from '../item.ts'
import { table } from '../table.ts'

const GOAL_MS = 100

/** Of each size the fastest rate that held; its row. */
const fastest = (rows: readonly BenchRow[]): readonly BenchRow[] =>
  sizesOf(rows, 'viewers').flatMap((viewers) =>
    rowsWith(rows, { viewers })
      .filter(({ figures }) => figures.holds === 'yes')
      .toSorted((a, b) => Number(b.input.messagesPerSecond) - Number(a.input.messagesPerSecond))
      .slice(0, 1),
  )

/** Of each size the slowest rate: what a chat of people comes to. */
const slowest = (rows: readonly BenchRow[]): readonly BenchRow[] =>
  sizesOf(rows, 'viewers').flatMap((viewers) =>
    rowsWith(rows, { viewers })
      .toSorted((a, b) => Number(a.input.messagesPerSecond) - Number(b.input.messagesPerSecond))
      .slice(0, 1),
  )

export const chat: Item = {
  name: 'chat-end-to-end',
  steps: stepsBySize('chat-end-to-end.ts', [100, 1000, 10_000]),
  tables: (rows) =>
    table(
      ['viewers', 'messages/s', 'deliveries/s', 'p50', 'p99', 'missing'],
      [...slowest(rows), ...fastest(rows)]
        .toSorted((a, b) => Number(a.input.viewers) - Number(b.input.viewers))
        .map((row) => [
          Number(row.input.viewers),
          Number(row.input.messagesPerSecond),
          figureOf(row, 'deliveriesPerSecond'),
          `${figureOf(row, 'p50Ms') ?? '–'} ms`,
          `${figureOf(row, 'p99Ms') ?? '–'} ms`,
          figureOf(row, 'missing'),
        ]),
    ),
  pictures: (rows) => [
    {
      name: 'chat-end-to-end',
      title: 'From a POST to every socket, by the number of viewers',
      xLabel: 'viewers',
      yLabel: 'ms, p99',
      points: [
        ...curve(fastest(rows), 'at the most it holds', 'viewers', 'p99Ms'),
        ...curve(slowest(rows), 'at its slowest rate', 'viewers', 'p99Ms'),
      ],
      goal: { y: GOAL_MS, label: `goal: p99 ≤ ${GOAL_MS} ms` },
    },
  ],
}
