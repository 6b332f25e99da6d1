/**
 * Time after an import of many videos through the API until the last of them can be put on a channel.
 *
 *   node bench/import.ts [videos …] [--json FILE]      default 20000
 */

import { startTestStation } from '@looptide/test-station/station'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { until } from '@looptide/testkit/until'
import { importVideos, signInAdmin } from './import/import-videos.ts'
import { type BenchRow, benchArguments, machine, rounded, writeRows } from './report.ts'

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
    const post = await signInAdmin(station.url)
    const startMs = performance.now()
    const ids = await importVideos(post, videos)
    const importedMs = performance.now()
    await until(
      'the last video can be put on a channel',
      async () => (await post('/api/live-playlist', { videoIds: ids.slice(-1) })).ok,
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
