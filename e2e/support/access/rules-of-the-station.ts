import { randomUUID } from 'node:crypto'
import { SERVICES } from '@looptide/contracts/service-names'
import type { Cells, Rule } from './requesters.ts'
import {
  HIDDEN_FROM_OTHERS,
  INVALID,
  NOT_FOUND,
  NOT_WHILE_RESTRICTED,
  rules,
  shared,
  UNKNOWN_ID,
} from './rules.ts'

const own = (answer: string, more: Partial<Rule> = {}): Omit<Rule, 'audience'> => ({
  answer,
  but: HIDDEN_FROM_OTHERS,
  ...more,
})
/** Another user's public playlist, for every requester. */
const strangers = (answer: string, more: Partial<Rule> = {}): Omit<Rule, 'audience'> => ({
  answer,
  playlist: "a stranger's public one",
  ...more,
})
/** A video submitted by another user: only moderators, admins and its submitters may see it. */
const submission = (
  answer: string,
  but: Partial<Cells>,
  more: Partial<Rule> = {},
): Omit<Rule, 'audience'> => ({
  answer,
  but,
  video: "a stranger's submission",
  ...more,
})
const UNKNOWN_TO_VIEWERS = {
  user: NOT_FOUND,
  restricted: NOT_FOUND,
  programmer: NOT_FOUND,
  curator: NOT_FOUND,
}
const PRIVATE: Partial<Cells> = { anonymous: NOT_FOUND, other: NOT_FOUND }

/** Videos, home and search. */
export const VIDEO_RULES = [
  ...rules('anyone', {
    'GET /api/videos': shared(),
    'GET /api/videos/{id}': '200',
    'GET /api/videos/lookup': { answer: '200', query: `ids=${UNKNOWN_ID}` },
    'GET /api/search': shared('q=a'),
    'GET /api/home': shared(),
  }),
  ...rules('user', {
    'GET /api/export/videos': '200',
    'GET /api/submissions/own': '200',
    'POST /api/videos': INVALID,
    'POST /api/videos | for review': {
      answer: '200',
      but: NOT_WHILE_RESTRICTED,
      body: { urls: ['https://youtu.be/accessadded'] },
    },
    'POST /api/videos/{id}/views': '200',
  }),
  ...rules('submissions:review', {
    'GET /api/videos/{id} | a stranger’s submission': submission('200', {
      ...UNKNOWN_TO_VIEWERS,
      anonymous: NOT_FOUND,
    }),
    'POST /api/videos/{id}/views | a stranger’s submission': submission('200', UNKNOWN_TO_VIEWERS),
    'PUT /api/playlists/{id}/videos/{videoId} | a stranger’s submission': submission(
      '409 conflict',
      UNKNOWN_TO_VIEWERS,
    ),
    'GET /api/submissions': '200',
    'POST /api/submissions/accept': INVALID,
    'POST /api/submissions/reject': INVALID,
  }),
  ...rules('videos:edit', {
    'POST /api/videos | with a category': {
      answer: '200',
      body: { urls: ['https://youtu.be/accesscateg'], category: 'Classics' },
    },
    'GET /api/videos/ids': '200',
    'GET /api/videos/tags': '200',
    'GET /api/videos/filters': '200',
    'POST /api/videos/filters': INVALID,
    'PATCH /api/videos/filters/{id}': INVALID,
    'DELETE /api/videos/filters/{id}': NOT_FOUND,
    'GET /api/followed-lists': '200',
    'POST /api/followed-lists': INVALID,
    'PATCH /api/followed-lists/{id}': INVALID,
    'DELETE /api/followed-lists/{id}': NOT_FOUND,
    'POST /api/followed-lists/{id}/check': NOT_FOUND,
    'GET /api/videos | private ones too': { answer: '200', query: 'all=true' },
    'PATCH /api/videos/{id}': { answer: '200', body: { genre: 'Music' } },
    'POST /api/videos/edit-preview': INVALID,
    'POST /api/videos/jobs/edit': INVALID,
    'POST /api/videos/jobs/move': INVALID,
    'POST /api/videos/jobs/delete': { answer: '202', body: { videos: { ids: [UNKNOWN_ID] } } },
    'POST /api/videos/jobs/delete | more than 20': {
      answer: '202',
      body: () => ({ videos: { ids: Array.from({ length: 21 }, () => randomUUID()) } }),
    },
    'POST /api/videos/jobs/import': { answer: '202', body: { rows: [{ url: 'none' }] } },
    'POST /api/videos/jobs/restore': { answer: '202', body: { ids: [UNKNOWN_ID] } },
    'GET /api/videos/jobs': '200',
    'GET /api/videos/jobs/{id}': NOT_FOUND,
    'POST /api/videos/jobs/{id}/cancel': NOT_FOUND,
    'POST /api/videos/jobs/{id}/undo': NOT_FOUND,
    'DELETE /api/videos': { answer: '200', body: { ids: [UNKNOWN_ID] } },
    'DELETE /api/videos | more than 20': {
      answer: '200',
      body: () => ({ ids: Array.from({ length: 21 }, () => randomUUID()) }),
    },
    'GET /api/videos/deleted': '200',
    'POST /api/videos/restore': { answer: '200', body: { ids: [UNKNOWN_ID] } },
    'POST /api/videos/move': INVALID,
    'POST /api/videos/import': INVALID,
    'POST /api/videos/update-metadata': INVALID,
    'GET /api/metadata/playlists/{playlistId}': '409 conflict',
    'GET /api/metadata/lists': INVALID,
    'GET /api/metadata/jobs': '200',
    'GET /api/metadata/status': '200',
    'POST /api/metadata/jobs/{youtubeId}/retry': NOT_FOUND,
    'POST /api/metadata/jobs/retry': '200',
  }),
  ...rules('videos:purge', {
    'DELETE /api/videos/deleted': { answer: '200', body: { ids: [UNKNOWN_ID] } },
    'DELETE /api/videos/deleted | more than 20': {
      answer: '200',
      body: () => ({ ids: Array.from({ length: 21 }, () => randomUUID()) }),
    },
  }),
  ...rules('videos:export', { 'POST /api/videos/export': INVALID }),
  ...rules('home:edit', {
    'POST /api/curation | a stranger’s submission': submission(
      '409 conflict',
      {},
      { body: { videoId: '{videoId}', sectionType: 'hero' } },
    ),
    'GET /api/curation': '200',
    'POST /api/curation': INVALID,
    'PATCH /api/curation/{id}': INVALID,
    'DELETE /api/curation/{id}': NOT_FOUND,
  }),
]

/** Personal playlists: the requester's own unless the row says otherwise. */
export const PLAYLIST_RULES = [
  ...rules('anyone', {
    'GET /api/playlists | of a person': { answer: '200', query: `userId=${UNKNOWN_ID}` },
    'GET /api/playlists/{id}': { answer: '200', but: PRIVATE },
    'GET /api/playlists/{id} | a stranger’s public one': strangers('200'),
    'GET /api/playlists/{id}/items': { answer: '200', but: PRIVATE },
    'GET /api/playlists/{id}/items | a stranger’s public one': strangers('200'),
  }),
  ...rules('user', {
    'GET /api/export/playlists': '200',
    'GET /api/playlists': '200',
    'POST /api/playlists': INVALID,
    'GET /api/playlists/entries': { answer: '200', query: `videoId=${UNKNOWN_ID}` },
    'PATCH /api/playlists/{id}': own('200', { body: { name: 'Mine' } }),
    'PATCH /api/playlists/{id} | making it public': own('200', {
      but: { ...HIDDEN_FROM_OTHERS, ...NOT_WHILE_RESTRICTED },
      playlist: 'spare',
      body: { isPublic: true },
    }),
    'PATCH /api/playlists/{id} | a stranger’s public one': strangers('403 forbidden', {
      body: { name: 'Mine' },
    }),
    'DELETE /api/playlists/{id}': own('204', { playlist: 'spare' }),
    'DELETE /api/playlists/{id} | a stranger’s public one': strangers('403 forbidden'),
    'POST /api/playlists/{id}/items': own('201', { body: { videoId: '{videoId}' } }),
    'POST /api/playlists/{id}/items | a stranger’s public one': strangers('403 forbidden', {
      body: { videoId: '{videoId}' },
    }),
    'PUT /api/playlists/{id}/items/order': own('409 conflict', { body: { ids: [UNKNOWN_ID] } }),
    'PUT /api/playlists/{id}/items/order | a stranger’s public one': strangers('403 forbidden', {
      body: { ids: [UNKNOWN_ID] },
    }),
    'PUT /api/playlists/{id}/videos/{videoId}': own('200'),
    'PUT /api/playlists/{id}/videos/{videoId} | a stranger’s public one': strangers('403 forbidden'),
    'DELETE /api/playlists/{id}/items/{itemId}': own('204'),
    'DELETE /api/playlists/{id}/items/{itemId} | a stranger’s public one': strangers('403 forbidden'),
  }),
]

/** Chat. The message to delete belongs to another user. */
export const CHAT_RULES = [
  ...rules('anyone', {
    'GET /api/chat/channels/{id}/settings': '200',
    'GET /api/chat/channels/{id}/messages': shared(),
  }),
  ...rules('user', {
    'GET /api/export/messages': '200',
    'GET /api/chat/channels/{id}/permissions': '200',
    'POST /api/chat/channels/{id}/messages/{messageId}/report': INVALID,
    'GET /api/chat/reports': '200',
    'GET /api/chat/decisions': '200',
    'POST /api/chat/decisions/{id}/appeal': INVALID,
    'GET /api/export/reports': '200',
    'GET /api/export/decisions': '200',
    'POST /api/chat/channels/{id}/messages': {
      answer: '201',
      but: NOT_WHILE_RESTRICTED,
      body: () => ({ clientId: randomUUID(), message: 'hello' }),
    },
  }),
  ...rules('chat:moderate', {
    'PATCH /api/chat/channels/{id}/settings': { answer: '200', body: { slowModeS: 0 } },
    'DELETE /api/chat/channels/{id}/messages/{messageId}': { answer: '204', but: { other: '403 forbidden' } },
    'GET /api/chat/cases': '200',
    'GET /api/chat/cases/{id}': INVALID,
    'POST /api/chat/cases/{id}/decision': INVALID,
    'GET /api/chat/held': '200',
    'POST /api/chat/held/{id}/decision': INVALID,
    'GET /api/chat/word-list': '200',
    'PUT /api/chat/word-list': { answer: '200', body: { entries: [] } },
    'POST /api/chat/word-list/try': { answer: '200', body: { entries: [], message: 'hello' } },
  }),
]

/** The admin dashboard: audit log, theme, dead letters. */
export const ADMIN_RULES = [
  ...rules('anyone', { 'GET /api/theme': shared(), 'GET /api/theme/assets/{version}': NOT_FOUND }),
  ...rules('dashboard:watch', { 'GET /api/audit/last-editor': { answer: '200', query: 'subject=home' } }),
  ...rules('audit:read', {
    'GET /api/audit': '200',
    'GET /api/audit/actions': '200',
    'POST /api/audit/export': INVALID,
  }),
  ...rules('themes:edit', {
    'PUT /api/theme': INVALID,
    'POST /api/theme/assets': INVALID,
    'GET /api/theme/history': '200',
  }),
  ...rules('system:operate', {
    ...Object.fromEntries(
      SERVICES.flatMap((service) => [
        [`GET /api/dead-letters/${service}`, '200'],
        [`POST /api/dead-letters/${service}/{id}/replay`, NOT_FOUND],
        [`DELETE /api/dead-letters/${service}/{id}`, NOT_FOUND],
      ]),
    ),
  }),
]
