import type { DeadLetter } from '@looptide/contracts/http/admin'
import { topics } from '@looptide/contracts/realtime'
import { SERVICES, type ServiceName } from '@looptide/contracts/service-names'
import useSWR from 'swr'
import { ApiError } from '../../../lib/api/api-error.ts'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { api } from '../../../lib/clients.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'

/** An event that a service could not process. */
export type ServiceDeadLetter = DeadLetter & { service: ServiceName }
/** The dead letters of all services. */
export interface DeadLetterList {
  /** Newest first, at most 100 per service. */
  items: ServiceDeadLetter[]
  /** Services whose request failed. */
  unavailable: ServiceName[]
  /** Services with more dead letters than are listed. */
  truncated: ServiceName[]
}

/** Reload interval in ms, since new dead letters are not pushed. */
const REFRESH_INTERVAL_MS = 30_000
/** Window in which several changes cause one reload, in ms. */
const RELOAD_DELAY_MS = 300

/** Requests the dead letters of all services. A failed request hides only that service's; throws if all fail. */
async function fetchDeadLetters(): Promise<DeadLetterList> {
  const responses = await Promise.allSettled(
    SERVICES.map((service) => api.call(`GET /api/dead-letters/${service}`)),
  )
  const list: DeadLetterList = { items: [], unavailable: [], truncated: [] }
  for (const [index, service] of SERVICES.entries()) {
    const response = responses[index]
    if (isAbsent(response)) continue
    if (response?.status !== 'fulfilled') {
      list.unavailable.push(service)
      continue
    }
    list.items.push(...response.value.items.map((deadLetter) => ({ ...deadLetter, service })))
    if (response.value.nextCursor !== null) list.truncated.push(service)
  }
  const [first] = responses
  if (list.unavailable.length === SERVICES.length && first?.status === 'rejected') throw first.reason
  list.items.sort((a, b) => Date.parse(b.failedAt) - Date.parse(a.failedAt))
  return list
}

/** Whether the station runs without the service. */
const isAbsent = (response: PromiseSettledResult<unknown> | undefined): boolean =>
  response?.status === 'rejected' &&
  response.reason instanceof ApiError &&
  response.reason.code === 'not_found'

/** The dead letters of all services, reloaded when another admin replays or drops one. */
export function useDeadLetters() {
  const response = useSWR('dead-letters', fetchDeadLetters, { refreshInterval: REFRESH_INTERVAL_MS })
  const reload = useReload(response, RELOAD_DELAY_MS)
  useTopic(
    'audit',
    topics.audit,
    {
      entry: ({ entry }) => {
        if (entry.action?.startsWith('dead_letter.')) reload()
      },
    },
    reload,
  )
  return response
}
