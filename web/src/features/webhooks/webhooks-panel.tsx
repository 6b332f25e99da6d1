import { MAX_WEBHOOKS, type Webhook, type WebhookWithSecret } from '@looptide/contracts/http/webhooks'
import { useState } from 'react'
import { dialogPart } from '../../lib/browser/part.tsx'
import { useAction } from '../../lib/failures.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { useWebhooks, type Webhooks } from './api.ts'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookCard } from './webhook-card.tsx'
import { hostOf } from './webhook-texts.ts'

const WebhookDialog = dialogPart(async () => (await import('./webhook-dialog.tsx')).WebhookDialog)

/** The dialog that is open: the form of a new webhook or of one, deliveries, or a secret. */
type Open =
  | { dialog: 'form'; webhook: Webhook | undefined }
  | { dialog: 'deliveries'; webhook: Webhook }
  | { dialog: 'secret'; secret: string; isReplaced: boolean }

/** The webhooks of the station: created, changed, tested and deleted. */
export function WebhooksPanel() {
  const webhooks = useWebhooks()
  const { data, error, mutate } = webhooks
  const [open, setOpen] = useState<Open>()
  return (
    <section aria-labelledby="webhooks" className="grid gap-4">
      <div className="flex flex-wrap items-start gap-4">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id="webhooks" className="text-xl font-semibold">
            Webhooks
          </h2>
          <p className="text-sm text-muted">
            Tell other programs what happens on the station: a Discord channel, or a program of your own.
          </p>
        </div>
        {data !== undefined && data.length < MAX_WEBHOOKS && (
          <Button tone="primary" onClick={() => setOpen({ dialog: 'form', webhook: undefined })}>
            New Webhook
          </Button>
        )}
      </div>
      {data === undefined && error !== undefined && (
        <ErrorNotice text="Failed to load the webhooks." onRetry={() => void mutate()} />
      )}
      {data === undefined && error === undefined && (
        <div role="status" aria-label="Loading webhooks">
          <Skeleton className="h-28" />
        </div>
      )}
      {data?.length === 0 && (
        <EmptyNotice title="No webhooks yet">
          <p>A webhook posts a message to an address whenever something happens that you choose.</p>
        </EmptyNotice>
      )}
      {data !== undefined && data.length > 0 && <List webhooks={webhooks} items={data} onOpen={setOpen} />}
      {data !== undefined && data.length >= MAX_WEBHOOKS && (
        <p className="text-sm text-muted">
          There are {MAX_WEBHOOKS} webhooks, the maximum. Delete one before you create another.
        </p>
      )}
      {open?.dialog === 'form' && (
        <WebhookDialog
          webhook={open.webhook}
          save={async (body) => {
            if (open.webhook) return webhooks.update(open.webhook.id, body)
            const { secret, format } = await webhooks.create(body)
            // The others verify nothing.
            if (format === 'standard') setOpen({ dialog: 'secret', secret, isReplaced: false })
            return undefined
          }}
          onClose={() => setOpen((current) => (current?.dialog === 'form' ? undefined : current))}
        />
      )}
      {open?.dialog === 'deliveries' && (
        <DeliveriesDialog webhook={open.webhook} onClose={() => setOpen(undefined)} />
      )}
      {open?.dialog === 'secret' && <SecretDialog {...open} onClose={() => setOpen(undefined)} />}
    </section>
  )
}

function List(props: { webhooks: Webhooks; items: readonly Webhook[]; onOpen: (open: Open) => void }) {
  const { webhooks, items, onOpen } = props
  const { run } = useAction()
  const { confirm, confirmation } = useConfirm()
  const failed = { title: 'Not changed', text: 'The webhook was not changed. Please try again.' }
  const rotate = async (id: string) => {
    let rotated: WebhookWithSecret | undefined
    await run(async () => {
      rotated = await webhooks.rotateSecret(id)
    }, failed)
    if (rotated) onOpen({ dialog: 'secret', secret: rotated.secret, isReplaced: true })
  }
  return (
    <>
      <ul aria-label="Webhooks" className="grid gap-3">
        {items.map((webhook) => (
          <WebhookCard
            key={webhook.id}
            webhook={webhook}
            onToggle={(isActive) => void run(() => webhooks.update(webhook.id, { isActive }), failed)}
            onEdit={() => onOpen({ dialog: 'form', webhook })}
            onDeliveries={() => onOpen({ dialog: 'deliveries', webhook })}
            onRotate={() =>
              confirm({
                title: 'Replace the secret?',
                confirmLabel: 'Replace Secret',
                text: 'You get a new secret. For 24 hours deliveries are signed with both, so that you can change your program meanwhile.',
                onConfirm: () => rotate(webhook.id),
              })
            }
            onDelete={() =>
              confirm({
                title: `Delete the webhook to ${hostOf(webhook.url)}?`,
                confirmLabel: 'Delete Webhook',
                text: 'Nothing more is sent to this address, and its deliveries are deleted. This cannot be undone.',
                onConfirm: () => run(() => webhooks.remove(webhook.id), failed),
              })
            }
          />
        ))}
      </ul>
      {confirmation}
    </>
  )
}
