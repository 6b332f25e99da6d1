/**
 * Time after an import of many videos through the API until the last of them can be put on a channel.
 *
 *   node bench/import.ts [videos …] [--json FILE]      default 20000
 */

import { until } from '@looptide/testkit/until'
import { importVideos, onStation, signInAdmin } from './import/import-videos.ts'
import { type BenchRow, measureSizes, rounded } from './report.ts'

const LONGEST_WAIT_MS = 600_000

const measure = (videos: number): Promise<BenchRow> =>
  onStation(async (url) => {
    const post = await signInAdmin(url)
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
  })

await measureSizes([20_000], measure)
