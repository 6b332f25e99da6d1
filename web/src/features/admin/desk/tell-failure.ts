import { ApiError } from '../../../lib/api-error.ts'
import { toast } from '../../../ui/toast.ts'

/** Refusals of the guard have titles of their own (viewer specification §8, "Security and stream"). */
const REFUSALS: Record<string, string> = {
  unauthorized: 'Authentication Required',
  forbidden: 'Access Denied',
  admin_rate_limited: 'Rate Limit Exceeded',
}

/** The server answered and said why; an outage says nothing that a reader could use. */
const isAnswer = (failure: unknown): failure is ApiError => failure instanceof ApiError && !failure.isOutage

/**
 * Tells that an admin's change has failed: a refusal in the guard's words, anything else under `title` with the
 * server's reason, or `text` when nobody answered.
 */
export function tellFailure(failure: unknown, { title, text }: { title: string; text: string }): void {
  const refusal = isAnswer(failure) ? REFUSALS[failure.code] : undefined
  const description = isAnswer(failure) ? failure.message : text
  toast({ title: refusal ?? title, description, tone: 'error' })
}
