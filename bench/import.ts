/**
 * Time after an import of many videos through the API until the last of them can be put on a channel.
 *
 *   node bench/import.ts [videos …] [--json FILE]      default 20000
 */
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { startTestStation, testAdmin } from '@looptide/testkit/station'
import { until } from '@looptide/testkit/until'
import { type BenchRow, benchArguments, machine, rounded, writeRows } from './report.ts'

/** Rows of one request. */
const PORTION = 500
const LONGEST_WAIT_MS = 600_000

const { sizes, json } = benchArguments([20_000])
const rows: BenchRow[] = []
console.log(machine())
for (const size of sizes) rows.push(await measure(size))
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
if (json !== undefined) writeRows(json, rows)

async function measure(videos: number): Promise<BenchRow> {
  const youtube = await startFakeYoutube()
  const station = await startTestStation({ fakeYoutube: youtube.url, env: { LOG_LEVEL: 'warn' } })
  try {
    const ask = asAdmin(station.url, await signIn(station.url))
    const startMs = performance.now()
    let last = ''
    for (let first = 0; first < videos; first += PORTION) {
      const lines = Array.from({ length: Math.min(PORTION, videos - first) }, (_, index) => ({
        url: `https://youtu.be/i${String(first + index).padStart(10, '0')}`,
      }))
      const answer = await ask('/api/videos/import', { rows: lines, dryRun: false })
      const imported = (await answer.json()) as { lines: { video: { id: string } }[] }
      last = imported.lines.at(-1)?.video.id ?? ''
    }
    const importedMs = performance.now()
    await until(
      'the last video can be put on a channel',
      async () => (await ask('/api/live-playlist', { videoIds: [last] })).ok,
      { timeoutMs: LONGEST_WAIT_MS },
    )
    return {
      bench: 'import',
      input: { videos },
      figures: {
        importS: rounded((importedMs - startMs) / 1000, 1),
        readyAfterS: rounded((performance.now() - importedMs) / 1000, 1),
      },
    }
  } finally {
    await station.stop()
    await youtube.stop()
  }
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(testAdmin),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

type Ask = (path: string, body: object) => Promise<Response>

function asAdmin(url: string, token: string): Ask {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return (path, body) => fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}
