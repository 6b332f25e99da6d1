import type { AirLogEntry, VideoProgramme } from '@looptide/contracts/http/channels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { historyJson, historyRss, iptvList, mediaUrlOf } from './feeds.ts'
import type { ChannelFacts } from './now-playing.ts'

const SITE = { siteUrl: 'https://station.test', brandName: 'Looptide' }
const VIDEO = '0b8c8f5e-6a3d-4a1e-9a77-3c2f3b1d9e10'
const CHANNEL = { id: 'main', name: 'Main', description: null }
const HOSTILE = '\u202Egnp.exe\u2066 ]]> <script>&amp;\u0000\u0007\u001b[2J\uFFFE\ud800\r\n#EXTINF "x", end'
const DANGEROUS = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufffe\ud800-\udfff]/u

const entry = (changes: Partial<AirLogEntry> = {}): AirLogEntry => ({
  ...{ id: 'main.7', channelId: 'main', videoId: VIDEO, title: 'Song', artistName: 'Artist' },
  ...{
    startedAtMs: 1_700_000_000_000,
    endedAtMs: 1_700_000_180_000,
    thumbnailUrl: '/a.webp',
    isListed: true,
  },
  ...changes,
})
const programme = (seq: number, mediaUrl: string | null): VideoProgramme => ({
  ...{ id: `main.${seq}.1`, channelId: 'main', seq, startsAtMs: seq * 1000, endsAtMs: (seq + 1) * 1000 },
  ...{ kind: 'video', videoId: VIDEO, reason: null, block: null },
  video: {
    ...{
      id: VIDEO,
      title: `Song ${seq}`,
      artistName: 'Artist',
      genre: '',
      description: '',
      duration: '0:01',
    },
    ...{ durationMs: 1000, startAtMs: 0, mediaDurationMs: 1000, thumbnailUrl: null },
    ...{ youtubeId: mediaUrl === null ? 'aaaaaaaaaaa' : null, mediaUrl },
  },
})
const facts = (media: readonly (string | null)[], name = 'Main'): ChannelFacts => ({
  channel: { ...CHANNEL, name },
  ...{ status: 'live', viewers: 0, history: [] },
  programmes: media.map((mediaUrl, index) => programme(index, mediaUrl)),
})

describe('the feed of past programmes', () => {
  it('is RSS 2.0, with the page of each video that is still public', () => {
    const entries = [entry(), entry({ id: 'main.6', isListed: false })]
    const rss = historyRss({ channel: CHANNEL, entries }, SITE)
    expect(rss).toContain('<title>What was on: Main · Looptide</title>')
    expect(rss).toContain(
      `<item><title>Artist – Song</title><link>https://station.test/videos/${VIDEO}</link><guid isPermaLink="false">tag:station.test,2026:main.7</guid><pubDate>Tue, 14 Nov 2023 22:13:20 GMT</pubDate></item>`,
    )
    expect(rss).toContain('<link>https://station.test/live?channel=main</link><guid isPermaLink="false">tag')
  })

  it('is JSON Feed 1.1', () => {
    const feed: unknown = JSON.parse(historyJson({ channel: CHANNEL, entries: [entry()] }, SITE))
    expect(feed).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'What was on: Main · Looptide',
      description: 'The last programmes of Main on Looptide.',
      home_page_url: 'https://station.test/live?channel=main',
      feed_url: 'https://station.test/api/channels/main/history.json',
      items: [
        {
          ...{ id: 'tag:station.test,2026:main.7', url: `https://station.test/videos/${VIDEO}` },
          ...{ title: 'Artist – Song', content_text: 'Artist – Song', authors: [{ name: 'Artist' }] },
          image: 'https://station.test/a.webp',
          date_published: '2023-11-14T22:13:20.000Z',
        },
      ],
    })
  })

  it('has no markup, control characters or changes of direction from titles', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(HOSTILE))
    fc.assert(
      fc.property(text, text, (title, artistName) => {
        const feed = { channel: { ...CHANNEL, name: title }, entries: [entry({ title, artistName })] }
        const rss = historyRss(feed, SITE)
        expect(rss.replaceAll('\n', '')).not.toMatch(DANGEROUS)
        expect(rss).not.toContain(']]>')
        expect(rss.match(/<[a-z]+/g)?.length).toBe(historyRssTags)
        const [item] = (JSON.parse(historyJson(feed, SITE)) as { items: { title: string }[] }).items
        expect(item?.title).not.toMatch(DANGEROUS)
      }),
    )
  })
})

/** Elements that the feed of one entry opens. */
const historyRssTags = (historyRss({ channel: CHANNEL, entries: [entry()] }, SITE).match(/<[a-z]+/g) ?? [])
  .length

describe('the list for IPTV players', () => {
  it('has the channels that play files only, with their ids in the guide', () => {
    const youtube = facts(['/a.mp4', null])
    expect(iptvList([facts(['/a.mp4', '/b.m3u8']), youtube, facts([])], SITE)).toBe(
      '#EXTM3U x-tvg-url="https://station.test/api/guide.xml"\n' +
        '#EXTINF:-1 tvg-id="main.station.test" tvg-name="Main" group-title="Looptide",Main\n' +
        'https://station.test/api/channels/main/media\n',
    )
  })

  it('has two lines for a channel, whatever its name', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(HOSTILE))
    fc.assert(
      fc.property(text, (name) => {
        const lines = iptvList([facts(['/a.mp4'], name)], SITE).split('\n')
        expect(lines).toHaveLength(4)
        expect(lines.join('')).not.toMatch(DANGEROUS)
        expect(lines[1]?.split('"')).toHaveLength(7)
      }),
    )
  })

  it('leads to the file that is on the air', () => {
    expect(mediaUrlOf(facts(['/a.mp4', 'https://cdn.test/b.m3u8']), SITE.siteUrl)).toBe(
      'https://station.test/a.mp4',
    )
    expect(mediaUrlOf(facts([null, '/a.mp4']), SITE.siteUrl)).toBeUndefined()
    expect(mediaUrlOf(facts([]), SITE.siteUrl)).toBeUndefined()
  })
})
