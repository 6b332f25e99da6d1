import {
  DeliveryParams,
  NewWebhookBody,
  Webhook,
  WebhookChanges,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookParams,
  WebhookWithSecret,
} from '../http/webhooks.ts'
import { operation } from '../operation.ts'

export const adminWebhookList = operation({
  name: 'admin.webhook.list',
  summary: 'List the webhooks',
  call: 'GET /api/webhooks',
  audience: 'system:operate',
  token: 'session-only',
  output: { 200: WebhookList },
})

/** The answer is the only one with the secret, besides that of a rotation. */
export const adminWebhookCreate = operation({
  name: 'admin.webhook.create',
  summary: 'Create a webhook',
  call: 'POST /api/webhooks',
  audience: 'system:operate',
  token: 'session-only',
  input: { body: NewWebhookBody },
  output: { 201: WebhookWithSecret },
})

export const adminWebhookUpdate = operation({
  name: 'admin.webhook.update',
  summary: 'Change a webhook. Switching it off drops what waits',
  call: 'PATCH /api/webhooks/:id',
  audience: 'system:operate',
  token: 'session-only',
  input: { params: WebhookParams, body: WebhookChanges },
  output: { 200: Webhook },
})

export const adminWebhookDelete = operation({
  name: 'admin.webhook.delete',
  summary: 'Delete a webhook and its deliveries',
  call: 'DELETE /api/webhooks/:id',
  audience: 'system:operate',
  token: 'session-only',
  input: { params: WebhookParams },
  output: { 204: null },
})

export const adminWebhookRotateSecret = operation({
  name: 'admin.webhook.rotate_secret',
  summary: 'Replace the secret of a webhook. The previous one signs too for 24 hours',
  call: 'POST /api/webhooks/:id/rotate-secret',
  audience: 'system:operate',
  token: 'session-only',
  input: { params: WebhookParams },
  output: { 200: WebhookWithSecret },
})

export const adminWebhookDeliveries = operation({
  name: 'admin.webhook.deliveries',
  summary: 'List the last deliveries of a webhook',
  call: 'GET /api/webhooks/:id/deliveries',
  audience: 'system:operate',
  token: 'session-only',
  input: { params: WebhookParams },
  output: { 200: WebhookDeliveryList },
})

export const adminWebhookTest = operation({
  name: 'admin.webhook.test',
  summary: 'Send a test to a webhook',
  call: 'POST /api/webhooks/:id/test',
  audience: 'system:operate',
  token: 'session-only',
  input: { params: WebhookParams },
  output: { 202: WebhookDelivery },
})

export const adminWebhookResend = operation({
  name: 'admin.webhook.resend',
  summary: 'Send a delivery again',
  call: 'POST /api/webhooks/:id/deliveries/:deliveryId/resend',
  audience: 'system:operate',
  token: 'session-only',
  input: { params: DeliveryParams },
  output: { 202: WebhookDelivery },
})
