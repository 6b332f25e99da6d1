/**
 * Hostile sockets: what viewers notice while others send megabytes of nested arrays, or stop within messages. Quiet and
 * attacked phases of one run. Method: bench/README.md.
 *
 *   node bench/hostile-sockets.ts [attackers …] [--json FILE]      default 100
 */
import { setTimeout as pause } from 'node:timers/promises'
import { startIdentity } from '@looptide/testkit/identity'
import { Attackers } from './attackers.ts'
import { ServerUnderTest } from './fan-out/child.ts'
import { CHAT_TOPIC } from './fan-out/messages.ts'
import type { Attack, AttackResult } from './hostile-sockets/attackers.ts'
import { BeatingViewer } from './hostile-sockets/beating-viewer.ts'
import { quantile } from './quantile.ts'
import { type BenchRow, benchArguments, machine, rounded, writeRows } from './report.ts'

const VIEWERS = 100
const PHASE_MS = 6000
/** Longer than a message may stay incomplete. */
const STOPPING_PHASE_MS = 13_000
const SAMPLE_MS = 20

interface Phase {
  name: string
  attack?: Omit<Attack, 'port' | 'forMs'>
  /** Duration of the phase, in ms. */
  forMs?: number
}

interface Measured {
  latenciesMs: number[]
  maxRssKib: number
  cpuMs: number
  attack: AttackResult | null
}

/** All viewers send heartbeats, with or without a concurrent attack. */
async function measure(
  server: ServerUnderTest,
  viewers: readonly BeatingViewer[],
  attackers: Attackers<Attack, AttackResult>,
  { attack, forMs = PHASE_MS }: Phase,
): Promise<Measured> {
  const { cpuMs } = server.usage()
  for (const viewer of viewers) viewer.latenciesMs = []
  let maxRssKib = 0
  const sampler = setInterval(() => {
    maxRssKib = Math.max(maxRssKib, server.usage().rssKib)
  }, SAMPLE_MS)
  const ended =
    attack === undefined ? pause(forMs, null) : attackers.run({ ...attack, port: server.port, forMs })
  const result = await ended
  clearInterval(sampler)
  const latenciesMs = viewers.flatMap((viewer) => viewer.seenMs()).sort((a, b) => a - b)
  return { latenciesMs, maxRssKib, cpuMs: server.usage().cpuMs - cpuMs, attack: result }
}

function toRow(
  attackers: number,
  { name, forMs = PHASE_MS }: Phase,
  measured: Measured,
  quietRssKib: number,
): BenchRow {
  const { latenciesMs, attack } = measured
  return {
    bench: 'hostile-sockets',
    input: { phase: name, attackers },
    figures: {
      heartbeats: latenciesMs.length,
      p50Ms: rounded(quantile(latenciesMs, 0.5), 1),
      p99Ms: rounded(quantile(latenciesMs, 0.99), 1),
      maxMs: rounded(latenciesMs.at(-1) ?? Number.NaN, 1),
      addedMb: rounded((measured.maxRssKib - quietRssKib) / 1024, 1),
      cpuPercent: rounded((measured.cpuMs * 100) / forMs),
      closed: attack?.closedAfterMs.length ?? null,
      closedAfterMinMs: attack === null ? null : rounded(Math.min(...attack.closedAfterMs)),
      closedAfterMaxMs: attack === null ? null : rounded(Math.max(0, ...attack.closedAfterMs)),
      leftOpen: attack?.open ?? null,
      codes: attack === null ? null : JSON.stringify(attack.codes),
    },
  }
}

const { sizes, json } = benchArguments([100])
const identity = await startIdentity()
const account = await identity.createUser()
const attackers = await Attackers.start<Attack, AttackResult>(
  new URL('./hostile-sockets/attackers.ts', import.meta.url),
)
console.log(machine())
const rows: BenchRow[] = []
for (const count of sizes) {
  const server = await ServerUnderTest.start('hub', identity.authUrl)
  const viewers = Array.from(
    { length: VIEWERS },
    (_, index) => new BeatingViewer(server.port, index / VIEWERS),
  )
  await Promise.all(viewers.map((viewer) => viewer.join(CHAT_TOPIC)))
  const phases: Phase[] = [
    { name: 'warm-up' },
    { name: 'quiet' },
    {
      name: 'stopped messages',
      attack: { sockets: count, again: false, stopping: { userId: account.id, token: account.token } },
      forMs: STOPPING_PHASE_MS,
    },
    { name: 'attack, once', attack: { sockets: count, again: false } },
    { name: 'repeated attack', attack: { sockets: count, again: true } },
    { name: 'quiet afterwards' },
  ]
  let quietRssKib = 0
  for (const phase of phases) {
    const measured = await measure(server, viewers, attackers, phase)
    if (phase.attack === undefined && quietRssKib === 0) quietRssKib = measured.maxRssKib
    if (phase.name === 'warm-up') continue
    rows.push(toRow(count, phase, measured, quietRssKib))
    console.log(JSON.stringify(rows.at(-1)))
  }
  for (const viewer of viewers) viewer.leave()
  await server.stop()
}
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
if (json !== undefined) writeRows(json, rows)
attackers.stop()
await identity.stop()
