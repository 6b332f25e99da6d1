import {
  WEBHOOK_FORMATS,
  type Webhook,
  type WebhookDelivery,
  type WebhookFormat,
  type WebhookWithSecret,
} from '@looptide/contracts/http/webhooks'
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@looptide/contracts/webhook-events'
import { Argument, Option } from 'commander'
import type { Session } from '../session.ts'
import { table } from '../table.ts'
import type { AddCommands } from './add-commands.ts'

interface CreateOptions {
  events: WebhookEventType[]
  channel?: string[]
  format: WebhookFormat
}

/** Adds `webhooks`. */
export const addWebhookCommands: AddCommands = (program, act) => {
  const webhooks = program.command('webhooks').description('addresses that are notified of events')
  const id = () => new Argument('<id>', 'as in webhooks list')
  webhooks.command('list').description('list webhooks').action(act(list))
  webhooks
    .command('create')
    .description('create a webhook; prints its secret, which is shown only once')
    .argument('<url>', 'the address of the receiver')
    .addOption(
      new Option('--events <types...>', 'what it is notified of')
        .choices(WEBHOOK_EVENT_TYPES)
        .makeOptionMandatory(),
    )
    .option('--channel <ids...>', 'only of these channels')
    .addOption(
      new Option('--format <format>', 'what the receiver understands')
        .choices(WEBHOOK_FORMATS)
        .default('standard'),
    )
    .action(act(create))
  webhooks.command('test').description('send a test to a webhook').addArgument(id()).action(act(sendTest))
  webhooks
    .command('deliveries')
    .description('list its last deliveries, newest first; with --json also bodies and answers')
    .addArgument(id())
    .action(act(listDeliveries))
  webhooks
    .command('resend')
    .description('send a delivery again')
    .addArgument(id())
    .argument('<delivery>', 'as in webhooks deliveries')
    .action(act(resend))
  webhooks
    .command('rotate')
    .description('replace the secret; the previous one signs too for 24 hours')
    .addArgument(id())
    .action(act(rotate))
}

async function list(session: Session): Promise<void> {
  const { items } = await (await session.station()).call('GET /api/webhooks')
  const rows = items.map((webhook) => [
    webhook.id,
    stateOf(webhook),
    webhook.format,
    webhook.channelIds?.join(' ') ?? 'all',
    webhook.events.join(' '),
    // Of the address only the host, as in the audit log: the rest often is a secret of the receiver.
    new URL(webhook.url).host,
  ])
  const headings = ['ID', 'STATE', 'FORMAT', 'CHANNELS', 'EVENTS', 'HOST']
  session.report(items, items.length === 0 ? 'No webhooks.' : table(headings, rows))
}

function stateOf({ isActive, disabled, failingSince }: Webhook): string {
  if (disabled !== null) return `off (${disabled.reason})`
  if (!isActive) return 'off'
  return failingSince === null ? 'on' : 'failing'
}

async function create(
  session: Session,
  url: string,
  { events, channel, format }: CreateOptions,
): Promise<void> {
  const webhook = await (await session.station()).call('POST /api/webhooks', {
    body: { url, events, format, ...(channel !== undefined && { channelIds: channel }) },
  })
  session.report(webhook, `Webhook ${webhook.id} is created.\n${secretOf(webhook)}`)
}

const secretOf = ({ secret, publicKey }: WebhookWithSecret): string =>
  `Secret: ${secret} (not shown again)\nPublic key: ${publicKey}`

async function sendTest(session: Session, id: string): Promise<void> {
  const delivery = await (await session.station()).call('POST /api/webhooks/:id/test', { params: { id } })
  session.report(delivery, `The test is sent as delivery ${delivery.id}.`)
}

async function listDeliveries(session: Session, id: string): Promise<void> {
  const found = await (await session.station()).call('GET /api/webhooks/:id/deliveries', { params: { id } })
  const rows = found.items.map((delivery) => [
    delivery.id,
    delivery.createdAt,
    delivery.type,
    delivery.state,
    String(delivery.attempts),
    answerOf(delivery),
  ])
  const headings = ['ID', 'CREATED', 'EVENT', 'STATE', 'ATTEMPTS', 'ANSWER']
  const waiting = found.waiting === 0 ? '' : `\n${found.waiting} waiting.`
  session.report(found, found.items.length === 0 ? 'No deliveries.' : table(headings, rows) + waiting)
}

function answerOf({ response, durationMs, error }: WebhookDelivery): string {
  const time = durationMs === null ? '' : ` after ${durationMs} ms`
  if (response !== null) return `${response.status}${time}`
  return error === null ? '-' : `${error}${time}`
}

async function resend(session: Session, id: string, deliveryId: string): Promise<void> {
  const station = await session.station()
  const params = { id, deliveryId }
  const delivery = await station.call('POST /api/webhooks/:id/deliveries/:deliveryId/resend', { params })
  session.report(delivery, `It is sent again as delivery ${delivery.id}.`)
}

async function rotate(session: Session, id: string): Promise<void> {
  const webhook = await (await session.station()).call('POST /api/webhooks/:id/rotate-secret', {
    params: { id },
  })
  session.report(webhook, `The previous secret signs too for 24 hours.\n${secretOf(webhook)}`)
}
