import type { Video } from '@looptide/contracts/http/videos'
import { count } from '../count.ts'
import { usageError } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import type { StationApi } from '../station-api.ts'
import type { AddCommands } from './add-commands.ts'

interface RefreshOptions {
  video?: string[]
  channel?: string
  pending?: boolean
  failed?: boolean
}

/** Most videos in one request. */
const AT_ONCE = 500
const DEFAULT_CHANNEL = 'default'

/** Adds `metadata`. */
export const addMetadataCommands: AddCommands = (program, act) => {
  program
    .command('metadata')
    .description('metadata of videos')
    .command('refresh')
    .description('look videos up again')
    .option('--video <id...>', 'the videos with these ids')
    .option('--channel <id>', 'all videos of a channel')
    .option('--pending', 'all videos without an answer, for example after Redis lost its queue')
    .option('--failed', 'all videos whose look-up failed')
    .action(act((session, options: RefreshOptions) => refresh(session, options)))
}

async function refresh(session: Session, options: RefreshOptions): Promise<void> {
  if (Object.keys(options).length !== 1) {
    throw usageError('Specify which videos: exactly one of --video, --channel, --pending and --failed.')
  }
  const station = await session.station()
  const asked =
    options.failed === true
      ? await retryFailed(station)
      : await askAgain(station, await wanted(station, options))
  session.report({ count: asked }, `${count(asked, 'video')} will be looked up again.`)
}

const retryFailed = async (station: StationApi): Promise<number> =>
  (await station.call('POST /api/metadata/jobs/retry')).count

async function wanted(station: StationApi, options: RefreshOptions): Promise<string[]> {
  if (options.video !== undefined) return options.video
  if (options.channel !== undefined) return playedBy(station, options.channel)
  return videos(station, { all: true }, ({ metadataStatus }) => metadataStatus === 'pending')
}

/** Videos of a channel. The default channel plays every public video while its playlist is empty. */
async function playedBy(station: StationApi, channelId: string): Promise<string[]> {
  const ids = new Set<string>()
  const params = { id: channelId }
  for await (const item of station.list('GET /api/channels/:id/playlist', { params })) ids.add(item.videoId)
  return ids.size === 0 && channelId === DEFAULT_CHANNEL ? videos(station, {}, () => true) : [...ids]
}

async function videos(
  station: StationApi,
  query: { all?: boolean },
  isWanted: (video: Video) => boolean,
): Promise<string[]> {
  const ids: string[] = []
  for await (const video of station.list('GET /api/videos', { query })) {
    if (video.youtubeId !== null && isWanted(video)) ids.push(video.id)
  }
  return ids
}

async function askAgain(station: StationApi, ids: readonly string[]): Promise<number> {
  let asked = 0
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const body = { ids: ids.slice(from, from + AT_ONCE) }
    asked += (await station.call('POST /api/videos/update-metadata', { body })).count
  }
  return asked
}
