import { randomUUID } from 'node:crypto'
import type { AirLogEntry } from '@looptide/contracts/http/channels'
import type { NowPlaying } from '@looptide/contracts/http/now-playing'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differences } from './_azuracast.ts'
import { type GatewayHarness, LONG_MS, nowState, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

const SITE = 'http://station.test'
let harness: GatewayHarness

/** Seven programmes that ended, each a minute after the one before it, and the current one as the first. */
function airLogOf(channelId: string, currentStartsAtMs: number, currentEndsAtMs: number): AirLogEntry[] {
  return Array.from({ length: 8 }, (_, index) => ({
    id: `${channelId}.${100 - index}`,
    channelId,
    videoId: randomUUID(),
    title: `Earlier ${index}`,
    artistName: 'Past Artist',
    startedAtMs: currentStartsAtMs - index * 60_000,
    endedAtMs: index === 0 ? currentEndsAtMs : currentStartsAtMs - (index - 1) * 60_000,
    thumbnailUrl: null,
    isListed: true,
  }))
}

beforeAll(async () => {
  harness = await startGatewayHarness()
  const state = nowState('default', {}, LONG_MS)
  const [current] = state.programmes
  harness.channels.set('default', state)
  harness.names.set('default', 'Main')
  harness.airLog.set('default', airLogOf('default', current?.startsAtMs ?? 0, current?.endsAtMs ?? 0))
})
afterAll(() => harness.close())

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(harness.gateway.url + path, { headers })
const read = async <T = NowPlaying>(path: string): Promise<T> => (await get(path)).json() as Promise<T>
const seconds = (epochMs: number | undefined): number => Math.floor((epochMs ?? 0) / 1000)

describe('what is on, in the shape of AzuraCast', () => {
  it('has every field of its OpenAPI document, with its type, and no other', async () => {
    const all = await read<NowPlaying[]>('/api/nowplaying')
    expect(all.map(({ station }) => station.shortcode)).toEqual(['default', 'test-card'])
    for (const one of all) expect(differences('NowPlaying', one)).toEqual([])
    expect(differences('NowPlaying', await read('/api/nowplaying/default'))).toEqual([])
  })

  it('takes each field from where it belongs', async () => {
    const [current, next] = harness.channels.get('default')?.programmes ?? []
    const log = harness.airLog.get('default') ?? []
    if (current?.kind !== 'video' || next?.kind !== 'video') throw new Error('no programmes')
    const askedAtMs = Date.now()
    const answer = await read('/api/nowplaying/default')
    const elapsedBy = (epochMs: number) => seconds(epochMs) - seconds(current.startsAtMs)

    // The list of channels, and the address of the site.
    const { id, ...station } = answer.station
    expect(id).toBeGreaterThan(0)
    expect(station).toEqual({
      ...{ name: 'Main', shortcode: 'default', description: '', timezone: 'UTC' },
      ...{ listen_url: `${SITE}/live?channel=default`, public_player_url: `${SITE}/live?channel=default` },
      ...{ url: `${SITE}/`, playlist_m3u_url: `${SITE}/api/channels.m3u`, playlist_pls_url: '' },
      // What this station does not have.
      ...{ frontend: 'remote', backend: 'none', is_public: true, requests_enabled: false },
      ...{ mounts: [], remotes: [], hls_enabled: false, hls_is_default: false, hls_url: null },
      hls_listeners: 0,
    })

    // The programme on the air, and the time of the request.
    const { elapsed, remaining, ...now } = answer.now_playing
    expect(now).toEqual({
      sh_id: current.seq,
      played_at: seconds(current.startsAtMs),
      duration: LONG_MS / 1000,
      ...{ playlist: '', streamer: '', is_request: false },
      song: {
        id: current.videoId.replaceAll('-', ''),
        art: current.video.thumbnailUrl,
        custom_fields: { channel_id: 'default', programme_id: current.id, video_id: current.videoId },
        ...{ text: 'Artist - Song 0', artist: 'Artist', title: 'Song 0', genre: 'Pop' },
        ...{ album: '', isrc: '', lyrics: '' },
      },
    })
    expect(elapsed + remaining).toBe(LONG_MS / 1000)
    // The answer may be the one of the second before.
    expect(elapsed).toBeGreaterThanOrEqual(elapsedBy(askedAtMs) - 1)
    expect(elapsed).toBeLessThanOrEqual(elapsedBy(Date.now()))

    // The next video of the timeline.
    expect(answer.playing_next).toMatchObject({
      ...{ cued_at: seconds(next.startsAtMs), played_at: seconds(next.startsAtMs), duration: LONG_MS / 1000 },
      song: { text: 'Artist - Song 1', id: next.videoId.replaceAll('-', '') },
    })

    // The air log without the current programme, newest first.
    expect(answer.song_history).toHaveLength(5)
    expect(answer.song_history[0]).toEqual({
      sh_id: 99,
      ...{ played_at: seconds(log[1]?.startedAtMs), duration: 60 },
      ...{ playlist: '', streamer: '', is_request: false },
      song: {
        ...{ id: log[1]?.videoId.replaceAll('-', ''), art: '' },
        custom_fields: { channel_id: 'default', programme_id: 'default.99', video_id: log[1]?.videoId },
        ...{ text: 'Past Artist - Earlier 1', artist: 'Past Artist', title: 'Earlier 1' },
        ...{ album: '', genre: '', isrc: '', lyrics: '' },
      },
    })

    expect(answer.live).toEqual({ is_live: false, streamer_name: '', broadcast_start: null, art: null })
    expect(answer.is_online).toBe(true)
  })

  it('counts the viewers of the channel', async () => {
    const viewer = await new RawClient(harness.realtimeUrl).open()
    await viewer.join('realtime:stream:default')
    await until(
      'the viewer is counted',
      async () => (await read('/api/nowplaying/default')).listeners.current === 1,
    )
    const { listeners } = await read('/api/nowplaying/default')
    expect(listeners).toEqual({ total: 1, unique: 1, current: 1 })
    viewer.close()
  })

  it('finds a channel by the number of its station, as clients of AzuraCast do', async () => {
    const { station } = await read('/api/nowplaying/default')
    const byNumber = await read(`/api/nowplaying/${station.id}`)
    expect(byNumber.station).toEqual(station)
  })

  it('answers 404 for an unknown channel, which pages of other origins can read', async () => {
    const response = await get('/api/nowplaying/nowhere', { origin: 'https://blog.example' })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'not_found' })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('answers 400 for what cannot be a channel, and ignores what clients add to the query', async () => {
    expect((await get('/api/nowplaying/A%20b')).status).toBe(400)
    expect((await get('/api/nowplaying/default?_=1700000000')).status).toBe(200)
    expect((await get('/api/nowplaying?_=1700000000')).status).toBe(200)
  })

  it('is open to every origin, without cookies, from the route and from memory', async () => {
    const headers = { origin: 'https://blog.example', cookie: 'a=b' }
    const both = await Promise.all([get('/api/nowplaying', headers), get('/api/nowplaying', headers)])
    for (const response of [...both, await get('/api/nowplaying', headers)]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      expect(response.headers.get('set-cookie')).toBeNull()
    }
    const preflight = await fetch(`${harness.gateway.url}/api/nowplaying/default`, {
      method: 'OPTIONS',
      headers: { ...headers, 'access-control-request-method': 'GET' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('cache-control')
    const other = await fetch(`${harness.gateway.url}/api/viewers`, { method: 'OPTIONS', headers })
    expect(other.status).toBe(404)
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('answers 304 to a client that has the text of this second, and never with an old time', async () => {
    await until('two requests are within a second', async () => {
      const first = await get('/api/nowplaying/default')
      const etag = first.headers.get('etag') ?? ''
      const { now_playing: before } = (await first.json()) as NowPlaying
      const second = await get('/api/nowplaying/default', { 'if-none-match': etag })
      if (second.status === 304) return true
      const { now_playing: after } = (await second.json()) as NowPlaying
      expect(after.elapsed).toBeGreaterThan(before.elapsed)
      return false
    })
  })

  it('asks the scheduler once for any number of clients', async () => {
    const before = harness.scheduler.requests.length
    await Promise.all(Array.from({ length: 200 }, () => get('/api/nowplaying/default').then((r) => r.text())))
    const asked = harness.scheduler.requests.slice(before).map(({ url }) => url)
    expect(asked.filter((url) => url.includes('air-log'))).toEqual([])
    expect(asked.length).toBeLessThan(5)
  })

  it('answers while the scheduler is down', async () => {
    await read('/api/nowplaying')
    await harness.scheduler.stop()
    const answer = await until('the shared list has expired', async () => {
      const body = await read('/api/nowplaying/default')
      return body.station.name === 'Main' ? body : undefined
    })
    expect(answer.now_playing.song.text).toBe('Artist - Song 0')
    await harness.scheduler.restart()
  })
})

describe('feeds and lists', () => {
  it('have their types, an ETag, and are open to every origin', async () => {
    const types: Record<string, string> = {
      '/api/channels/default/history.rss': 'application/rss+xml; charset=utf-8',
      '/api/channels/default/history.json': 'application/feed+json; charset=utf-8',
      '/api/channels.m3u': 'audio/x-mpegurl; charset=utf-8',
    }
    for (const [path, type] of Object.entries(types)) {
      const response = await get(path)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      const again = await get(path, { 'if-none-match': response.headers.get('etag') ?? '' })
      expect(again.status).toBe(304)
    }
  })

  it('have the programmes that have ended, without the current one', async () => {
    const feed = await read<{ items: { title: string }[] }>('/api/channels/default/history.json')
    expect(feed.items.map(({ title }) => title)).toEqual(
      Array.from({ length: 7 }, (_, index) => `Past Artist – Earlier ${index + 1}`),
    )
    expect(await (await get('/api/channels/default/history.rss')).text()).toContain('Earlier 7')
    expect((await get('/api/channels/nowhere/history.rss')).status).toBe(404)
  })

  it('lead a player to the file on the air', async () => {
    const list = await (await get('/api/channels.m3u')).text()
    expect(list).toContain('tvg-id="default.station.test" tvg-name="Main"')
    expect(list).toContain(`${SITE}/api/channels/default/media`)
    const response = await fetch(`${harness.gateway.url}/api/channels/default/media`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, `${SITE}/test-card/a.mp4`])
    const unknown = await fetch(`${harness.gateway.url}/api/channels/nowhere/media`, { redirect: 'manual' })
    expect(unknown.status).toBe(404)
  })
})
