/**
 * How closely simulated viewers keep to the playhead: our drift controller beside Musare's rule and beside a player
 * left alone. Same players, same seeds, same stalls.   node bench/sync-sim.ts [runs] [minutes]
 */
import { HTML5_ABILITIES, YOUTUBE_ABILITIES } from '@looptide/playhead/drift-controller'
import {
  handsOff,
  musareController,
  ourController,
  SLOW_LINE_MODEL,
  type SyncController,
  type SyncResult,
  simulateSync,
  YOUTUBE_FINE_ABILITIES,
  YOUTUBE_FINE_RATES_MODEL,
} from '@looptide/playhead/testing/simulate-sync'
import { HTML5_MODEL, type PlayerModel, YOUTUBE_MODEL } from '@looptide/playhead/testing/simulated-player'

const runs = Number(process.argv[2] ?? 50)
const minutes = Number(process.argv[3] ?? 10)

function measure(make: () => SyncController, model: PlayerModel, closeMs: number): SyncResult[] {
  return Array.from({ length: runs }, (_, index) =>
    simulateSync(make(), {
      model,
      minutes,
      seed: `viewer ${index}`,
      startErrorMs: index % 2 === 0 ? -300 : 300,
      closeMs,
    }),
  )
}

function row(results: SyncResult[]) {
  const mean = (pick: (result: SyncResult) => number) => results.reduce((sum, r) => sum + pick(r), 0) / runs
  const worst = (pick: (result: SyncResult) => number) => Math.max(...results.map(pick))
  return {
    'p50 ms': Math.round(mean((r) => r.p50Ms)),
    'p95 ms': Math.round(mean((r) => r.p95Ms)),
    'worst p95 ms': Math.round(worst((r) => r.p95Ms)),
    'settled after s': Number(mean((r) => r.settledAfterMs / 1000).toFixed(1)),
    'corrections/min': Number(mean((r) => r.correctionsPerMinute).toFixed(2)),
    'seeks/run': Number(mean((r) => r.seeks).toFixed(1)),
    'heard %': Number((mean((r) => r.audibleShare) * 100).toFixed(1)),
    'stalled s': Number(mean((r) => r.stalledMs / 1000).toFixed(1)),
  }
}

const scenes: [string, PlayerModel, () => SyncController, number][] = [
  ['HTML5', HTML5_MODEL, () => ourController(HTML5_ABILITIES), 50],
  ['YouTube, whole speeds', YOUTUBE_MODEL, () => ourController(YOUTUBE_ABILITIES), 250],
  ['YouTube, fine rates', YOUTUBE_FINE_RATES_MODEL, () => ourController(YOUTUBE_FINE_ABILITIES), 250],
  ['HTML5 on a line too slow by 15 %', SLOW_LINE_MODEL, () => ourController(HTML5_ABILITIES), 50],
]
console.log(
  `${runs} viewers, ${minutes} minutes each, starting 300 ms off; errors are |player − playhead| after 20 s`,
)
for (const [name, model, ours, closeMs] of scenes) {
  console.log(`\n${name}`)
  console.table({
    Looptide: row(measure(ours, model, closeMs)),
    Musare: row(measure(musareController, model, closeMs)),
    'left alone': row(measure(handsOff, model, closeMs)),
  })
}
