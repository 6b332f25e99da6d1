import type { BenchRow } from '../../report.ts'
import { curve, figureOf, type Item, rowsWith, sizesOf, stepsBySize } from '../item.ts'
import { table, times } from '../table.ts'

const GOAL_PER_SECOND = 2000

const hub = (rows: readonly BenchRow[]) => rowsWith(rows, { server: 'hub' })
const of = (rows: readonly BenchRow[], bench: string) => rows.filter((row) => row.bench === bench)

function arriving(rows: readonly BenchRow[]): string {
  const own = of(rows, 'arrivals')
  return table(
    [
      'viewers',
      'arrivals/s, hub',
      'bare `ws`',
      'hub / bare',
      'KiB resident each, hub',
      'bare `ws`',
      'KiB in use each, hub',
      'CPU-µs per heartbeat',
    ],
    sizesOf(own, 'viewers').map((viewers) => {
      const [ours, theirs] = ['hub', 'bare'].map((server) => rowsWith(own, { viewers, server })[0])
      const [perSecond, bare] = [figureOf(ours, 'arrivalsPerSecond'), figureOf(theirs, 'arrivalsPerSecond')]
      return [
        viewers,
        perSecond,
        bare,
        times(perSecond, bare),
        figureOf(ours, 'residentKibEach'),
        figureOf(theirs, 'residentKibEach'),
        figureOf(ours, 'inUseKibEach'),
        figureOf(ours, 'cpuUsPerBeat'),
      ]
    }),
  )
}

function returning(rows: readonly BenchRow[]): string {
  return table(
    [
      'viewers of a restarted gateway',
      'how',
      'first reconnected',
      'half',
      'p99',
      'all',
      'HTTP requests',
      'refused',
    ],
    of(rows, 'gateway-restart').map((row) => {
      const seconds = (name: string) => {
        const ms = figureOf(row, name)
        return ms === null ? null : `${(ms / 1000).toFixed(1)} s`
      }
      return [
        Number(row.input.viewers).toLocaleString('en'),
        row.input.how ?? null,
        seconds('firstBackMs'),
        seconds('halfBackMs'),
        seconds('p99BackMs'),
        seconds('allBackMs'),
        figureOf(row, 'httpAsked'),
        figureOf(row, 'httpRefused'),
      ]
    }),
  )
}

export const arrivals: Item = {
  name: 'arrivals',
  steps: [
    ...stepsBySize('arrivals.ts', [100, 1000, 10_000]),
    ...stepsBySize('gateway-restart.ts', [50, 500, 5000]).map((step) => ({
      ...step,
      name: `restart ${step.name}`,
    })),
  ],
  tables: (rows) => `${arriving(rows)}\n\n${returning(rows)}`,
  pictures: (rows) => {
    const own = of(rows, 'arrivals')
    return [
      {
        name: 'arrivals',
        title: 'Arrivals a second by the number of viewers',
        xLabel: 'viewers',
        yLabel: 'arrivals/s',
        points: [
          ...curve(hub(own), 'the hub', 'viewers', 'arrivalsPerSecond'),
          ...curve(rowsWith(own, { server: 'bare' }), 'bare ws', 'viewers', 'arrivalsPerSecond'),
        ],
        goal: { y: GOAL_PER_SECOND, label: `goal: ≥ ${GOAL_PER_SECOND}/s` },
      },
    ]
  },
}
