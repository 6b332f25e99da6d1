/**
 * Reactions beside a chat: what viewers who tap twice a second cost a gateway, and what they change for the chat. The hub
 * with the counter of reactions, in turn without and with taps, at the same sockets. Method: bench/README.md.
 *
 *   node bench/reactions.ts [viewers …] [--json FILE]      default 10000
 */
import { setTimeout as pause } from 'node:timers/promises'
import { startIdentity } from '@looptide/testkit/identity'
import { ServerUnderTest } from './fan-out/child.ts'
import { payloadJson } from './fan-out/messages.ts'
import { preciseNowMs, ViewerThreads } from './fan-out/viewer-threads.ts'
import { percentile, VISITOR } from './fan-out/viewers.ts'
import { benchArguments, machine, writeRows } from './report.ts'

const PHASE_MS = 5_000
/** Time in which late deliveries are counted too. */
const DRAIN_MS = 1_500
/** When in each second the hub sends the sums of reactions, in ms. */
const SENT_AT_MS = 200
const TAPS_PER_SECOND = 2
const CHAT_PER_SECOND = 1
/** Each kind of phase is measured this often, in turn. */
const ROUNDS = 3

interface Phase {
  kind: (typeof KINDS)[number]
  cpuMsPerSecond: number
  /** Of chat messages; where there are none, of the oldest reaction in each frame of sums. */
  p99Ms: number
  missing: number
}

const KINDS = ['idle', 'chat', 'one taps', 'taps', 'chat and taps'] as const

const { sizes, json } = benchArguments([10_000])
const identity = await startIdentity()
console.log(machine())
for (const count of sizes) {
  const server = await ServerUnderTest.start('hub', identity.authUrl)
  const viewers = new ViewerThreads()
  await viewers.arrive(
    server.port,
    Array.from({ length: count }, () => VISITOR),
  )
  let nextSeq = 0
  const phases: Phase[] = []
  // Not counted: it absorbs the garbage collection of the arrivals.
  await measure('chat and taps')
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of KINDS) phases.push(await measure(kind))
  }
  report(count, phases)
  await viewers.leave()
  await server.stop()

  async function measure(kind: Phase['kind']): Promise<Phase> {
    const hasChat = kind.startsWith('chat')
    const total = hasChat ? (PHASE_MS / 1000) * CHAT_PER_SECOND : 0
    const firstSeq = nextSeq
    // Sums are numbered by the seconds in which they are sent: the oldest reaction in one was sent a second before.
    const startMs = Math.ceil(preciseNowMs() / 1000) * 1000 + SENT_AT_MS
    const seconds = Math.ceil((PHASE_MS + DRAIN_MS) / 1000)
    await viewers.expect(
      hasChat
        ? { firstSeq, total, rate: CHAT_PER_SECOND, startMs }
        : { firstSeq, total: seconds, rate: 1, startMs, ofReactions: true },
    )
    nextSeq += Math.max(total, seconds + 1)
    await pause(Math.max(0, startMs - preciseNowMs()))
    const before = server.usage().cpuMs
    const by = kind === 'one taps' ? 'one' : 'all'
    const taps = kind.endsWith('taps')
      ? viewers.tap({ by, perSecond: TAPS_PER_SECOND, overMs: PHASE_MS })
      : null
    for (let sent = 0; sent < total; sent += 1) {
      await pause(Math.max(0, startMs + (sent * 1000) / CHAT_PER_SECOND - preciseNowMs()))
      server.feed.write(`${payloadJson(firstSeq + sent)}\n`)
    }
    await Promise.all([taps, pause(Math.max(0, startMs + PHASE_MS - preciseNowMs()))])
    const cpuMs = server.usage().cpuMs - before
    await pause(DRAIN_MS)
    const tally = await viewers.tally()
    return {
      kind,
      cpuMsPerSecond: (cpuMs * 1000) / PHASE_MS,
      p99Ms: tally.deliveries === 0 ? 0 : percentile(tally, 0.99),
      missing: hasChat ? total * viewers.size - tally.deliveries : 0,
    }
  }
}
await identity.stop()

function report(viewerCount: number, phases: readonly Phase[]): void {
  const of = (kind: Phase['kind']) => phases.filter((phase) => phase.kind === kind)
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
  const rows = KINDS.map((kind) => ({
    phase: kind,
    'CPU ms / s': Math.round(median(of(kind).map((phase) => phase.cpuMsPerSecond))),
    'p99 ms': median(of(kind).map((phase) => phase.p99Ms)),
    missing: of(kind).reduce((sum, { missing }) => sum + missing, 0),
  }))
  console.table(rows)
  const cpu = new Map(rows.map((row) => [row.phase, row['CPU ms / s']]))
  const above = (kind: Phase['kind']) => (cpu.get(kind) ?? 0) - (cpu.get('idle') ?? 0)
  const p99 = new Map(rows.map((row) => [row.phase, row['p99 ms']]))
  const chatRatio = (p99.get('chat and taps') ?? 0) / (p99.get('chat') ?? 1)
  console.log(
    `${viewerCount} viewers: taps cost ${(above('taps') / above('chat')).toFixed(2)} × one chat message a second, of which ` +
      `the frames of sums ${(above('one taps') / above('chat')).toFixed(2)} ×; chat p99 with taps is ` +
      `${chatRatio.toFixed(2)} × that without (goal: 0.9 to 1.1); the oldest reaction of a frame is seen with p99 ` +
      `${p99.get('taps')} ms (goal: 1,500)`,
  )
  if (json === undefined) return
  writeRows(
    json,
    rows.map(({ phase, ...figures }) => ({
      bench: 'reactions',
      input: { viewers: viewerCount, phase },
      figures: {
        cpuMsPerSecond: figures['CPU ms / s'],
        p99Ms: figures['p99 ms'],
        missing: figures.missing,
      },
    })),
  )
}
