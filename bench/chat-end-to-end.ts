/**
 * Chat through the whole station, from a POST at the gateway to the socket of every viewer: HTTP → gateway → chat →
 * Postgres → NATS → gateway → sockets. Open loop: latency is measured from the time a message is due. In the same
 * run a plain `ws` server sends the same texts to as many sockets. Method: bench/README.md.
 *
 *   node bench/chat-end-to-end.ts [viewers …] [--json FILE]      default 1000 2000
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestStation, type TestStation } from '@looptide/test-station/station'
import { bearerOf } from '@looptide/testkit/client'
import { Pool } from 'undici'
import { type Climb, climb } from './fan-out/climb.ts'
import { CHANNEL, digitsAt } from './fan-out/messages.ts'
import { percentile, type ReadSeq, VISITOR, Viewers } from './fan-out/viewers.ts'
import { type BenchRow, benchArguments, machine, writeRows } from './report.ts'
import { signUpMany } from './sockets/accounts.ts'
import { CpuWatch } from './sockets/cpu.ts'

const SENDERS = 20
const STEP_MS = 5000
const DRAIN_MS = 5000
const TICK_MS = 2
/** Limit for an ordinary chat. */
const GOAL_P99_MS = 100
/** Latency above which a step fails, as in the fan-out benchmark. */
const MAX_P99_MS = 250
/** Messages a second of each step; the benchmark stops when one fails twice. */
const RATES = [5, 10, 20, 40, 60, 80, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1300, 1600]
/** Concurrent posts: far more than a healthy station ever has. */
const CONNECTIONS = 100

/** Prefix of the benchmark's messages; the message number follows. */
const PREFIX = Buffer.from('bench ')
const DIGITS = 8
const FILL = ` ${'x'.repeat(60)}`
const textOf = (seq: number): string => `${PREFIX}${String(seq).padStart(DIGITS, '0')}${FILL}`
/** The end of a frame, after the fields whose length varies. Postgres orders the fields of the stored event. */
const END = `${FILL}","channelId":"${CHANNEL}","createdAt":"${new Date(0).toISOString()}"}}}]`
const TAIL_BYTES = DIGITS + END.length

const readSeq: ReadSeq = (bytes, start, length) => {
  const at = start + length - TAIL_BYTES
  const prefixAt = at - PREFIX.length
  if (prefixAt < start) return null
  for (let i = 0; i < PREFIX.length; i += 1) if (bytes[prefixAt + i] !== PREFIX[i]) return null
  return digitsAt(bytes, at, DIGITS)
}

interface Step {
  rate: number
  p50: number
  p99: number
  missing: number
  doubled: number
  refused: number
  /** Percent of one core, by process. */
  cpu: Record<string, number>
  isGood: boolean
}

/** Posts messages at a fixed rate, the senders in turn. */
class Senders {
  refused = 0
  readonly #pool: Pool
  readonly #tokens: readonly string[]

  constructor(url: string, tokens: readonly string[]) {
    this.#pool = new Pool(url, { connections: CONNECTIONS })
    this.#tokens = tokens
  }

  /** Posts a message. A refused one is counted and will be missing. */
  async say(seq: number): Promise<void> {
    try {
      const { statusCode, body } = await this.#pool.request({
        path: `/api/chat/channels/${CHANNEL}/messages`,
        method: 'POST',
        headers: {
          ...bearerOf(this.#tokens[seq % this.#tokens.length] ?? ''),
          'content-type': 'application/json',
        },
        body: JSON.stringify({ clientId: randomUUID(), message: textOf(seq) }),
      })
      await body.dump()
      if (statusCode !== 201) this.refused += 1
    } catch {
      this.refused += 1
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

async function runStep(
  station: TestStation,
  viewers: Viewers,
  senders: Senders,
  firstSeq: number,
  rate: number,
): Promise<Step> {
  senders.refused = 0
  const watch = new CpuWatch({ ...station.pids, 'this bench': process.pid })
  const startedAtMs = performance.now()
  const total = Math.floor((rate * STEP_MS) / 1000)
  viewers.reset(firstSeq, total)
  for (let seq = 0; seq < total; seq += 1) viewers.dueAtMs[firstSeq + seq] = startedAtMs + (seq * 1000) / rate
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAtMs) * rate) / 1000) + 1)
    for (; sent < due; sent += 1) void senders.say(firstSeq + sent)
    await pause(TICK_MS)
  }
  const cpu = watch.percent()
  const deadlineMs = performance.now() + DRAIN_MS
  const { tally } = viewers
  while (tally.deliveries < total * viewers.size && performance.now() < deadlineMs) await pause(10)
  const missing = total * viewers.size - tally.deliveries
  const p99 = percentile(tally, 0.99)
  return {
    rate,
    p50: percentile(tally, 0.5),
    p99,
    missing,
    doubled: tally.doubled,
    refused: senders.refused,
    cpu,
    isGood: missing === 0 && tally.doubled === 0 && p99 <= MAX_P99_MS,
  }
}

function toRow(viewers: number, { rate, p50, p99, missing, doubled, refused, cpu, isGood }: Step): BenchRow {
  const ours = Object.entries(cpu).filter(([, percent]) => percent >= 1)
  return {
    bench: 'chat-end-to-end',
    input: { viewers, messagesPerSecond: rate },
    figures: {
      p50Ms: p50,
      p99Ms: p99,
      missing,
      doubled,
      refused,
      deliveriesPerSecond: rate * viewers,
      isWithinGoal: isGood && p99 <= GOAL_P99_MS ? 'yes' : 'no',
      holds: isGood ? 'yes' : 'no',
      ...Object.fromEntries(ours.map(([name, percent]) => [`${name} CPU %`, percent])),
    },
  }
}

/** Result of a plain server that sends one frame at a time. */
const bareRow = ({ viewers, best }: Climb): BenchRow => ({
  bench: 'chat-end-to-end-bare',
  input: { viewers },
  figures: {
    messagesPerSecond: best?.rate ?? 0,
    deliveriesPerSecond: best?.perSecond ?? 0,
    p50Ms: best?.p50 ?? null,
    p99Ms: best?.p99 ?? null,
  },
})

const { sizes, json } = benchArguments([1000, 2000])
console.log(machine())
const station = await startTestStation({ env: { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn' } })
const rows: BenchRow[] = []
try {
  const tokens = await signUpMany(station.url, SENDERS)
  const senders = new Senders(station.url, tokens)
  for (const size of sizes) {
    const viewers = new Viewers(readSeq)
    await viewers.arrive(
      Number(new URL(station.url).port),
      Array.from({ length: size }, () => VISITOR),
    )
    let seq = 0
    let failures = 0
    for (let index = 0; index < RATES.length && failures < 2; ) {
      const rate = RATES[index] ?? 0
      // As clients do: the gateway closes a socket that sends nothing for a minute.
      await viewers.beat()
      const step = await runStep(station, viewers, senders, seq, rate)
      seq += Math.floor((rate * STEP_MS) / 1000)
      // Repeated once: on a shared machine a single failure is no limit.
      failures = step.isGood ? 0 : failures + 1
      if (step.isGood || failures === 2) index += 1
      rows.push(toRow(size, step))
      console.log(JSON.stringify(rows.at(-1)))
    }
    viewers.leave()
    rows.push(bareRow(await climb('bare', size, '', [])))
    console.log(JSON.stringify(rows.at(-1)))
  }
  await senders.close()
} finally {
  await station.stop()
}
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
if (json !== undefined) writeRows(json, rows)
