import { INVALID, NOT_FOUND, NOT_WHILE_RESTRICTED, rules } from './rules.ts'

/** Requests of viewers, votes for them, and likes. The requests of these rows do not exist. */
export const AUDIENCE_RULES = [
  ...rules('anyone', {
    'GET /api/channels/{id}/airings': { answer: '200', query: 'fromMs=0&toMs=1000' },
    'GET /api/channels/{id}/airings/{airingId}': NOT_FOUND,
    'GET /api/channels/{id}/airings/{airingId}/reactions': NOT_FOUND,
    'GET /api/channels/{id}/requests': '200',
    'GET /api/channels/{id}/requests/aired': {
      answer: '200',
      query: 'from=2026-11-27T20:00:00Z&to=2026-11-28T02:00:00Z',
    },
    'GET /api/channels/{id}/requests/aired/{programmeId}': '200',
    'GET /api/channels/{id}/requests/settings': '200',
    'GET /api/requests/{requestId}/receipt': NOT_FOUND,
  }),
  ...rules('user', {
    'GET /api/me/requests': '200',
    'GET /api/me/requests/settings': '200',
    'PATCH /api/me/requests/settings': { answer: '200', body: { showsName: true } },
    'GET /api/export/requests': '200',
    'GET /api/export/loads': '200',
    'GET /api/export/votes': '200',
    'GET /api/export/likes': '200',
    'GET /api/me/likes': '200',
    'PUT /api/videos/{id}/like': { answer: '200', but: NOT_WHILE_RESTRICTED },
    'DELETE /api/videos/{id}/like': '200',
    'POST /api/channels/{id}/requests': INVALID,
    'POST /api/channels/{id}/watching': '200',
    'DELETE /api/requests/{requestId}': NOT_FOUND,
    'PUT /api/requests/{requestId}/vote': NOT_FOUND,
    'DELETE /api/requests/{requestId}/vote': NOT_FOUND,
  }),
  ...rules('schedules:edit', {
    'POST /api/requests/{requestId}/refuse': INVALID,
    'POST /api/requests/{requestId}/pin': NOT_FOUND,
    'DELETE /api/requests/{requestId}/pin': NOT_FOUND,
    'PATCH /api/channels/{id}/requests/settings': { answer: '200', body: { isOpen: true } },
    'GET /api/channels/{id}/requests/exclusions': '200',
    'POST /api/channels/{id}/requests/exclusions': INVALID,
    'DELETE /api/channels/{id}/requests/exclusions/{exclusionId}': '204',
  }),
]
