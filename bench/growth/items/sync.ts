import type { BenchRow } from '../../report.ts'
import { curve, figureOf, type Item, type Picture, rowsWith, sizesOf } from '../item.ts'
import { table } from '../table.ts'

const GOAL_MS = 50
const SIMULATED_MINUTES = '3'

const real = (rows: readonly BenchRow[]) => rows.filter(({ bench }) => bench === 'sync-browsers')
const simulated = (rows: readonly BenchRow[]) => rows.filter(({ bench }) => bench === 'sync-sim')
const ms = (row: BenchRow, name: string): string => `${figureOf(row, name) ?? '–'} ms`
const percent = (row: BenchRow, name: string): string => `${figureOf(row, name) ?? '–'} %`

const browsers = (rows: readonly BenchRow[]): string =>
  table(
    [
      'real browsers',
      'playhead p50',
      'p95',
      'max',
      'between two, p50',
      'p95',
      'first to last, p95',
      'corrections/min',
      'frames dropped',
      'browsers’ CPU',
      'machine busy',
    ],
    real(rows).map((row) => [
      `${row.input.browsers}, ${row.input.player}`,
      ms(row, 'offsetP50Ms'),
      ms(row, 'offsetP95Ms'),
      ms(row, 'offsetMaxMs'),
      ms(row, 'gapP50Ms'),
      ms(row, 'gapP95Ms'),
      ms(row, 'spreadP95Ms'),
      figureOf(row, 'correctionsPerMinute'),
      percent(row, 'droppedFramesPercent'),
      percent(row, 'browsersPercentOfMachine'),
      percent(row, 'machineBusyPercent'),
    ]),
  )

function simulation(rows: readonly BenchRow[]): string {
  const own = simulated(rows)
  const largest = sizesOf(own, 'viewers').at(-1) ?? 0
  return table(
    [
      `${largest.toLocaleString('en')} simulated viewers`,
      'p50',
      'p95',
      'p95 of the worst',
      'settled after',
      'corrections/min',
      'time with an audible correction',
    ],
    rowsWith(own, { viewers: largest }).map((row) => [
      `${row.input.player}: ${row.input.controller}`,
      ms(row, 'p50Ms'),
      ms(row, 'p95Ms'),
      ms(row, 'worstP95Ms'),
      `${figureOf(row, 'settledAfterS') ?? '–'} s`,
      figureOf(row, 'correctionsPerMinute'),
      percent(row, 'heardPercent'),
    ]),
  )
}

function pictureOfBrowsers(rows: readonly BenchRow[]): Picture {
  const of = (player: string, figure: string, name: string) =>
    curve(rowsWith(real(rows), { player }), name, 'browsers', figure)
  return {
    name: 'sync-browsers',
    title: 'How far real browsers are from the playhead and from each other by their number',
    xLabel: 'browsers',
    yLabel: 'ms, p95',
    points: [
      ...of('Musare', 'offsetP95Ms', 'Musare, from the playhead'),
      ...of('Musare', 'gapP95Ms', 'Musare, from each other'),
      ...of('ours', 'offsetP95Ms', 'ours, from the playhead'),
      ...of('ours', 'gapP95Ms', 'ours, from each other'),
    ],
    goal: { y: GOAL_MS, label: `goal: ≤ ${GOAL_MS} ms` },
  }
}

function pictureOfSimulation(rows: readonly BenchRow[]): Picture {
  const of = (controller: string, figure: string, name: string) =>
    curve(rowsWith(simulated(rows), { player: 'HTML5', controller }), name, 'viewers', figure)
  return {
    name: 'sync-simulated',
    title: 'How far simulated HTML5 viewers are from the playhead by their number',
    xLabel: 'simulated viewers',
    yLabel: 'ms',
    points: [
      ...of('uncorrected', 'worstP95Ms', 'uncorrected, worst p95'),
      ...of('Musare', 'worstP95Ms', 'Musare, worst p95'),
      ...of('Looptide', 'worstP95Ms', 'ours, worst p95'),
      ...of('Musare', 'p95Ms', 'Musare, mean p95'),
      ...of('Looptide', 'p95Ms', 'ours, mean p95'),
    ],
    goal: { y: GOAL_MS, label: `goal: p95 ≤ ${GOAL_MS} ms` },
  }
}

export const sync: Item = {
  name: 'sync',
  steps: [
    { name: '2 browsers', command: ['sync-browsers.ts', '2', '--youtube', '2'] },
    { name: '20 browsers', command: ['sync-browsers.ts', '20', '--youtube', '0'] },
    ...[20, 200, 2000].map((viewers) => ({
      name: `${viewers} simulated`,
      command: ['sync-sim.ts', String(viewers), SIMULATED_MINUTES],
    })),
  ],
  tables: (rows) => `${browsers(rows)}\n\n${simulation(rows)}`,
  pictures: (rows) => [pictureOfBrowsers(rows), pictureOfSimulation(rows)],
}
