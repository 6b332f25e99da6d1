/**
 * A gateway dies, or is restarted, under its viewers: how long until all are back, and what reaches the services
 * meanwhile. Viewers come back by the web app's own rule and ask over HTTP what the live page asks. See bench/README.md.
 *
 *   node bench/gateway-restart.ts [viewers …] [--json FILE]      default 5000
 */
import { setTimeout as pause } from 'node:timers/promises'
import { startTestStation, type TestStation } from '@looptide/testkit/station'
import { until } from '@looptide/testkit/until'
import { Agent, request } from 'undici'
import { REJOIN_SPREAD_MS } from '../web/src/lib/reconnect-delay.ts'
import { CHANNEL, CHAT_TOPIC, STREAM_TOPIC } from './fan-out/messages.ts'
import { ReturningViewer } from './gateway-restart/returning-viewer.ts'
import { grown, requestCounts } from './gateway-restart/upstream-counts.ts'
import { type BenchRow, benchArguments, machine, writeRows } from './report.ts'
import { tokensOf } from './sockets/people.ts'

/** Every so many viewers one is signed in, with a token of their own. */
const SIGNED_IN_EVERY = 5
const PEOPLE = 25
const ARRIVALS_PER_TICK = 20
const TICK_MS = 20
const LONGEST_MS = 60_000
/** Connections of all viewers' browsers for what they ask over HTTP. */
const HTTP_CONNECTIONS = 200

type How = 'killed' | 'restarted'

interface Crowd {
  viewers: ReturningViewer[]
  /** HTTP requests of the viewers under way, asked, and refused. */
  http: { open: number; asked: number; refused: number }
}

/** What the live page asks for after each join: the theme, what was said meanwhile, and whether one may write. */
async function askAfterJoin(url: string, token: string | null, crowd: Crowd, agent: Agent): Promise<void> {
  const questions = [
    { path: `/api/chat/channels/${CHANNEL}/messages?after=0`, afterMs: 0 },
    // The page asks at an instant of its own.
    { path: '/api/theme', afterMs: Math.random() * REJOIN_SPREAD_MS },
    { path: `/api/chat/channels/${CHANNEL}/permissions`, afterMs: Math.random() * REJOIN_SPREAD_MS },
  ]
  const { http } = crowd
  await Promise.all(
    questions.slice(0, token === null ? -1 : undefined).map(async ({ path, afterMs }) => {
      http.open += 1
      await pause(afterMs)
      http.asked += 1
      try {
        const headers = token === null ? {} : { authorization: `Bearer ${token}` }
        const { statusCode, body } = await request(url + path, { dispatcher: agent, headers })
        await body.dump()
        if (statusCode !== 200) http.refused += 1
      } catch {
        http.refused += 1
      }
      http.open -= 1
    }),
  )
}

async function gather(station: TestStation, count: number, agent: Agent): Promise<Crowd> {
  const people = await tokensOf(station.url, PEOPLE, Math.floor(count / SIGNED_IN_EVERY))
  const crowd: Crowd = { viewers: [], http: { open: 0, asked: 0, refused: 0 } }
  const port = Number(new URL(station.url).port)
  const common = [STREAM_TOPIC, CHAT_TOPIC, 'realtime:station']
  for (let index = 0; index < count; index += 1) {
    const person = index % SIGNED_IN_EVERY === 0 ? people[index / SIGNED_IN_EVERY] : undefined
    const token = person?.token ?? null
    const topics = person === undefined ? common : [...common, `realtime:user:${person.id}`]
    const viewer = new ReturningViewer({ port, topics, token }, () => {
      void askAfterJoin(station.url, token, crowd, agent)
    })
    crowd.viewers.push(viewer)
    viewer.come()
    if (index % ARRIVALS_PER_TICK === 0) await pause(TICK_MS)
  }
  await until('all have joined', () => allAreIn(crowd), { timeoutMs: LONGEST_MS })
  return crowd
}

const allAreIn = ({ viewers, http }: Crowd): boolean =>
  http.open === 0 && viewers.every(({ joinedAtMs }) => joinedAtMs !== null)

async function measure(station: TestStation, crowd: Crowd, how: How): Promise<BenchRow> {
  const { gateway: _own, ...services } = station.urls
  crowd.http.asked = 0
  crowd.http.refused = 0
  const before = await requestCounts(services)
  const endedAtMs = performance.now()
  if (how === 'killed') void station.kill('gateway', 'SIGKILL')
  else void station.restart('gateway')
  const allAreBack = () => crowd.viewers.every(({ joinedAtMs }) => (joinedAtMs ?? 0) > endedAtMs)
  await until('all are back', allAreBack, { timeoutMs: LONGEST_MS })
  await until('all has been asked', () => crowd.http.open === 0, { timeoutMs: LONGEST_MS })
  const backMs = crowd.viewers
    .map(({ joinedAtMs }) => (joinedAtMs ?? 0) - endedAtMs)
    .toSorted((one, other) => one - other)
  const at = (share: number): number => Math.round(backMs[Math.ceil(backMs.length * share) - 1] ?? 0)
  const reached = grown(before, await requestCounts(services))
  return {
    bench: 'gateway-restart',
    input: { viewers: crowd.viewers.length, how },
    figures: {
      firstBackMs: Math.round(backMs[0] ?? 0),
      halfBackMs: at(0.5),
      p99BackMs: at(0.99),
      allBackMs: at(1),
      httpAsked: crowd.http.asked,
      httpRefused: crowd.http.refused,
      ...Object.fromEntries(Object.entries(reached).map(([name, count]) => [`reached ${name}`, count])),
    },
  }
}

const { sizes, json } = benchArguments([5000])
console.log(machine())
const station = await startTestStation({ env: { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn' } })
const agent = new Agent({ connections: HTTP_CONNECTIONS })
const rows: BenchRow[] = []
try {
  for (const size of sizes) {
    const crowd = await gather(station, size, agent)
    for (const how of ['killed', 'restarted'] as const) {
      rows.push(await measure(station, crowd, how))
      console.log(JSON.stringify(rows.at(-1)))
      await until('all is quiet', () => allAreIn(crowd), { timeoutMs: LONGEST_MS })
    }
    for (const viewer of crowd.viewers) viewer.leave()
  }
  await agent.close()
} finally {
  await station.stop()
}
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
if (json !== undefined) writeRows(json, rows)
