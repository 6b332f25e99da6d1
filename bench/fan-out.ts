/**
 * Fan-out: how many deliveries a second one process sustains with p99 under 250 ms and nothing lost,
 * the hub beside a bare `ws` server in the same run. See bench/README.md for the method.
 *
 *   node bench/fan-out.ts [viewers …] [--json FILE]      default 1000 2000
 */
import { setTimeout as pause } from 'node:timers/promises'
import { startIdentity } from '@looptide/testkit/identity'
import { type Mode, ServerUnderTest } from './fan-out/child.ts'
import { payloadJson } from './fan-out/messages.ts'
import { percentile, Viewers } from './fan-out/viewers.ts'
import { benchArguments, machine, writeRows } from './report.ts'

const STEP_MS = 3000
const DRAIN_MS = 2000
const TICK_MS = 5
const MAX_P99_MS = 250
/** Messages a second of each step, until one fails twice. */
const RATES: Record<Mode, number[]> = {
  bare: [5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100, 120, 140, 160, 180, 200, 240, 280, 320],
  hub: [25, 50, 100, 200, 400, 600, 800, 1000, 1300, 1600, 2000, 2500, 3000, 4000, 5000, 6000, 8000],
}

interface Step {
  rate: number
  perSecond: number
  p50: number
  p99: number
  missing: number
  doubled: number
  cpuMsPer1000: number
  isGood: boolean
}

interface Result {
  mode: Mode
  viewers: number
  joinsPerSecond: number
  kibPerViewer: number
  best: Step | null
  /** The first rate that could not be sustained; null when all could. */
  failed: Step | null
}

/** Sends at a fixed rate whatever happens, then waits for what is under way. */
async function runStep(
  server: ServerUnderTest,
  viewers: Viewers,
  firstSeq: number,
  rate: number,
): Promise<Step> {
  viewers.reset(firstSeq)
  const before = server.usage()
  const startedAtMs = performance.now()
  const total = Math.floor((rate * STEP_MS) / 1000)
  for (let seq = 0; seq < total; seq += 1) viewers.dueAtMs[firstSeq + seq] = startedAtMs + (seq * 1000) / rate
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAtMs) * rate) / 1000) + 1)
    const lines: string[] = []
    for (; sent < due; sent += 1) lines.push(payloadJson(firstSeq + sent))
    if (lines.length > 0) server.feed.write(`${lines.join('\n')}\n`)
    await pause(TICK_MS)
  }
  const lastSeq = firstSeq + total - 1
  const deadlineMs = performance.now() + DRAIN_MS
  while (!viewers.allHave(lastSeq) && performance.now() < deadlineMs) await pause(10)
  const { tally } = viewers
  const missing = total * viewers.size - tally.deliveries
  const p99 = percentile(tally, 0.99)
  return {
    rate,
    perSecond: Math.round((tally.deliveries * 1000) / STEP_MS),
    p50: percentile(tally, 0.5),
    p99,
    missing,
    doubled: tally.doubled,
    cpuMsPer1000: ((server.usage().cpuMs - before.cpuMs) * 1000) / Math.max(1, tally.deliveries),
    isGood: missing === 0 && tally.doubled === 0 && p99 < MAX_P99_MS,
  }
}

async function measure(mode: Mode, count: number, authUrl: string, tokens: string[]): Promise<Result> {
  let server = await ServerUnderTest.start(mode, authUrl)
  let viewers = new Viewers()
  const arrivals = tokens.slice(0, count).map((token) => (mode === 'hub' ? token : null))
  const empty = server.usage()
  const tookMs = await viewers.arrive(server.port, arrivals)
  await pause(500)
  const result: Result = {
    mode,
    viewers: count,
    joinsPerSecond: Math.round((count * 1000) / tookMs),
    kibPerViewer: (server.usage().rssKib - empty.rssKib) / count,
    best: null,
    failed: null,
  }
  let seq = 0
  for (const rate of RATES[mode]) {
    let step = await runStep(server, viewers, seq, rate)
    if (!step.isGood) {
      // Once more with a fresh server: the machine is shared, one hiccup is no limit.
      viewers.leave()
      await server.stop()
      server = await ServerUnderTest.start(mode, authUrl)
      viewers = new Viewers()
      await viewers.arrive(server.port, arrivals)
      seq = 0
      step = await runStep(server, viewers, seq, rate)
    }
    seq += Math.floor((rate * STEP_MS) / 1000)
    if (!step.isGood) {
      result.failed = step
      break
    }
    result.best = step
  }
  viewers.leave()
  await server.stop()
  return result
}

function row({ mode, viewers, best, failed, joinsPerSecond, kibPerViewer }: Result): Record<string, unknown> {
  return {
    server: mode === 'hub' ? 'hub' : 'bare ws, send() to each',
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
while (tokens.length < Math.max(...sizes)) tokens.push((await identity.person()).token)

console.log(machine())
const results: Result[] = []
for (const count of sizes) {
  for (const mode of ['bare', 'hub'] as const) {
    const result = await measure(mode, count, identity.authUrl, tokens)
    results.push(result)
    console.log(JSON.stringify(row(result)))
  }
}
console.table(results.map(row))
for (const count of sizes) {
  const [bare, hub] = results.filter(({ viewers }) => viewers === count)
  if (bare?.best == null || hub?.best == null) continue
  const ratio = hub.best.perSecond / bare.best.perSecond
  const cpuRatio = bare.best.cpuMsPer1000 / hub.best.cpuMsPer1000
  console.log(
    `${count} viewers: the hub delivers ${ratio.toFixed(1)} × bare ws (goal: 10 ×), at 1/${cpuRatio.toFixed(0)} of the CPU a delivery`,
  )
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
