import type {
  Webhook,
  WebhookDelivery,
  WebhookFailure,
  WebhookFormat,
} from '@looptide/contracts/http/webhooks'
import type { TEST_EVENT, WebhookEventType } from '@looptide/contracts/webhook-events'

/** What an admin chooses: when a webhook is sent. */
export const EVENT_LABELS: Readonly<Record<WebhookEventType, string>> = {
  'programme.started': 'A programme starts',
  'schedule.published': 'A schedule is published',
  'takeover.started': 'A live takeover starts',
  'channel.status_changed': 'A channel starts or stops',
  'submission.received': 'A viewer submits a video',
  'user.restricted': 'A user is restricted',
}

/** The kinds of events, in the order of the form. Not of the contracts, which would load their schemas. */
export const EVENT_TYPES = Object.keys(EVENT_LABELS) as WebhookEventType[]

/** When a webhook is sent, in one line. */
export const eventList = (types: readonly WebhookEventType[]): string =>
  types
    .map((type, index) => (index === 0 ? EVENT_LABELS[type] : EVENT_LABELS[type].replace('A ', 'a ')))
    .join(', ')

/** The label of a delivery by its type. */
export const typeLabel = (type: string): string =>
  (({ ...EVENT_LABELS, ['webhook.test' satisfies typeof TEST_EVENT]: 'Test' }) as Record<string, string>)[
    type
  ] ?? type

export const FORMATS: readonly { id: WebhookFormat; label: string }[] = [
  { id: 'standard', label: 'Standard' },
  { id: 'discord', label: 'Discord' },
  { id: 'slack', label: 'Slack' },
]

export const FORMAT_HINTS: Readonly<Record<WebhookFormat, string>> = {
  standard: 'JSON, signed as Standard Webhooks. For your own programs.',
  discord: 'A message in a Discord channel. Paste the webhook address from the channel’s settings.',
  slack: 'A message in a Slack channel. Paste the address of an incoming webhook.',
}

const SWITCHED_OFF: Readonly<Record<WebhookFailure, string>> = {
  failing: 'Switched off: deliveries failed for three days',
  gone: 'Switched off: the receiver wants no more deliveries',
  backlog: 'Switched off: too many deliveries were waiting',
}

/** The state of a webhook in a few words. `isProblem`: somebody should look at it. */
export function stateOf({ isActive, disabled, failingSince }: Webhook): { text: string; isProblem: boolean } {
  if (!isActive) {
    return disabled === null
      ? { text: 'Off', isProblem: false }
      : { text: SWITCHED_OFF[disabled.reason], isProblem: true }
  }
  return failingSince === null
    ? { text: 'On', isProblem: false }
    : { text: 'Deliveries are failing and are sent again', isProblem: true }
}

/** The host of an address. The rest often is a secret of the receiver. */
export const hostOf = (url: string): string => new URL(url).host

/** The state of a delivery. */
export function deliveryState({ state, attempts }: WebhookDelivery): string {
  if (state === 'delivered') return 'Delivered'
  if (state === 'failed') return 'Failed'
  return attempts === 0 ? 'Waiting' : 'Will be sent again'
}
