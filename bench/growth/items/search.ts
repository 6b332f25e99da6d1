import type { BenchRow } from '../../report.ts'
import { curve, figureOf, type Item, rowsWith, sizesOf, stepsBySize } from '../item.ts'
import { table } from '../table.ts'

const ADDED_PER_SECOND = 50
const GOAL_MS = 20

const searches = (rows: readonly BenchRow[]) => rows.filter(({ bench }) => bench === 'search')
const quiet = (rows: readonly BenchRow[]) => rowsWith(searches(rows), { addedPerSecond: 0 })
const busy = (rows: readonly BenchRow[]) => rowsWith(searches(rows), { addedPerSecond: ADDED_PER_SECOND })

/** One row per size: that of the class with the largest figure. */
const slowest = (rows: readonly BenchRow[], figure: string): readonly BenchRow[] =>
  sizesOf(rows, 'videos').flatMap((videos) =>
    rowsWith(rows, { videos })
      .toSorted((a, b) => (figureOf(b, figure) ?? 0) - (figureOf(a, figure) ?? 0))
      .slice(0, 1),
  )

export const search: Item = {
  name: 'search',
  steps: stepsBySize('search.ts', [10_000, 100_000, 1_000_000], ['20', '--seconds', '90']),
  tables: (found) => {
    const rows = searches(found)
    const adding = found.filter(({ bench }) => bench === 'search-adding')
    const sizes = sizesOf(rows, 'videos')
    const largest = sizes.at(-1) ?? 0
    const classes = [...new Set(rows.map(({ input }) => input.texts as string))]
    const count = (size: number) => size.toLocaleString('en')
    const classesTable = table(
      [
        'texts',
        ...sizes.map((size) => `p99 while adding, ${count(size)}`),
        `p99 without load, ${count(largest)}`,
        `ILIKE p50, ${count(largest)}`,
        'ILIKE / ours, p50',
      ],
      classes.map((texts) => {
        const of = (from: readonly BenchRow[], videos: number) => rowsWith(from, { videos, texts })[0]
        const still = of(quiet(rows), largest)
        const faster = figureOf(still, 'timesFaster')
        return [
          texts,
          ...sizes.map((size) => ms(figureOf(of(busy(rows), size), 'p99Ms'))),
          ms(figureOf(still, 'p99Ms')),
          ms(figureOf(still, 'ilikeP50Ms')),
          faster === null ? null : `${faster.toLocaleString('en')} ×`,
        ]
      }),
    )
    const addingTable = table(
      ['the additions, videos', 'a second', 'refused', 'p50', 'p99', 'steal time'],
      adding.map((row) => [
        count(Number(row.input.videos)),
        figureOf(row, 'addedPerSecond'),
        figureOf(row, 'refused'),
        ms(figureOf(row, 'p50Ms')),
        ms(figureOf(row, 'p99Ms')),
        percent(figureOf(row, 'stolenPercent')),
      ]),
    )
    return `${classesTable}\n\n${addingTable}`
  },
  pictures: (rows) => [
    {
      name: 'search',
      title: 'How long a search takes by the number of videos',
      xLabel: 'videos',
      yLabel: 'ms',
      points: [
        ...curve(slowest(quiet(rows), 'ilikeP50Ms'), 'ILIKE, slowest class, p50', 'videos', 'ilikeP50Ms'),
        ...curve(slowest(busy(rows), 'p99Ms'), 'ours while adding, slowest, p99', 'videos', 'p99Ms'),
        ...curve(slowest(quiet(rows), 'p99Ms'), 'ours without load, slowest, p99', 'videos', 'p99Ms'),
        ...curve(slowest(busy(rows), 'p50Ms'), 'ours while adding, slowest, p50', 'videos', 'p50Ms'),
      ],
      goal: { y: GOAL_MS, label: `goal: p99 ≤ ${GOAL_MS} ms` },
    },
  ],
}

const percent = (value: number | null): string | null => (value === null ? null : `${value} %`)

const ms = (value: number | null): string | null => (value === null ? null : `${value} ms`)
