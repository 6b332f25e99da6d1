import {
  adminWebhookCreate,
  adminWebhookDelete,
  adminWebhookDeliveries,
  adminWebhookList,
  adminWebhookResend,
  adminWebhookRotateSecret,
  adminWebhookTest,
  adminWebhookUpdate,
} from '@looptide/contracts/operations/webhooks'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { ManualDeliveries } from './manual-deliveries.ts'
import type { WebhookService } from './webhook-service.ts'

/** Routes of webhooks and their deliveries. */
export const webhookRoutes = ({
  webhooks,
  deliveries,
}: {
  webhooks: WebhookService
  deliveries: ManualDeliveries
}): Route[] => [
  route(adminWebhookList, () => webhooks.list()),
  route(adminWebhookCreate, ({ body, cause }) => webhooks.create(body, cause)),
  route(adminWebhookUpdate, ({ params, body, cause }) => webhooks.update(params.id, body, cause)),
  route(adminWebhookDelete, ({ params, cause }) => webhooks.delete(params.id, cause)),
  route(adminWebhookRotateSecret, ({ params, cause }) => webhooks.rotateSecret(params.id, cause)),
  route(adminWebhookDeliveries, ({ params }) => deliveries.list(params.id)),
  route(adminWebhookTest, ({ params, cause }) => deliveries.test(params.id, cause)),
  route(adminWebhookResend, ({ params, cause }) => deliveries.resend(params.id, params.deliveryId, cause)),
]
