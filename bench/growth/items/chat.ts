import type { BenchRow } from '../../report.ts'
import { curve, figureOf, type Item, rowsWith, sizesOf, stepsBySize } from '../item.ts'
import { table, times } from '../table.ts'

const GOAL_MS = 100

const whole = (rows: readonly BenchRow[]) => rows.filter(({ bench }) => bench === 'chat-end-to-end')
const bare = (rows: readonly BenchRow[]) => rows.filter(({ bench }) => bench === 'chat-end-to-end-bare')

const byRate = (rows: readonly BenchRow[]): readonly BenchRow[] =>
  rows.toSorted((a, b) => Number(a.input.messagesPerSecond) - Number(b.input.messagesPerSecond))

/** For each size the row of the fastest rate for which `figure` is "yes". */
const fastest = (rows: readonly BenchRow[], figure: 'holds' | 'isWithinGoal'): readonly BenchRow[] =>
  sizesOf(rows, 'viewers').flatMap((viewers) =>
    byRate(rowsWith(whole(rows), { viewers }).filter(({ figures }) => figures[figure] === 'yes')).slice(-1),
  )

/** For each size the slowest rate: an ordinary chat. */
const slowest = (rows: readonly BenchRow[]): readonly BenchRow[] =>
  sizesOf(rows, 'viewers').flatMap((viewers) => byRate(rowsWith(whole(rows), { viewers })).slice(0, 1))

const latency = (row: BenchRow | undefined): string =>
  `${figureOf(row, 'p50Ms') ?? '–'} / ${figureOf(row, 'p99Ms') ?? '–'} ms`

export const chat: Item = {
  name: 'chat-end-to-end',
  steps: stepsBySize('chat-end-to-end.ts', [100, 1000, 2000, 10_000]),
  tables: (rows) =>
    table(
      [
        'viewers',
        '5 messages/s: p50 / p99',
        `with p99 ≤ ${GOAL_MS} ms: messages/s`,
        'p50 / p99',
        'with p99 < 250 ms: deliveries/s',
        'p50 / p99',
        'bare `ws` without the path, deliveries/s',
        'whole path / bare',
      ],
      sizesOf(rows, 'viewers').map((viewers) => {
        const of = (from: readonly BenchRow[]) => rowsWith(from, { viewers })[0]
        const [within, most, plain] = [
          of(fastest(rows, 'isWithinGoal')),
          of(fastest(rows, 'holds')),
          of(bare(rows)),
        ]
        const [ours, theirs] = [figureOf(most, 'deliveriesPerSecond'), figureOf(plain, 'deliveriesPerSecond')]
        return [
          viewers,
          latency(of(slowest(rows))),
          within === undefined ? null : Number(within.input.messagesPerSecond),
          latency(within),
          ours,
          latency(most),
          theirs,
          times(ours, theirs),
        ]
      }),
    ),
  pictures: (rows) => [
    {
      name: 'chat-end-to-end',
      title: 'From a POST to every socket, by the number of viewers',
      xLabel: 'viewers',
      yLabel: 'ms, p99',
      points: [
        ...curve(fastest(rows, 'isWithinGoal'), 'at the most within the goal', 'viewers', 'p99Ms'),
        ...curve(slowest(rows), 'at 5 messages a second', 'viewers', 'p99Ms'),
      ],
      goal: { y: GOAL_MS, label: `goal: p99 ≤ ${GOAL_MS} ms` },
    },
  ],
}
