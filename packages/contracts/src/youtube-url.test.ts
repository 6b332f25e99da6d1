import { expect, it } from 'vitest'
import { parseYoutubeListUrl } from './youtube-url.ts'

const CHANNEL = 'UCabcdefghijklmnopqrstuv'

it.each([
  ['https://www.youtube.com/playlist?list=PLabc_-1', 'playlist', 'PLabc_-1'],
  ['youtube.com/watch?v=dQw4w9WgXcQ&list=PLabc', 'playlist', 'PLabc'],
  ['https://youtu.be/dQw4w9WgXcQ?list=PLabc', 'playlist', 'PLabc'],
  [`https://m.youtube.com/channel/${CHANNEL}/videos`, 'channel', CHANNEL],
  [' https://www.youtube.com/@Some.Band-1/featured ', 'handle', '@Some.Band-1'],
  ['https://www.youtube.com/@%E9%9F%B3%E6%A5%BD', 'handle', '@音楽'],
  ['https://www.youtube.com/user/SomeBand', 'user', 'SomeBand'],
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
