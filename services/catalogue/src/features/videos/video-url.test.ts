import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseVideoLine, titleOfMedia } from './video-url.ts'

const ids = fc.stringMatching(/^[A-Za-z0-9_-]{11}$/)
const schemes = fc.constantFrom('https://', 'http://', '')
const hosts = fc.constantFrom('youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com')
const extras = fc.constantFrom('', '&t=42s', '&feature=share', '&pp=ygU%3D')
const blanks = fc.constantFrom('', ' ', '\t', '  \r')

describe('parseVideoLine', () => {
  it('finds the id in every form of YouTube URL', () => {
    const forms = [
      (host: string, id: string, extra: string) => `${host}/watch?v=${id}${extra}`,
      (host: string, id: string, extra: string) => `${host}/watch?app=desktop${extra}&v=${id}`,
      (_host: string, id: string, extra: string) => `youtu.be/${id}?si=x${extra}`,
      (host: string, id: string) => `${host}/embed/${id}`,
      (host: string, id: string) => `${host}/shorts/${id}`,
      (host: string, id: string) => `${host}/live/${id}?feature=share`,
      (_host: string, id: string) => `www.youtube-nocookie.com/embed/${id}?rel=0`,
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...forms),
        schemes,
        hosts,
        ids,
        extras,
        blanks,
        (form, scheme, host, id, extra, blank) => {
          const line = `${blank}${scheme}${form(host, id, extra)}${blank}`
          expect(parseVideoLine(line, false)).toEqual({ kind: 'youtube', youtubeId: id })
        },
      ),
    )
  })

  it('finds the video in a URL that also contains a playlist, and skips a URL of a playlist alone', () => {
    fc.assert(
      fc.property(hosts, ids, (host, id) => {
        for (const url of [
          `https://${host}/watch?v=${id}&list=PL${id}`,
          `https://youtu.be/${id}?list=RD${id}`,
        ]) {
          expect(parseVideoLine(url, true)).toEqual({ kind: 'youtube', youtubeId: id })
        }
        for (const url of [`https://${host}/playlist?list=PL${id}`, `https://${host}/watch?list=PL${id}`]) {
          expect(parseVideoLine(url, true)).toEqual({ kind: 'skipped', reason: 'playlist_not_supported' })
        }
      }),
    )
  })

  it('never throws, and returns only ids that the line contains', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl()), (line) => {
        const parsed = parseVideoLine(line, true)
        if (parsed.kind === 'youtube') expect(line).toContain(parsed.youtubeId)
        if (parsed.kind === 'media') expect(parsed.url).toMatch(/^https:|^\/test-card\//)
      }),
    )
  })

  it.each([
    ['', 'blank'],
    ['   ', 'blank'],
    ['hello', 'not_a_video_url'],
    ['https://vimeo.com/123', 'not_a_video_url'],
    ['https://www.youtube.com/watch?v=short', 'not_a_video_url'],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQQ', 'not_a_video_url'],
    ['https://www.youtube.com/@someone', 'not_a_video_url'],
    ['https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ', 'not_a_video_url'],
    ['javascript:alert(1)//youtu.be/dQw4w9WgXcQ', 'not_a_video_url'],
    ['http://cdn.example/clip.mp4', 'not_a_video_url'],
    ['/test-card/../secret.mp4', 'not_a_video_url'],
    ['//cdn.example/clip.mp4', 'not_a_video_url'],
  ])('skips %j as %s', (line, reason) => {
    expect(parseVideoLine(line, true)).toEqual({ kind: 'skipped', reason })
  })

  it('keeps any other http or https URL with allowUnplayable, and no other text', () => {
    for (const url of [
      'https://vimeo.com/123',
      'http://cdn.example/clip.mp4',
      'https://www.youtube.com/@someone',
    ]) {
      expect(parseVideoLine(url, true, true)).toEqual({ kind: 'media', url, isPlayable: false })
    }
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.webUrl(),
          fc.constantFrom('javascript:alert(1)', 'data:text/html,x', 'https://a:b@c.example/'),
        ),
        (line) => {
          const parsed = parseVideoLine(line, true, true)
          if (parsed.kind !== 'media' || parsed.isPlayable) return
          const { protocol, username } = new URL(parsed.url)
          expect(protocol).toMatch(/^https?:$/)
          expect(username).toBe('')
        },
      ),
    )
  })

  it('accepts media URLs only with allowMedia', () => {
    for (const url of [
      'https://cdn.example/a/clip.mp4?x=1',
      'https://cdn.example/live.m3u8',
      '/test-card/a-1.webm',
    ]) {
      expect(parseVideoLine(url, true)).toEqual({ kind: 'media', url, isPlayable: true })
      expect(parseVideoLine(url, false)).toEqual({ kind: 'skipped', reason: 'not_a_video_url' })
    }
  })
})

it('derives the title of a media file from its file name', () => {
  expect(titleOfMedia('https://cdn.example/My%20first_clip.mp4?x=1')).toBe('My first clip')
  expect(titleOfMedia('https://cdn.example/%E0%A4%A.mp4')).toBe('%E0%A4%A')
  expect(titleOfMedia('https://cdn.example/.mp4')).toBe('Untitled')
})
