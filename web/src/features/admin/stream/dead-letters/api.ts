import {
  DEAD_LETTER_SERVICES,
  type DeadLetter,
  type DeadLetterPage,
  type DeadLetterService,
} from '@looptide/contracts/http/admin'
import { topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { api } from '../../../../lib/clients.ts'
import { useReload } from '../../../../lib/use-pushed-changes.ts'
import { useTopic } from '../../../../lib/use-topic.ts'

export type ServiceLetter = DeadLetter & { service: DeadLetterService }
export type Letters = {
  /** Newest first, at most a hundred of each service. */
  letters: ServiceLetter[]
  /** Services that did not answer. */
  silent: DeadLetterService[]
  /** Services that have more than are listed. */
  more: DeadLetterService[]
}

/** Nobody tells when an event is given up (ms). */
const LOOK_AGAIN_MS = 30_000
const SETTLE_MS = 300

const pathOf = (service: DeadLetterService): string => `/api/dead-letters/${service}`

/** Asks all services together; one that is away does not hide the others' letters. Throws when none answers. */
async function fetchLetters(): Promise<Letters> {
  const answers = await Promise.allSettled(
    DEAD_LETTER_SERVICES.map((service) => api.get<DeadLetterPage>(pathOf(service))),
  )
  const found: Letters = { letters: [], silent: [], more: [] }
  for (const [index, service] of DEAD_LETTER_SERVICES.entries()) {
    const answer = answers[index]
    if (answer?.status !== 'fulfilled') {
      found.silent.push(service)
      continue
    }
    found.letters.push(...answer.value.items.map((letter) => ({ ...letter, service })))
    if (answer.value.nextCursor !== null) found.more.push(service)
  }
  const [first] = answers
  if (found.silent.length === DEAD_LETTER_SERVICES.length && first?.status === 'rejected') throw first.reason
  found.letters.sort((a, b) => Date.parse(b.failedAt) - Date.parse(a.failedAt))
  return found
}

/** The dead letters of all services. What other admins do with them is pushed. */
export function useDeadLetters() {
  const answer = useSWR('/api/dead-letters', fetchLetters, { refreshInterval: LOOK_AGAIN_MS })
  const reload = useReload(answer, SETTLE_MS)
  useTopic('admin', topics.admin, {
    audit: ({ entry }) => {
      if (entry.action?.startsWith('dead_letter.')) reload()
    },
  })
  return answer
}

/** Gives the event to its service once more; guarded. */
export const replayLetter = ({ service, id }: ServiceLetter): Promise<unknown> =>
  api.post(`${pathOf(service)}/${id}/replay`)

export const dropLetter = ({ service, id }: ServiceLetter): Promise<void> =>
  api.delete(`${pathOf(service)}/${id}`)
