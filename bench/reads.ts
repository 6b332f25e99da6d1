/**
 * How many reads a second the station answers through the gateway, beside a bare Fastify route that
 * sends a JSON of the same size, in one run: `node bench/reads.ts`. Each pair is measured in turns, so
 * that a machine whose speed drifts does not favour one side.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import { startTestStation } from '@looptide/testkit/station'
import { until } from '@looptide/testkit/until'
import autocannon from 'autocannon'

const SECONDS = 4
const ROUNDS = 3
const CONNECTIONS = 40
const PATHS = {
  now: '/api/channels/test-card/now',
  guide: '/api/channels/test-card/guide?hours=2',
  home: '/api/home?seed=bench',
  search: '/api/search?q=test',
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  }
  return result.requests.average
}

/** A process of its own that answers `body` as a bare Fastify route would. */
async function startBare(body: string): Promise<{ url: string; stop(): void }> {
  const child = fork(new URL('./reads-bare.ts', import.meta.url), [], { stdio: 'inherit' })
  child.send({ body: JSON.parse(body) as unknown })
  const [message] = (await once(child, 'message')) as [{ url: string }]
  return { url: message.url, stop: () => child.kill() }
}

const station = await startTestStation({ env: { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn' } })
try {
  console.log(
    `${os.cpus().length} × ${os.cpus()[0]?.model}, Node ${process.version}, ${CONNECTIONS} connections`,
  )
  await until('the channel is on the air', async () => {
    const now = await (await fetch(`${station.url}${PATHS.now}`)).json()
    return (now as { programmes: unknown[] }).programmes.length > 0
  })
  const rows = []
  for (const [name, path] of Object.entries(PATHS)) {
    const url = `${station.url}${path}`
    const body = await (await fetch(url)).text()
    const bare = await startBare(body)
    const ours: number[] = []
    const theirs: number[] = []
    await requestsPerSecond(url)
    for (let round = 0; round < ROUNDS; round += 1) {
      theirs.push(await requestsPerSecond(bare.url))
      ours.push(await requestsPerSecond(url))
    }
    bare.stop()
    const ratios = ours.map((value, index) => value / (theirs[index] ?? 1))
    rows.push({
      read: name,
      bytes: body.length,
      'bare Fastify /s': Math.round(median(theirs)),
      'gateway /s': Math.round(median(ours)),
      'ratio (median of pairs)': Number(median(ratios).toFixed(2)),
    })
  }
  console.table(rows)
} finally {
  await station.stop()
}
