import { ApiError } from '../../../lib/api-error.ts'
import { toast } from '../../../ui/toast.ts'

type Words = { title: string; description: string }

/**
 * Refusals of the guard have words of their own (docs/product/viewer.md §8, "Security and stream"). A session that has
 * ended meanwhile is a refusal as well, whatever the service calls it.
 */
const REFUSALS: Record<string, (message: string) => Words> = {
  unauthorized: () => ({
    title: 'Authentication Required',
    description: 'Please log in to perform this action',
  }),
  forbidden: (description) => ({ title: 'Access Denied', description }),
  admin_rate_limited: (description) => ({ title: 'Rate Limit Exceeded', description }),
}

/** The server answered and said why; an outage says nothing that a reader could use. */
const isAnswer = (failure: unknown): failure is ApiError => failure instanceof ApiError && !failure.isOutage

/** The guard's words for a refusal; undefined for every other failure. */
const refusalOf = (failure: unknown): Words | undefined =>
  isAnswer(failure) ? REFUSALS[failure.code]?.(failure.message) : undefined

/**
 * Tells that an admin's change has failed: a refusal in the guard's words, anything else under `title` with the
 * server's reason, or `text` when nobody answered.
 */
export function tellFailure(failure: unknown, { title, text }: { title: string; text: string }): void {
  const words = refusalOf(failure) ?? { title, description: isAnswer(failure) ? failure.message : text }
  toast({ ...words, tone: 'error' })
}

/** As {@link tellFailure}, where `words` say it all: the server's reason is not told. */
export function tellFailureAs(failure: unknown, words: Words): void {
  toast({ ...(refusalOf(failure) ?? words), tone: 'error' })
}
