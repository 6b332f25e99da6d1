/**
 * How many reads a second the station answers through the gateway, beside a plain Fastify route that sends the same
 * bytes, in one run. The two are measured alternately, so that a machine whose speed drifts favours neither.
 *
 *   node bench/reads.ts [connections …] [--json FILE]      default 64
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { startTestStation } from '@looptide/test-station/station'
import { until } from '@looptide/testkit/until'
import autocannon from 'autocannon'
import { type BenchRow, benchArguments, machine, rounded, writeRows } from './report.ts'

const SECONDS = 2
const ROUNDS = 3
const READS = {
  config: '/api/config',
  health: '/api/health',
  viewers: '/api/viewers',
  now: '/api/channels/test-card/now',
  guide: '/api/channels/test-card/guide?hours=2',
  'guide of all': '/api/guide',
  home: '/api/home?seed=bench',
  'search, found': '/api/search?q=e',
  'search, nothing found': '/api/search?q=absent',
  videos: '/api/videos',
  'videos by title, a page of 20': '/api/videos?sort=title&limit=20',
  'videos that contain a text': '/api/videos?q=e',
  channels: '/api/channels',
  'air log': '/api/channels/test-card/air-log',
} as const
/** Requested again by a client that has the answer: 304, beside a plain route that sends the whole. */
const KNOWN = ['guide', 'home', 'search, found'] as const

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

interface ReadTarget {
  url: string
  connections: number
  headers?: Record<string, string>
}

async function requestsPerSecond({ url, connections, headers = {} }: ReadTarget): Promise<number> {
  const result = await autocannon({ url, connections, headers, duration: SECONDS })
  const refused = result.non2xx - (result.statusCodeStats?.['304']?.count ?? 0)
  if (refused > 0 || result.errors > 0)
    throw new Error(`${url}: ${refused} refusals, ${result.errors} errors`)
  return result.requests.average
}

/** A separate process that answers `body` with a plain Fastify route. */
async function startBare(body: string): Promise<{ url: string; stop(): void }> {
  const child = fork(new URL('./reads-bare.ts', import.meta.url), [], { stdio: 'inherit' })
  child.send({ body })
  const [message] = (await once(child, 'message')) as [{ url: string }]
  return { url: message.url, stop: () => child.kill() }
}

async function measure(read: string, url: string, connections: number, isKnown: boolean): Promise<BenchRow> {
  const first = await fetch(url)
  const body = await first.text()
  const etag = first.headers.get('etag') ?? ''
  const bare = await startBare(body)
  const target = { url, connections, ...(isKnown ? { headers: { 'if-none-match': etag } } : {}) }
  const ours: number[] = []
  const theirs: number[] = []
  await requestsPerSecond(target)
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push(await requestsPerSecond({ url: bare.url, connections }))
    ours.push(await requestsPerSecond(target))
  }
  bare.stop()
  const ratios = ours.map((value, index) => value / (theirs[index] ?? 1))
  return {
    bench: 'reads',
    input: { read: isKnown ? `${read}, known (304)` : read, connections },
    figures: {
      bytes: body.length,
      barePerSecond: rounded(median(theirs)),
      gatewayPerSecond: rounded(median(ours)),
      ratio: rounded(median(ratios), 2),
    },
  }
}

const { sizes, json } = benchArguments([64])
const station = await startTestStation({ env: { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn' } })
const rows: BenchRow[] = []
try {
  console.log(machine())
  await until('the channel is on the air', async () => {
    const now = await (await fetch(`${station.url}${READS.now}`)).json()
    return (now as { programmes: unknown[] }).programmes.length > 0
  })
  for (const connections of sizes) {
    for (const [read, path] of Object.entries(READS))
      rows.push(await measure(read, `${station.url}${path}`, connections, false))
    for (const read of KNOWN)
      rows.push(await measure(read, `${station.url}${READS[read]}`, connections, true))
  }
} finally {
  await station.stop()
}
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
if (json !== undefined) writeRows(json, rows)
