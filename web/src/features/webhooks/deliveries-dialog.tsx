import type { Webhook, WebhookDelivery } from '@looptide/contracts/http/webhooks'
import { serverClock } from '../../lib/clients.ts'
import { useAction } from '../../lib/failures.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { timeAgo } from '../../lib/time/time-ago.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useChannelName } from '../admin/use-channels.ts'
import { useDeliveries } from './api.ts'
import { deliveryState, hostOf, typeLabel } from './webhook-texts.ts'

/** The last deliveries of a webhook: what was sent, what was answered, and buttons to send a test or one again. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { data: deliveries, waiting, error, mutate, test, resend } = useDeliveries(webhook.id)
  const { isBusy, run } = useAction()
  const send = async (action: () => Promise<void>, done: string) => {
    const failed = { title: 'Not sent', text: 'Nothing was sent. Please try again.' }
    if (await run(action, failed)) toast({ title: done, tone: 'success' })
  }
  return (
    <Dialog
      title={`Deliveries to ${hostOf(webhook.url)}`}
      description="The last 100. Failed ones are sent again for three days, in order."
      width="wide"
      isOpen
      onClose={onClose}
    >
      <div className="grid grid-cols-1 gap-4">
        <Button
          className="justify-self-start"
          isBusy={isBusy}
          onClick={() => void send(test, 'A test is being sent')}
        >
          Send Test
        </Button>
        {deliveries === undefined && error !== undefined && (
          <ErrorNotice text="The deliveries could not be loaded." onRetry={() => void mutate()} />
        )}
        {deliveries === undefined && error === undefined && <Skeleton className="h-40" />}
        {waiting > 1 && (
          <p className="text-sm font-medium">{waiting.toLocaleString(dateLocale)} deliveries are waiting.</p>
        )}
        {deliveries?.length === 0 && (
          <EmptyNotice title="Nothing has been sent yet">
            <p>Send a test to see whether it arrives.</p>
          </EmptyNotice>
        )}
        {deliveries !== undefined && deliveries.length > 0 && (
          <ul aria-label="Deliveries" className="divide-y divide-line rounded-lg border border-line/70">
            {deliveries.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                isBusy={isBusy}
                onResend={() => void send(() => resend(delivery.id), 'The delivery is being sent again')}
              />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

function DeliveryRow(props: { delivery: WebhookDelivery; isBusy: boolean; onResend: () => void }) {
  const { delivery, isBusy, onResend } = props
  const { type, state, error, response, durationMs, channelId, attempts, createdAt } = delivery
  const channelName = useChannelName()
  const facts = [
    channelId && (channelName(channelId) ?? channelId),
    response && `answered ${response.status}`,
    durationMs !== null && `${durationMs} ms`,
    attempts > 1 && `${attempts} attempts`,
    delivery.kind === 'resend' && 'sent again',
  ].filter(Boolean)
  return (
    <li className="grid grid-cols-1 gap-1 p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium">
            <span
              className={classNames(
                'mr-2 inline-block rounded-full px-2.5 py-0.5 text-sm font-semibold',
                state === 'failed' ? 'bg-live text-on-live' : 'bg-raised text-text',
              )}
            >
              {deliveryState(delivery)}
            </span>
            {typeLabel(type)}
          </p>
          {error !== null && <p className="text-sm [overflow-wrap:anywhere]">⚠ {error}</p>}
          <p className="text-sm text-muted [overflow-wrap:anywhere]">
            <time dateTime={createdAt} title={new Date(createdAt).toLocaleString(dateLocale)}>
              {timeAgo(createdAt, serverClock.nowMs())}
            </time>
            {facts.map((fact) => ` • ${fact}`).join('')}
          </p>
        </div>
        <Button isBusy={isBusy} onClick={onResend}>
          Redeliver
        </Button>
      </div>
      <details>
        <summary className="w-fit cursor-pointer rounded-sm py-2 text-sm font-medium">
          Show request and answer
        </summary>
        <Text label="Request" text={`webhook-id: ${delivery.eventId}\n\n${delivery.request.body}`} />
        {response && <Text label={`Answer ${response.status}`} text={response.body || '(empty)'} />}
      </details>
    </li>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <>
      <p className="mt-2 text-sm text-muted">{label}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <pre tabIndex={0} className="max-h-60 overflow-auto rounded-md bg-deep p-3 text-xs whitespace-pre-wrap">
        {text}
      </pre>
    </>
  )
}
