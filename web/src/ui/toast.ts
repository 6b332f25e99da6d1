export type Toast = {
  title: string
  description?: string
  tone?: 'plain' | 'success' | 'error'
  /** How long it stays (ms); 5,000 unless told. */
  durationMs?: number
  /** One thing that can be done about it, e.g. Undo. */
  action?: ToastAction
}

export type ToastAction = { label: string; onPress: () => void }

const DEFAULT_DURATION_MS = 5_000

type ShownToast = Required<Pick<Toast, 'title' | 'durationMs' | 'tone'>> &
  Pick<Toast, 'description' | 'action'> & { id: number }

/** What draws the toasts. */
export type ToastHost = { show: (toast: ShownToast) => void; hide: (id: number) => void }

let host: ToastHost | undefined
let waiting: ShownToast[] = []
let lastId = 0

/**
 * Shows a short message, which screen readers announce. It waits for the toaster if that is not loaded yet. Returns a
 * function that removes the toast early.
 */
export function toast(request: Toast): () => void {
  const { title, description, tone = 'plain', durationMs = DEFAULT_DURATION_MS, action } = request
  lastId += 1
  const id = lastId
  const entry = {
    id,
    title,
    tone,
    durationMs,
    ...(description && { description }),
    ...(action && { action }),
  }
  if (host) host.show(entry)
  else waiting.push(entry)
  return () => {
    waiting = waiting.filter((each) => each.id !== id)
    host?.hide(id)
  }
}

/** Sends all toasts to `toaster`, those that are waiting first. Returns a function that detaches it. */
export function showToastsWith(toaster: ToastHost): () => void {
  host = toaster
  for (const entry of waiting) toaster.show(entry)
  waiting = []
  return () => {
    if (host === toaster) host = undefined
  }
}
