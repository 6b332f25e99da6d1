import type { Rule } from './requesters.ts'
import { INVALID, rules } from './rules.ts'

const open = (answer: string, more: Partial<Rule> = {}): Omit<Rule, 'audience'> => ({
  answer,
  isTokenless: true,
  ...more,
})

const BROADCAST = 'POST /realtime/v1/api/broadcast'
const SEND_ONE = `${BROADCAST}/{topic}/events/{event}`
const message = (topic: string) => ({
  body: { messages: [{ topic, event: 'note', payload: {}, private: true }] },
})
const NOT_YOURS = { other: '403 forbidden' }

/** Broadcasts over HTTP: the same permissions as on the socket (`TOPIC_ACCESS`). */
const BROADCAST_RULES = [
  ...rules('user', {
    [`${BROADCAST} | one’s own topic`]: { answer: '202', but: NOT_YOURS, ...message('user:{ownerId}') },
    [`${SEND_ONE} | one’s own topic`]: { answer: '202', but: NOT_YOURS, body: {} },
    [`${BROADCAST} | a public topic`]: { answer: '403 forbidden', ...message('station') },
    [`${BROADCAST} | no topic`]: { answer: INVALID, ...message('nowhere') },
  }),
  ...rules('dashboard:watch', {
    [`${BROADCAST} | the topic \`admin\``]: { answer: '202', ...message('admin') },
  }),
]

/** Routes with the same response for everyone: no token is read. */
const OWN_ANSWERS = rules('anyone', {
  'GET /api/health': open('200'),
  'GET /api/viewers': open('200'),
  'GET /api/config': open('200'),
  'GET /api/channels/{id}/now': open('200'),
  'GET /api/nowplaying': open('200', { isForAllPages: true }),
  'GET /api/nowplaying/{channelId}': open('200', { isForAllPages: true }),
  'GET /api/channels/{id}/history.rss': open('200', { isForAllPages: true }),
  'GET /api/channels/{id}/history.json': open('200', { isForAllPages: true }),
  'GET /api/channels.m3u': open('200', { isForAllPages: true }),
  'GET /api/channels/{id}/media': open('302', { isForAllPages: true, channel: 'test-card' }),
  'GET /api/live/nowplaying/sse': open('200', { isForAllPages: true, query: 'channel=default' }),
  'GET /api/oembed': open('404 not_found', {
    isForAllPages: true,
    query: 'url=https%3A%2F%2Fother.example%2F',
  }),
  'GET /api/cards': open('404 not_found', { isForAllPages: true, query: 'path=%2Fadmin' }),
  'GET /embed/{channelId}': open('200'),
  'GET /embed/{channelId}/chat': open('200'),
  'GET /embed/{channelId}/now': open('200'),
  'GET /cast': open('404 not_found'),
  'POST /api/csp-reports': open('204'),
  'GET /livez': open('200'),
  'GET /readyz': open('200'),
  'GET /openapi.json': open('200'),
  'GET /docs': open('200'),
  'GET /debug': open('404 not_found'),
  'GET /docs/json': open('200'),
  'GET /robots.txt': open('200'),
  'GET /sitemap.xml': open('200'),
  'GET /manifest.webmanifest': open('200'),
  'GET /*': open('404 not_found'),
  'GET /realtime/v1/websocket': open('426'),
  'OPTIONS /auth/v1/*': open('204'),
})

export const GATEWAY_RULES = [...OWN_ANSWERS, ...BROADCAST_RULES]
