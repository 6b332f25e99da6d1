import { createDb } from '@looptide/service-kit/db/db'
import { OutboundRequests } from '@looptide/service-kit/outbound/outbound-requests'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { Registry } from 'prom-client'
import type { Database } from '../src/db/schema.ts'
import { DeliveryWorker } from '../src/features/webhooks/delivery-worker.ts'
import { loopbackOnly } from './_webhooks.ts'

// A process that sends the deliveries of a database until it is killed.
const logger = createLogger('webhooks', 'silent')
const db = createDb<Database>(process.argv[2] ?? '', logger, 4)
const outbound = new OutboundRequests(loopbackOnly())
new DeliveryWorker({ db, outbound, logger, registry: new Registry(), now: Date.now }).start()
