import { useEffect, useEffectEvent, useState } from 'react'
import { type Toast, toast } from '../ui/toast.ts'
import { ApiError } from './api/api-error.ts'
import { SignInError } from './session/sign-in-error.ts'
import { waitText } from './time/time-ago.ts'

// How the app shows that a request has failed. A refusal has a reason, which is shown. What an outage says is of no use
// to the reader, so each caller has a text for it. A read that failed is shown in place (`ErrorNotice`), as a toast too
// with `useFailureToast`; a command as a toast (`useAction`, `showFailure`), or at the field of its form (`failureText`).

/** The title of a toast, and its text for a failure without a reason. */
export interface FailedTexts {
  title: string
  text: string
}

/** Toast titles and texts for denied permissions, by error code (docs/product/viewer.md §8, "Security and stream"). */
const DENIALS: Record<string, { title: string; description?: string }> = {
  unauthorized: { title: 'Authentication Required', description: 'Please log in to perform this action' },
  forbidden: { title: 'Access Denied' },
  admin_rate_limited: { title: 'Rate Limit Exceeded' },
}

/** Whether the server refused the request, so that its message is the reason. */
const isRefusal = (failure: unknown): failure is ApiError => failure instanceof ApiError && !failure.isOutage

/** The server's reason, and when the request may be repeated if a limit refused it; undefined if there is none. */
function reasonOf(failure: unknown): string | undefined {
  if (failure instanceof SignInError) return failure.message
  if (!isRefusal(failure)) return undefined
  const { message, status, retryAfterMs } = failure
  if (status !== 429 || retryAfterMs === undefined) return message
  return `${message} You can try again in ${waitText(retryAfterMs)}.`
}

/**
 * The text for a failed request about one's own account: the server's message if it refused or cannot check a picture,
 * else `otherwise`.
 */
export function failureText(failure: unknown, otherwise: string): string {
  if (!(failure instanceof ApiError)) return reasonOf(failure) ?? otherwise
  if (failure.code === 'rate_limited' && failure.retryAfterMs !== undefined) {
    return `Too many attempts. Please try again in ${waitText(failure.retryAfterMs)}.`
  }
  if (failure.code === 'scanner_unavailable') return failure.message
  return failure.isOutage || failure.code === 'unreadable_answer' ? otherwise : failure.message
}

/**
 * Shows a failure as a toast with `title` and the server's reason, or `text` if there is none. A denied permission has
 * its own title. Returns a function that removes the toast.
 */
export function showFailure(failure: unknown, { title, text }: FailedTexts): () => void {
  const denial = isRefusal(failure) ? DENIALS[failure.code] : undefined
  return toast({ title, description: reasonOf(failure) ?? text, ...denial, tone: 'error' })
}

/** As {@link showFailure}, but with `text` instead of the server's reason, unless a limit or a permission refused. */
export function showFailureText(failure: unknown, { title, text }: FailedTexts): void {
  const isExplained = isRefusal(failure) && (failure.status === 429 || failure.code in DENIALS)
  showFailure(isExplained ? failure : undefined, { title, text })
}

/** As {@link showFailure}, for a failure to sign in or to use the browser for it. */
export const showSignInFailure = (title: string, failure: unknown): (() => void) =>
  showFailure(failure, {
    title: failure instanceof SignInError ? title : 'Error',
    text: 'An unexpected error occurred',
  })

/** Runs actions one at a time. A failure is shown as a toast, see {@link showFailure}. */
export function useAction() {
  const [isBusy, setBusy] = useState(false)
  /** Resolves to whether the action has succeeded; false as well if another one is running. */
  const run = async (action: () => Promise<unknown>, failed: FailedTexts): Promise<boolean> => {
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

/** Time in which the same failure is shown only once, in ms: several parts of a page may load the same list. */
const SAME_FAILURE_MS = 1_000
const shownAtMs = new Map<string, number>()

/** Shows the failure of a read as a toast when it starts, not again while it lasts. */
export function useFailureToast(error: unknown, { title, text }: { title: string; text?: string }): void {
  const hasFailed = error !== undefined
  const show = useEffectEvent(() => {
    const key = `${title} ${text ?? ''}`
    const nowMs = performance.now()
    const before = shownAtMs.get(key)
    shownAtMs.set(key, nowMs)
    if (before !== undefined && nowMs - before < SAME_FAILURE_MS) return
    const failure: Toast = { title, tone: 'error', ...(text && { description: text }) }
    toast(failure)
  })
  useEffect(() => {
    if (hasFailed) show()
  }, [hasFailed])
}
