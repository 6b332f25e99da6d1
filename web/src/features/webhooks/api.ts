import type { NewWebhookBody, WebhookChanges, WebhookWithSecret } from '@looptide/contracts/http/webhooks'
import { useCall } from '../../lib/api/use-call.ts'
import { api } from '../../lib/clients.ts'

/** Reload intervals in ms, since deliveries are not pushed. */
const LIST_REFRESH_MS = 30_000
const DELIVERIES_REFRESH_MS = 3_000

/** All webhooks and their changes. */
export function useWebhooks() {
  const answer = useCall('GET /api/webhooks', {}, { refreshInterval: LIST_REFRESH_MS })
  /** Reloads the list after a change. */
  const changed = async <T>(change: Promise<T>): Promise<T> => {
    const result = await change
    await answer.mutate()
    return result
  }
  return {
    ...answer,
    data: answer.data?.items,
    create: (body: NewWebhookBody): Promise<WebhookWithSecret> =>
      changed(api.call('POST /api/webhooks', { body })),
    update: (id: string, body: WebhookChanges) =>
      changed(api.call('PATCH /api/webhooks/:id', { params: { id }, body })),
    remove: (id: string) => changed(api.call('DELETE /api/webhooks/:id', { params: { id } })),
    rotateSecret: (id: string): Promise<WebhookWithSecret> =>
      changed(api.call('POST /api/webhooks/:id/rotate-secret', { params: { id } })),
  }
}

export type Webhooks = ReturnType<typeof useWebhooks>

/** The last deliveries of a webhook, and what an admin sends. */
export function useDeliveries(id: string) {
  const answer = useCall(
    'GET /api/webhooks/:id/deliveries',
    { params: { id } },
    { refreshInterval: DELIVERIES_REFRESH_MS },
  )
  return {
    ...answer,
    data: answer.data?.items,
    waiting: answer.data?.waiting ?? 0,
    test: async (): Promise<void> => {
      await api.call('POST /api/webhooks/:id/test', { params: { id } })
      await answer.mutate()
    },
    resend: async (deliveryId: string): Promise<void> => {
      await api.call('POST /api/webhooks/:id/deliveries/:deliveryId/resend', { params: { id, deliveryId } })
      await answer.mutate()
    },
  }
}
