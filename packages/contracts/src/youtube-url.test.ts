import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findUrls,
  parseWebUrl,
  parseYoutubeListUrl,
  parseYoutubeUrl,
  splitPastedLine,
} from './youtube-url.ts'

const RESERVED = ['videoseries', 'live_stream']
const ids = fc.stringMatching(/^[A-Za-z0-9_-]{11}$/).filter((id) => !RESERVED.includes(id.toLowerCase()))
const enc = encodeURIComponent

/** Every form of the URL of a video, without a scheme. */
const FORMS: ((id: string) => string)[] = [
  (id) => `www.youtube.com/watch?v=${id}`,
  (id) => `m.youtube.com/watch?app=desktop&amp;v=${id}&amp;t=3`,
  (id) => `music.youtube.com/watch?v=${id}&list=RDAMVM${id}`,
  (id) => `youtube.com/watch?v=${id}?t=30`,
  (id) => `youtube.com/?v=${id}`,
  (id) => `youtube.com/watch/${id}`,
  (id) => `youtube.com/watch_popup?v=${id}`,
  (id) => `youtube.com/e/${id}`,
  (id) => `youtube.com/v/${id}?version=3`,
  (id) => `youtube.com/embed/${id}?rel=0`,
  (id) => `www.youtube-nocookie.com/embed/${id}`,
  (id) => `youtube.com/shorts/${id}/`,
  (id) => `youtube.com/live/${id}?feature=share`,
  (id) => `studio.youtube.com/video/${id}/edit`,
  (id) => `youtu.be/${id}`,
  (id) => `youtu.be/${id}?si=abc_-1`,
  (id) => `youtu.be/${id}&t=30`,
  (id) => `www.youtube.com/attribution_link?a=x&u=${enc(`/watch?v=${id}&feature=share`)}`,
  (id) => `www.youtube.com/attribution_link?u=/watch?v=${id}`,
]
/** What stands around a URL in texts that people copy. */
const AROUND: ((url: string) => string)[] = [
  (url) => url,
  (url) => `  ${url}\t`,
  (url) => `<${url}>`,
  (url) => `(${url})`,
  (url) => `"${url}",`,
  (url) => `„${url}“`,
  (url) => `${url}.`,
  (url) => `${url}!?`,
  (url) => `1. ${url}`,
  (url) => `12) ${url}`,
  (url) => `- ${url}`,
  (url) => `Title – ${url}`,
  (url) => `Official video (2019): ${url} 😀`,
  (url) => `[Title](${url})`,
  (url) => `曲「${url}」。`,
  (url) => `<iframe width="560" src="${url}" title="x"></iframe>`,
]
const pasted = fc
  .tuple(fc.constantFrom(...FORMS), fc.constantFrom('https://', 'HTTP://', ''), ids)
  .map(([form, scheme, id]) => ({ id, url: scheme + form(id) }))

const idIn = (text: string): string | undefined => {
  const url = parseWebUrl(text)
  return url === null ? undefined : parseYoutubeUrl(url)?.youtubeId
}

describe('the URL of a video', () => {
  it('is found in every form, in all that people paste around it', () => {
    for (const form of FORMS)
      for (const around of AROUND) expect(idIn(around(form('a_-bcdefg-_')))).toBe('a_-bcdefg-_')
    fc.assert(
      fc.property(pasted, fc.constantFrom(...AROUND), ({ id, url }, around) => {
        expect(idIn(around(url))).toBe(id)
      }),
    )
  })

  it('is found for each of several in a line', () => {
    const between = fc.constantFrom(' ', ', ', ',', ';', ' | ', ' and ', '\t', ' – Title – ')
    fc.assert(
      fc.property(fc.array(pasted, { minLength: 2, maxLength: 6 }), between, (list, separator) => {
        const parts = splitPastedLine(list.map(({ url }) => url).join(separator))
        expect(parts.map(idIn)).toEqual(list.map(({ id }) => id))
      }),
    )
  })

  it('is not found in place of a reserved word, in another host, or in part of a word', () => {
    for (const text of [
      'https://www.youtube.com/embed/videoseries?list=PLabc',
      'https://www.youtube.com/embed/live_stream?channel=UCabcdefghijklmnopqrstuv',
      'https://www.youtube.com/live/Live_Stream',
      'https://youtu.be/videoseries',
      'https://www.youtube.com/watch?v=dQw4w9WgXcQQ',
      'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
      'https://evil.example/youtube.com/watch?v=dQw4w9WgXcQ',
      'evil.example/youtu.be/dQw4w9WgXcQ',
      'notyoutu.be/dQw4w9WgXcQ',
      'javascript:alert(1)//youtu.be/dQw4w9WgXcQ',
      'https://www.youtube.com/attribution_link?u=https://evil.example/watch?v=dQw4w9WgXcQ',
      'https://www.youtube.com/redirect?q=https://youtu.be/dQw4w9WgXcQ',
      'dQw4w9WgXcQ',
    ]) {
      expect(idIn(text)).toBeUndefined()
    }
  })

  it('is never invented: an id is a part of the text, and any text is parsed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl()), (text) => {
        const id = idIn(text)
        if (id !== undefined) expect(text).toContain(id)
        for (const part of splitPastedLine(text)) expect(text).toContain(part)
      }),
    )
  })
})

it('URLs of other hosts stay as they are, with balanced brackets', () => {
  for (const url of [
    'https://cdn.example/Clip_(live).mp4',
    'https://cdn.example/clip.mp4?tags[]=1&sig=ab%3D%3D',
    'https://[2001:db8::1]/clip.mp4',
    'https://web.archive.org/web/2020/https://youtu.be/dQw4w9WgXcQ',
  ]) {
    expect(findUrls(url)).toEqual([url])
    expect(findUrls(`(see ${url}).`)).toEqual([url])
  }
})

const CHANNEL = 'UCabcdefghijklmnopqrstuv'

it.each([
  ['https://www.youtube.com/playlist?list=PLabc_-1', 'playlist', 'PLabc_-1'],
  ['youtube.com/watch?v=dQw4w9WgXcQ&list=PLabc', 'playlist', 'PLabc'],
  ['https://youtu.be/dQw4w9WgXcQ?list=PLabc', 'playlist', 'PLabc'],
  [`https://m.youtube.com/channel/${CHANNEL}/videos`, 'channel', CHANNEL],
  [' https://www.youtube.com/@Some.Band-1/featured ', 'handle', '@Some.Band-1'],
  ['https://www.youtube.com/@%E9%9F%B3%E6%A5%BD', 'handle', '@音楽'],
  ['https://www.youtube.com/user/SomeBand', 'user', 'SomeBand'],
  ['1. <https://www.youtube.com/embed/videoseries?list=PLabc>,', 'playlist', 'PLabc'],
])('%s names the %s %s', (url, kind, id) => {
  expect(parseYoutubeListUrl(url)).toEqual({ kind, id })
})

it.each([
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com/c/SomeBand',
  'https://www.youtube.com/channel/UCshort',
  'https://www.youtube.com/playlist?list=',
  'https://www.youtube.com/playlist?list=a%20b',
  'https://www.youtube.com/@',
  'https://www.youtube.com/%',
  'https://example.com/playlist?list=PLabc',
  'PLabc',
  '',
])('%s names no list', (url) => {
  expect(parseYoutubeListUrl(url)).toBeNull()
})
