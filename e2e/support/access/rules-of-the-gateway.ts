import type { Rule } from './askers.ts'
import { INVALID, rules } from './rules.ts'

const door = (answer: string, more: Partial<Rule> = {}): Omit<Rule, 'audience'> => ({
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

/** Broadcasts over HTTP: the same as on the socket (`TOPIC_ACCESS`). */
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

/** Answers that are the same for everybody: no token is read. */
const OWN_ANSWERS = rules('anyone', {
  'GET /api/health': door('200'),
  'GET /api/viewers': door('200'),
  'GET /api/config': door('200'),
  'GET /api/channels/{id}/now': door('200'),
  'POST /api/csp-reports': door('204'),
  'GET /livez': door('200'),
  'GET /readyz': door('200'),
  'GET /openapi.json': door('200'),
  'GET /docs': door('200'),
  'GET /debug': door('404 not_found'),
  'GET /docs/json': door('200'),
  'GET /robots.txt': door('200'),
  'GET /sitemap.xml': door('200'),
  'GET /manifest.webmanifest': door('200'),
  'GET /*': door('404 not_found'),
  'GET /realtime/v1/websocket': door('426'),
  'OPTIONS /auth/v1/*': door('204'),
})

export const GATEWAY_RULES = [...OWN_ANSWERS, ...BROADCAST_RULES]
