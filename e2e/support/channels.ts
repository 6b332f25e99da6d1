import type { ChannelPlaylistPage } from '@looptide/contracts/http/channel-playlists'
import type { AddVideosResult, Video } from '@looptide/contracts/http/videos'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'

/** The id on the fake YouTube of the video that {@link addVideos} adds for an artist. */
export const youtubeIdFor = (artistName: string): string =>
  Buffer.from(artistName.padEnd(8, '_')).toString('base64url').slice(0, 11)

/**
 * Adds a video of the fake YouTube for each artist and waits for the metadata, which would change the timeline during a
 * test. Returns the ids.
 */
export async function addVideos(
  stationUrl: string,
  token: string,
  artists: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
  for (const artistName of artists) {
    const urls = [`https://www.youtube.com/watch?v=${youtubeIdFor(artistName)}`]
    const { lines }: AddVideosResult = await clientOf(stationUrl, token).call('POST /api/videos', {
      body: {
        urls,
        artistName,
      },
    })
    ids.push(...lines.flatMap(({ video }) => (video ? [video.id] : [])))
  }
  for (const id of ids) {
    await until(`all is known about ${id}`, async () => {
      const video: Video = await clientOf(stationUrl, token).call('GET /api/videos/:id', { params: { id } })
      return video.metadataStatus !== 'pending'
    })
  }
  return ids
}

/** Creates and starts a channel with these videos in this order. Returns its id. */
export async function startChannel(
  stationUrl: string,
  token: string,
  name: string,
  videoIds: readonly string[],
): Promise<string> {
  const { id } = await clientOf(stationUrl, token).call('POST /api/channels', { body: { name } })
  // The scheduler learns of new videos by an event; until then it has none of them.
  await until('the scheduler knows the videos', () =>
    clientOf(stationUrl, token).call('POST /api/channels/:id/playlist', {
      params: { id },
      body: { videoIds: [...videoIds] },
    }),
  )
  await clientOf(stationUrl, token).call('POST /api/channels/:id/stream', {
    params: { id },
    body: { action: 'start' },
  })
  return id
}

/** Creates and starts a channel with the clips of the Test Card, which play without YouTube. Returns its id. */
export async function startClipChannel(stationUrl: string, token: string, name: string): Promise<string> {
  const { items }: ChannelPlaylistPage = await clientOf(stationUrl, token).call(
    'GET /api/channels/:id/playlist',
    { params: { id: 'test-card' } },
  )
  return startChannel(
    stationUrl,
    token,
    name,
    items.map(({ videoId }) => videoId),
  )
}
