import { setTimeout as pause } from 'node:timers/promises'
import { type Mode, ServerUnderTest } from './child.ts'
import { payloadJson } from './messages.ts'
import { preciseNowMs, ViewerThreads } from './viewer-threads.ts'
import { percentile } from './viewers.ts'

const STEP_MS = 3000
const DRAIN_MS = 2000
const TICK_MS = 5
/** Time in which every thread learns of a step before its first message is due, in ms. */
const EXPECT_MS = 100
const MAX_P99_MS = 250
/** Messages a second. */
const SETTLING_RATE = 5
/** Messages a second of each step for servers that batch. */
const BATCHED_RATES = [
  ...[5, 10, 25, 50, 100, 200, 400, 600, 800, 1000, 1300, 1600, 2000, 2500, 3000],
  ...[4000, 5000, 6000, 8000, 10_000, 13_000, 16_000, 20_000],
]
/** Messages a second of each step; stops when one fails twice. */
const RATES: Record<Mode, number[]> = {
  bare: [5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100, 120, 140, 160, 180, 200, 240, 280, 320],
  bun: BATCHED_RATES,
  hub: BATCHED_RATES,
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

/** Result of one server with a number of viewers. */
export interface Climb {
  mode: Mode
  viewers: number
  joinsPerSecond: number
  kibPerViewer: number
  best: Step | null
  /** The first rate that was not sustained; null if all were. */
  failed: Step | null
}

/** Sends at a fixed rate, then waits for deliveries that are still due. */
async function runStep(
  server: ServerUnderTest,
  viewers: ViewerThreads,
  firstSeq: number,
  rate: number,
): Promise<Step> {
  const total = Math.floor((rate * STEP_MS) / 1000)
  const startedAtMs = preciseNowMs() + EXPECT_MS
  await viewers.expect({ firstSeq, total, rate, startMs: startedAtMs })
  await pause(Math.max(0, startedAtMs - preciseNowMs()))
  const before = server.usage()
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((preciseNowMs() - startedAtMs) * rate) / 1000) + 1)
    const lines: string[] = []
    for (; sent < due; sent += 1) lines.push(payloadJson(firstSeq + sent))
    if (lines.length > 0) server.feed.write(`${lines.join('\n')}\n`)
    await pause(TICK_MS)
  }
  const deadlineMs = preciseNowMs() + DRAIN_MS
  while (!(await viewers.isComplete()) && preciseNowMs() < deadlineMs) await pause(10)
  const tally = await viewers.tally()
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

/**
 * Raises the rate until a step fails twice: p99 of 250 ms or more, or messages missing or duplicated. A hub's
 * viewers join with a token each.
 */
export async function climb(
  mode: Mode,
  count: number,
  authUrl: string,
  tokens: readonly string[],
): Promise<Climb> {
  let server = await ServerUnderTest.start(mode, authUrl)
  let viewers = new ViewerThreads()
  const arrivals = Array.from({ length: count }, (_, index) =>
    mode === 'hub' ? (tokens[index] ?? null) : null,
  )
  const empty = server.usage()
  const tookMs = await viewers.arrive(server.port, arrivals)
  await pause(500)
  const result: Climb = {
    mode,
    viewers: count,
    joinsPerSecond: Math.round((count * 1000) / tookMs),
    kibPerViewer: (server.usage().rssKib - empty.rssKib) / count,
    best: null,
    failed: null,
  }
  let seq = await settle(server, viewers)
  for (const rate of RATES[mode]) {
    let step = await runStep(server, viewers, seq, rate)
    if (!step.isGood) {
      // Repeated once with a new server: on a shared machine a single failure is no limit.
      await viewers.leave()
      await server.stop()
      server = await ServerUnderTest.start(mode, authUrl)
      viewers = new ViewerThreads()
      await viewers.arrive(server.port, arrivals)
      seq = await settle(server, viewers)
      step = await runStep(server, viewers, seq, rate)
    }
    seq += Math.floor((rate * STEP_MS) / 1000)
    if (!step.isGood) {
      result.failed = step
      break
    }
    result.best = step
  }
  await viewers.leave()
  await server.stop()
  return result
}

/**
 * A warm-up step that is not counted: garbage of the arrivals is collected and code is compiled. Returns the number
 * of the next message.
 */
async function settle(server: ServerUnderTest, viewers: ViewerThreads): Promise<number> {
  await runStep(server, viewers, 0, SETTLING_RATE)
  return Math.floor((SETTLING_RATE * STEP_MS) / 1000)
}
