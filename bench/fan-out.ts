/**
 * Fan-out: how many deliveries a second one process sustains with p99 below 250 ms and without loss; the hub, a
 * plain `ws` server and Bun's native `publish` in the same run. Method: bench/README.md.
 *
 *   node bench/fan-out.ts [viewers …] [--json FILE]      default 1000 2000
 */
import { startIdentity } from '@looptide/testkit/identity'
import type { Mode } from './fan-out/child.ts'
import { type Climb, climb } from './fan-out/climb.ts'
import { benchArguments, machine, writeRows } from './report.ts'

const NAMES: Record<Mode, string> = {
  bare: 'bare ws, send() to each',
  bun: 'Bun, publish()',
  hub: 'hub',
}
/** Deliveries of the hub, as multiples of the others'. */
const GOALS = { bare: 10, bun: 2 }
const MODES = ['bare', 'bun', 'hub'] as const

function row({ mode, viewers, best, failed, joinsPerSecond, kibPerViewer }: Climb): Record<string, unknown> {
  return {
    server: NAMES[mode],
    viewers,
    'messages/s': best?.rate ?? 0,
    'deliveries/s': best?.perSecond ?? 0,
    'p50 ms': best?.p50,
    'p99 ms': best?.p99,
    'CPU-ms / 1,000': Number(best?.cpuMsPer1000.toFixed(3)),
    'joins/s': joinsPerSecond,
    'KiB / viewer': Number(kibPerViewer.toFixed(1)),
    'failed at': failed === null ? '–' : `${failed.rate}/s: p99 ${failed.p99}, missing ${failed.missing}`,
  }
}

const { sizes, json } = benchArguments([1000, 2000])
const identity = await startIdentity()
const tokens: string[] = []
while (tokens.length < Math.max(...sizes)) tokens.push((await identity.createUser()).token)

console.log(machine())
const results: Climb[] = []
for (const count of sizes) {
  for (const mode of MODES) {
    const result = await climb(mode, count, identity.authUrl, tokens)
    results.push(result)
    console.log(JSON.stringify(row(result)))
  }
}
console.table(results.map(row))
for (const count of sizes) {
  const ofCount = results.filter(({ viewers }) => viewers === count)
  const hub = ofCount.find(({ mode }) => mode === 'hub')?.best
  for (const { mode, best } of ofCount) {
    if (mode === 'hub' || best === null || hub == null) continue
    const ratio = hub.perSecond / best.perSecond
    const cpuRatio = best.cpuMsPer1000 / hub.cpuMsPer1000
    console.log(
      `${count} viewers: the hub delivers ${ratio.toFixed(1)} × ${NAMES[mode]} (goal: ${GOALS[mode]} ×), at 1/${cpuRatio.toFixed(1)} of the CPU a delivery`,
    )
  }
}
await identity.stop()
if (json !== undefined) {
  writeRows(
    json,
    results.map(({ mode, viewers, best, failed, joinsPerSecond }) => ({
      bench: 'fan-out',
      input: { viewers, server: mode },
      figures: {
        deliveriesPerSecond: best?.perSecond ?? 0,
        messagesPerSecond: best?.rate ?? 0,
        p50Ms: best?.p50 ?? null,
        p99Ms: best?.p99 ?? null,
        cpuMsPer1000Deliveries: best?.cpuMsPer1000 ?? null,
        joinsPerSecond,
        failedAtMessagesPerSecond: failed?.rate ?? null,
      },
    })),
  )
}
