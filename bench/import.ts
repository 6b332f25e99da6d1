/**
 * Time of an import of many videos through the API, the time after it until the last of them can be put on a channel and
 * until all are in the lists of viewers, with their titles, and how long viewers wait during the import for what is on the
 * air.
 *
 *   node bench/import.ts [videos …] [--json FILE]      default 20000
 */

import { until } from '@looptide/testkit/until'
import { importVideos, onStation, signInAdmin } from './import/import-videos.ts'
import { sampleNow } from './import/now-sampler.ts'
import { quantile } from './quantile.ts'
import { type BenchRow, measureSizes, rounded } from './report.ts'

const LONGEST_WAIT_MS = 600_000

const measure = (videos: number): Promise<BenchRow> =>
  onStation(async (url) => {
    const post = await signInAdmin(url)
    const now = sampleNow(url)
    const startMs = performance.now()
    const ids = await importVideos(post, videos)
    const importedMs = performance.now()
    const times = await now.stop()
    await until(
      'the last video can be put on a channel',
      async () => (await post('/api/live-playlist', { videoIds: ids.slice(-1) })).ok,
      { timeoutMs: LONGEST_WAIT_MS },
    )
    const readyMs = performance.now()
    await until(
      'every video is in the lists of viewers, with its title',
      async () => {
        const list = (await (await fetch(`${url}/api/videos?limit=1`)).json()) as { total: number }
        return list.total >= videos
      },
      { timeoutMs: LONGEST_WAIT_MS },
    )
    return {
      bench: 'import',
      input: { videos },
      figures: {
        importS: rounded((importedMs - startMs) / 1000, 1),
        nowP50Ms: rounded(quantile(times, 0.5), 1),
        nowP99Ms: rounded(quantile(times, 0.99), 1),
        readyAfterS: rounded((readyMs - importedMs) / 1000, 1),
        listedAfterS: rounded((performance.now() - importedMs) / 1000, 1),
      },
    }
  })

await measureSizes([20_000], measure)
