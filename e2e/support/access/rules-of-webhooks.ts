import { INVALID, NOT_FOUND, rules } from './rules.ts'

/** Webhooks and their deliveries. */
export const WEBHOOK_RULES = rules('system:operate', {
  'GET /api/webhooks': '200',
  'POST /api/webhooks': INVALID,
  'PATCH /api/webhooks/{id}': INVALID,
  'DELETE /api/webhooks/{id}': NOT_FOUND,
  'POST /api/webhooks/{id}/rotate-secret': NOT_FOUND,
  'GET /api/webhooks/{id}/deliveries': NOT_FOUND,
  'POST /api/webhooks/{id}/test': NOT_FOUND,
  'POST /api/webhooks/{id}/deliveries/{deliveryId}/resend': NOT_FOUND,
})
