import type { ChannelPlaylistPage } from '@looptide/contracts/http/channels'
import type { AddVideosResult, Video } from '@looptide/contracts/http/videos'
import { until } from '@looptide/testkit/until'

/** Sends a request as an admin; throws if it is refused. */
export async function askAsAdmin(
  stationUrl: string,
  token: string,
  method: string,
  path: string,
  body?: object,
) {
  const response = await fetch(stationUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

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
    const youtubeId = Buffer.from(artistName.padEnd(8, '_')).toString('base64url').slice(0, 11)
    const urls = [`https://www.youtube.com/watch?v=${youtubeId}`]
    const { lines }: AddVideosResult = await askAsAdmin(stationUrl, token, 'POST', '/api/videos', {
      urls,
      artistName,
    })
    ids.push(...lines.flatMap(({ video }) => (video ? [video.id] : [])))
  }
  for (const id of ids) {
    await until(`all is known about ${id}`, async () => {
      const video: Video = await askAsAdmin(stationUrl, token, 'GET', `/api/videos/${id}`)
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
  const { id } = await askAsAdmin(stationUrl, token, 'POST', '/api/channels', { name })
  // The scheduler learns of new videos by an event; until then it has none of them.
  await until('the scheduler knows the videos', () =>
    askAsAdmin(stationUrl, token, 'POST', `/api/channels/${id}/playlist`, { videoIds }),
  )
  await askAsAdmin(stationUrl, token, 'POST', `/api/channels/${id}/stream`, { action: 'start' })
  return id
}

/** Creates and starts a channel with the clips of the Test Card, which play without YouTube. Returns its id. */
export async function startClipChannel(stationUrl: string, token: string, name: string): Promise<string> {
  const { items }: ChannelPlaylistPage = await askAsAdmin(
    stationUrl,
    token,
    'GET',
    '/api/channels/test-card/playlist',
  )
  return startChannel(
    stationUrl,
    token,
    name,
    items.map(({ videoId }) => videoId),
  )
}
