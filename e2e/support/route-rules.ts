/** Who an address is for, each with all that come after: `anyone`, `user` (signed in), `moderator`, `admin`. */
export type Audience = 'anyone' | 'user' | 'moderator' | 'admin'

/** A body with which the question of who may gets asked at all, where the address judges by what it is told. */
export interface Rule {
  audience: Audience
  body?: unknown
}

const SOMEBODY = '01900000-0000-7000-8000-000000000000'

const all = (audience: Audience, routes: readonly string[]): [string, Rule][] =>
  routes.map((route) => [route, { audience }])

/** Every public address of every service, as their descriptions name it. A new one needs a rule here. */
export const ROUTE_RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...all('anyone', [
    'GET /api/health',
    'GET /api/viewers',
    'GET /api/config',
    'POST /api/csp-reports',
    'GET /api/theme',
    'GET /api/theme/assets/{version}',
    'GET /api/me/is-admin',
    'GET /api/profiles/{id}',
    'GET /api/profiles/by-handle/{handle}',
    'GET /api/profiles/{id}/avatar/{version}',
    'GET /api/videos',
    'GET /api/videos/{id}',
    'GET /api/videos/lookup',
    'GET /api/search',
    'GET /api/home',
    'GET /api/playlists/{id}',
    'GET /api/playlists/{id}/items',
    'GET /api/chat/channels/{id}/settings',
    'GET /api/chat/channels/{id}/messages',
    'GET /api/channels',
    'GET /api/guide',
    'GET /api/guide.xml',
    'GET /api/channels/{id}/guide',
    'GET /api/channels/{id}/guide.ics',
    'GET /api/channels/{id}/now',
    'GET /api/channels/{id}/air-log',
    'POST /api/channels/{id}/reports',
  ]),
  ...all('user', [
    'GET /api/me',
    'DELETE /api/me',
    'DELETE /api/me/email-change',
    'GET /api/me/sessions',
    'DELETE /api/me/sessions/{sessionId}',
    'PUT /api/me/avatar',
    'DELETE /api/me/avatar',
    'GET /api/profiles',
    'GET /api/profiles/lookup',
    'GET /api/profiles/handles/{handle}',
    'PATCH /api/profiles/{id}',
    'POST /api/videos',
    'POST /api/videos/{id}/views',
    'GET /api/playlists',
    'POST /api/playlists',
    'GET /api/playlists/entries',
    'PATCH /api/playlists/{id}',
    'DELETE /api/playlists/{id}',
    'POST /api/playlists/{id}/items',
    'DELETE /api/playlists/{id}/items/{itemId}',
    'PUT /api/playlists/{id}/items/order',
    'PUT /api/playlists/{id}/videos/{videoId}',
    'POST /api/chat/channels/{id}/messages',
    'GET /api/chat/channels/{id}/standing',
  ]),
  ...all('moderator', [
    'PATCH /api/chat/channels/{id}/settings',
    'DELETE /api/chat/channels/{id}/messages/{messageId}',
    'DELETE /api/users/{id}/restrictions/{restrictionId}',
  ]),
  ...all('admin', [
    'GET /api/users',
    'GET /api/audit',
    'GET /api/audit/actions',
    'POST /api/audit/export',
    'PUT /api/theme',
    'POST /api/theme/assets',
    'GET /api/theme/history',
    'POST /api/videos/move',
    'POST /api/videos/import',
    'POST /api/videos/export',
    'GET /api/metadata/playlists/{playlistId}',
    'POST /api/videos/update-metadata',
    'GET /api/curation',
    'POST /api/curation',
    'PATCH /api/curation/{id}',
    'DELETE /api/curation/{id}',
    'POST /api/channels',
    'PATCH /api/channels/{id}',
    'DELETE /api/channels/{id}',
    'POST /api/channels/{id}/stream',
    'GET /api/channels/{id}/playlist',
    'POST /api/channels/{id}/playlist',
    'DELETE /api/channels/{id}/playlist/{itemId}',
    'PUT /api/channels/{id}/playlist/order',
    'POST /api/channels/{id}/simulate',
    'GET /api/channels/{id}/why/{programmeId}',
    'GET /api/channels/quarantine',
    'DELETE /api/channels/quarantine/{videoId}',
    'POST /api/channels/quarantine/{videoId}/replacement',
    'POST /api/channels/{id}/simulate',
    'GET /api/channels/{id}/why/{programmeId}',
    'GET /api/live-playlist',
    'POST /api/live-playlist',
    'DELETE /api/live-playlist',
    'GET /api/metadata/jobs',
    'GET /api/metadata/status',
    'POST /api/metadata/jobs/{youtubeId}/retry',
    'POST /api/metadata/jobs/retry',
    ...['auth', 'catalogue', 'stream-scheduler', 'chat', 'admin-audit', 'metadata-worker'].flatMap(
      (service) => [
        `GET /api/dead-letters/${service}`,
        `POST /api/dead-letters/${service}/{id}/replay`,
        `DELETE /api/dead-letters/${service}/{id}`,
      ],
    ),
  ]),
  ['DELETE /api/videos', { audience: 'admin', body: { ids: [SOMEBODY] } }],
  ['PUT /api/users/{id}/role', { audience: 'admin', body: { role: 'admin' } }],
  [
    'POST /api/users/{id}/restrictions',
    { audience: 'admin', body: { restrictionType: 'site_banned', reason: 'none' } },
  ],
])

/** The same addresses asked for more than is everybody's, by query or by body. */
export const FURTHER_RULES: readonly [string, Rule][] = [
  ['GET /api/videos?all=true', { audience: 'admin' }],
  [`GET /api/playlists?userId=${SOMEBODY}`, { audience: 'anyone' }],
  [
    'DELETE /api/videos',
    {
      audience: 'admin',
      body: { ids: Array.from({ length: 21 }, (_, n) => SOMEBODY.replace(/..$/, String(10 + n))) },
    },
  ],
  ...['restricted', 'chat_banned'].map((restrictionType): [string, Rule] => [
    'POST /api/users/{id}/restrictions',
    { audience: 'admin', body: { restrictionType, reason: 'for good' } },
  ]),
]

const PLACES: Record<string, string> = {
  handle: 'somebody',
  version: 'A'.repeat(22),
  youtubeId: 'aaaaaaaaaa1',
  programmeId: 'nowhere.1.1',
  playlistId: 'PLaaaaaaaaa1',
}

/** The address of a route with something in each of its places. */
export function addressOf(route: string): { method: string; path: string } {
  const [method = '', path = ''] = route.split(' ')
  const channel = path.startsWith('/api/channels/{id}') || path.startsWith('/api/chat/channels/{id}')
  const letter = path.startsWith('/api/dead-letters/')
  const filled = path.replaceAll(/\{(\w+)\}/g, (_place, name: string) => {
    if (name === 'id' && channel) return 'nowhere'
    if (name === 'id' && letter) return '1'
    return PLACES[name] ?? SOMEBODY
  })
  return { method, path: filled }
}
