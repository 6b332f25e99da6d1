import { expect, it } from 'vitest'
import { isFeed } from './cors.ts'

it('opens the feeds to pages of every origin, and nothing else', () => {
  const feeds = [
    ...['/api/nowplaying', '/api/nowplaying?_=1', '/api/nowplaying/default', '/api/channels.m3u'],
    ...['/api/live/nowplaying/sse?channel=default', '/api/channels/default/media'],
    ...['/api/channels/default/history.rss', '/api/channels/default/history.json?_=1'],
  ]
  const others = [
    ...['/api/viewers', '/api/channels', '/api/channels/default/now', '/api/channels/a/b/history.rss'],
    ...['/api/channels/?/history.rss', '/api/nowplayings', '/x/api/nowplaying', '/api/me?/api/nowplaying'],
  ]
  expect(feeds.filter((url) => !isFeed(url))).toEqual([])
  expect(others.filter(isFeed)).toEqual([])
})
