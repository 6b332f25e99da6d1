import { ApiError } from '../../../lib/api/api-error.ts'
import { toast } from '../../../ui/toast.ts'

interface Message {
  title: string
  description: string
}

/** Toast texts for denied permissions, by error code (docs/product/viewer.md §8, "Security and stream"). */
const DENIALS: Record<string, (message: string) => Message> = {
  unauthorized: () => ({
    title: 'Authentication Required',
    description: 'Please log in to perform this action',
  }),
  forbidden: (description) => ({ title: 'Access Denied', description }),
  admin_rate_limited: (description) => ({ title: 'Rate Limit Exceeded', description }),
}

/** Whether the server responded with a reason. The message of an outage is of no use to the reader. */
const hasReason = (failure: unknown): failure is ApiError => failure instanceof ApiError && !failure.isOutage

/** The toast text of a denied permission; undefined for every other failure. */
const denialOf = (failure: unknown): Message | undefined =>
  hasReason(failure) ? DENIALS[failure.code]?.(failure.message) : undefined

/**
 * Shows a failed change as a toast. A denied permission has its own text; otherwise the toast has `title` and the
 * server's reason, or `text` if the server did not respond.
 */
export function showFailure(failure: unknown, { title, text }: { title: string; text: string }): void {
  const message = denialOf(failure) ?? { title, description: hasReason(failure) ? failure.message : text }
  toast({ ...message, tone: 'error' })
}

/** As {@link showFailure}, but with a fixed text instead of the server's reason. */
export function showFailureText(failure: unknown, message: Message): void {
  toast({ ...(denialOf(failure) ?? message), tone: 'error' })
}
