import type { Rule } from './askers.ts'
import { rules } from './rules.ts'

const door = (answer: string, more: Partial<Rule> = {}): Omit<Rule, 'audience'> => ({
  answer,
  isTokenless: true,
  ...more,
})

/** What the gateway answers itself. It looks at no token: these are the same for everybody. */
export const DOOR_RULES = rules('anyone', {
  'GET /api/health': door('200'),
  'GET /api/viewers': door('200'),
  'GET /api/config': door('200'),
  'GET /api/channels/{id}/now': door('200'),
  'POST /api/csp-reports': door('204'),
  'GET /livez': door('200'),
  'GET /readyz': door('200'),
  'GET /openapi.json': door('200'),
  'GET /docs': door('200'),
  'GET /docs/json': door('200'),
  'GET /robots.txt': door('200'),
  'GET /sitemap.xml': door('200'),
  'GET /manifest.webmanifest': door('200'),
  'GET /*': door('404 not_found'),
  'GET /realtime/v1/websocket': door('426'),
  'OPTIONS /auth/v1/*': door('204'),
})
