import type { ChannelPlaylistItem } from '@looptide/contracts/http/channels'
import type { RetriedJobs } from '@looptide/contracts/http/metadata'
import type { CountResult, Video } from '@looptide/contracts/http/videos'
import type { Static } from 'typebox'
import { usageError } from '../exit-codes.ts'
import type { AddCommands } from '../run.ts'
import type { Session } from '../session.ts'
import type { StationApi } from '../station-api.ts'

interface RefreshOptions {
  video?: string[]
  channel?: string
  pending?: boolean
  failed?: boolean
}

/** Most videos one request may ask about. */
const AT_ONCE = 500

export const addMetadataCommands: AddCommands = (program, act) => {
  program
    .command('metadata')
    .description('what is known of the videos')
    .command('refresh')
    .description('ask YouTube again')
    .option('--video <id...>', 'about these videos')
    .option('--channel <id>', 'about all videos of a channel')
    .option('--pending', 'about all that wait for an answer, as after Redis has lost its queue')
    .option('--failed', 'about all that could not be looked up')
    .action(act((session, options: RefreshOptions) => refresh(session, options)))
}

async function refresh(session: Session, options: RefreshOptions): Promise<void> {
  if (Object.keys(options).length !== 1) {
    throw usageError('Say which: one of --video, --channel, --pending and --failed.')
  }
  const station = await session.station()
  const count =
    options.failed === true
      ? await retryFailed(station)
      : await askAgain(station, await wanted(station, options))
  session.report(
    { count },
    count === 1 ? 'YouTube is asked about 1 video.' : `YouTube is asked about ${count} videos.`,
  )
}

const retryFailed = async (station: StationApi): Promise<number> =>
  (await station.send<RetriedJobs>('POST', '/api/metadata/jobs/retry')).count

async function wanted(station: StationApi, options: RefreshOptions): Promise<string[]> {
  if (options.video !== undefined) return options.video
  const ids: string[] = []
  if (options.channel !== undefined) {
    const path = `/api/channels/${encodeURIComponent(options.channel)}/playlist`
    for await (const item of station.list<ChannelPlaylistItem>(path)) ids.push(item.videoId)
  } else {
    for await (const video of station.list<Video>('/api/videos', { all: true })) {
      if (video.metadataStatus === 'pending' && video.youtubeId !== null) ids.push(video.id)
    }
  }
  return [...new Set(ids)]
}

async function askAgain(station: StationApi, ids: readonly string[]): Promise<number> {
  let count = 0
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const body = { ids: ids.slice(from, from + AT_ONCE) }
    count += (await station.send<Static<typeof CountResult>>('POST', '/api/videos/update-metadata', body))
      .count
  }
  return count
}
