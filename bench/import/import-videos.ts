import { startTestStation, testAdmin } from '@looptide/test-station/station'
import { bearerOf } from '@looptide/testkit/client'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'

/** Rows of one request. */
const BATCH_SIZE = 500

/** Sends a POST request as the admin. */
export type AdminPost = (path: string, body: object) => Promise<Response>

const json = { 'content-type': 'application/json' }

/** Signs in the admin of a test station. Returns the access token. */
export async function adminToken(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(testAdmin),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Signs in the admin of a test station. */
export async function signInAdmin(url: string): Promise<AdminPost> {
  const headers = { ...bearerOf(await adminToken(url)), ...json }
  return (path, body) => fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Imports new videos and returns their ids. Their metadata may still be pending. */
export async function importVideos(post: AdminPost, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const rows = Array.from({ length: Math.min(BATCH_SIZE, count - ids.length) }, (_, index) => ({
      url: `https://youtu.be/i${String(ids.length + index).padStart(10, '0')}`,
    }))
    const response = await post('/api/videos/import', { rows, dryRun: false })
    const { lines } = (await response.json()) as { lines: { video: { id: string } }[] }
    ids.push(...lines.map(({ video }) => video.id))
  }
  return ids
}

/** Runs a measurement on a station with a fake YouTube and a key of its API. Both end with it. */
export async function onStation<T>(run: (url: string) => Promise<T>): Promise<T> {
  const youtube = await startFakeYoutube()
  const env = { LOG_LEVEL: 'warn', YOUTUBE_API_KEY: 'key' }
  const station = await startTestStation({ fakeYoutube: youtube.url, env })
  try {
    return await run(station.url)
  } finally {
    await station.stop()
    await youtube.stop()
  }
}
