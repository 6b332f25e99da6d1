import { useState } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import { waitText } from '../../lib/time/time-ago.ts'
import { toast } from '../../ui/toast.ts'

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

/** The server's reason, and when the request may be repeated if a limit refused it. */
function reasonOf({ message, status, retryAfterMs }: ApiError): string {
  if (status !== 429 || retryAfterMs === undefined) return message
  return `${message} You can try again in ${waitText(retryAfterMs)}.`
}

/** The toast text of a denied permission; undefined for every other failure. */
const denialOf = (failure: unknown): Message | undefined =>
  hasReason(failure) ? DENIALS[failure.code]?.(reasonOf(failure)) : undefined

/**
 * Shows a failed change as a toast. A denied permission has its own text; otherwise the toast has `title` and the
 * server's reason, or `text` if the server did not respond.
 */
export function showFailure(failure: unknown, { title, text }: { title: string; text: string }): void {
  const message = denialOf(failure) ?? { title, description: hasReason(failure) ? reasonOf(failure) : text }
  toast({ ...message, tone: 'error' })
}

/** As {@link showFailure}, but with a fixed text instead of the server's reason, except for a limit. */
export function showFailureText(failure: unknown, message: Message): void {
  const isLimit = hasReason(failure) && failure.status === 429
  const shown = isLimit ? { ...message, description: reasonOf(failure) } : message
  toast({ ...(denialOf(failure) ?? shown), tone: 'error' })
}

/** Runs actions one at a time. A failure is shown as a toast, see {@link showFailure}. */
export function useAction() {
  const [isBusy, setBusy] = useState(false)
  /** Resolves to whether the action has succeeded; false as well if another one is running. */
  const run = async (
    action: () => Promise<unknown>,
    failed: { title: string; text: string },
  ): Promise<boolean> => {
    if (isBusy) return false
    setBusy(true)
    try {
      await action()
      return true
    } catch (failure) {
      showFailure(failure, failed)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, run }
}
