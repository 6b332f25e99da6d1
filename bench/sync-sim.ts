/**
 * How close simulated viewers stay to the playhead: our drift controller beside Musare's rule and an uncorrected
 * player. Same players, seeds and stalls.
 *
 *   node bench/sync-sim.ts [viewers] [minutes] [--json FILE]
 */
import { parseArgs } from 'node:util'
import { HTML5_CAPABILITIES, YOUTUBE_CAPABILITIES } from '@looptide/playhead/player-capabilities'
import {
  driftController,
  musareController,
  noCorrections,
  SLOW_LINE_MODEL,
  type SyncController,
  type SyncResult,
  simulateSync,
  YOUTUBE_COARSE_CAPABILITIES,
  YOUTUBE_FINE_CAPABILITIES,
  YOUTUBE_FINE_RATES_MODEL,
} from '@looptide/playhead/testing/simulate-sync'
import { HTML5_MODEL, type PlayerModel, YOUTUBE_MODEL } from '@looptide/playhead/testing/simulated-player'
import { type BenchRow, rounded, writeRows } from './report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' } },
})
const viewers = Number(positionals[0] ?? 50)
const minutes = Number(positionals[1] ?? 10)

function measure(make: () => SyncController, model: PlayerModel, closeMs: number): SyncResult[] {
  return Array.from({ length: viewers }, (_, index) =>
    simulateSync(make(), {
      model,
      minutes,
      seed: `viewer ${index}`,
      startErrorMs: index % 2 === 0 ? -300 : 300,
      closeMs,
    }),
  )
}

function figuresOf(results: SyncResult[]): BenchRow['figures'] {
  const mean = (pick: (result: SyncResult) => number) =>
    results.reduce((sum, r) => sum + pick(r), 0) / results.length
  const worst = (pick: (result: SyncResult) => number) => Math.max(...results.map(pick))
  return {
    p50Ms: rounded(mean((r) => r.p50Ms)),
    p95Ms: rounded(mean((r) => r.p95Ms)),
    worstP95Ms: rounded(worst((r) => r.p95Ms)),
    settledAfterS: rounded(
      mean((r) => r.settledAfterMs / 1000),
      1,
    ),
    correctionsPerMinute: rounded(
      mean((r) => r.correctionsPerMinute),
      2,
    ),
    seeksPerViewer: rounded(
      mean((r) => r.seeks),
      1,
    ),
    heardPercent: rounded(mean((r) => r.audibleShare) * 100, 1),
    stalledS: rounded(
      mean((r) => r.stalledMs / 1000),
      1,
    ),
  }
}

const scenes: [string, PlayerModel, () => SyncController, number][] = [
  ['HTML5', HTML5_MODEL, () => driftController(HTML5_CAPABILITIES), 50],
  ['YouTube, whole speeds', YOUTUBE_MODEL, () => driftController(YOUTUBE_CAPABILITIES), 250],
  ['YouTube, steps of 0.25', YOUTUBE_MODEL, () => driftController(YOUTUBE_COARSE_CAPABILITIES), 250],
  ['YouTube, fine rates', YOUTUBE_FINE_RATES_MODEL, () => driftController(YOUTUBE_FINE_CAPABILITIES), 250],
  ['HTML5 on a line too slow by 15 %', SLOW_LINE_MODEL, () => driftController(HTML5_CAPABILITIES), 50],
]
console.log(
  `${viewers} viewers, ${minutes} minutes each, starting 300 ms off; errors are |player − playhead| after 20 s`,
)
const rows: BenchRow[] = []
for (const [player, model, ours, closeMs] of scenes) {
  const makers = { Looptide: ours, Musare: musareController, uncorrected: noCorrections }
  const own = Object.entries(makers).map(([controller, make]) => ({
    bench: 'sync-sim',
    input: { player, controller, viewers },
    figures: figuresOf(measure(make, model, closeMs)),
  }))
  console.log(`\n${player}`)
  console.table(Object.fromEntries(own.map(({ input, figures }) => [input.controller, figures])))
  rows.push(...own)
}
if (values.json !== undefined) writeRows(values.json, rows)
