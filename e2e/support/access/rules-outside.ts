import { INVALID, NOT_FOUND, rules } from './rules.ts'

/** What the station tells other programs and sites: webhooks with their deliveries, and whose pages may show embeds. */
export const OUTSIDE_RULES = [
  ...rules('anyone', { 'GET /api/embeds': { answer: '200', isTokenless: true } }),
  ...rules('system:operate', {
    'PUT /api/embeds': INVALID,
    'GET /api/webhooks': '200',
    'POST /api/webhooks': INVALID,
    'PATCH /api/webhooks/{id}': INVALID,
    'DELETE /api/webhooks/{id}': NOT_FOUND,
    'POST /api/webhooks/{id}/rotate-secret': NOT_FOUND,
    'GET /api/webhooks/{id}/deliveries': NOT_FOUND,
    'POST /api/webhooks/{id}/test': NOT_FOUND,
    'POST /api/webhooks/{id}/deliveries/{deliveryId}/resend': NOT_FOUND,
  }),
]
