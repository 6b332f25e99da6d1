export interface Toast {
  title: string
  description?: string
  tone?: 'plain' | 'success' | 'error'
  /** Time until it disappears, in ms; default 5,000. */
  durationMs?: number
  /** An action, e.g. Undo. */
  action?: ToastAction
}

export interface ToastAction {
  label: string
  onPress: () => void
}

const DEFAULT_DURATION_MS = 5_000

type ShownToast = Required<Pick<Toast, 'title' | 'durationMs' | 'tone'>> &
  Pick<Toast, 'description' | 'action'> & { id: number }

/** The component that renders toasts. */
export interface ToastHost {
  show: (toast: ShownToast) => void
  hide: (id: number) => void
}

let host: ToastHost | undefined
let queued: ShownToast[] = []
let lastId = 0

/** The last toast of each text, without those that have an action, and when it disappears (ms since the page was opened). */
const lastOfText = new Map<string, { id: number; untilMs: number }>()

/**
 * Shows a toast, which screen readers announce. It is queued until the toaster has loaded. A toast without an action
 * replaces the one with the same text. Returns a function that removes the toast early.
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
  if (action === undefined) replaceSame(entry)
  if (host) host.show(entry)
  else queued.push(entry)
  return () => hide(id)
}

function hide(id: number): void {
  queued = queued.filter((each) => each.id !== id)
  host?.hide(id)
}

/** Removes the toast with the text of `entry`: the same message repeated would pile up. */
function replaceSame({ id, title, description = '', durationMs }: ShownToast): void {
  const nowMs = performance.now()
  for (const [text, { untilMs }] of lastOfText) if (untilMs < nowMs) lastOfText.delete(text)
  const text = `${title}\n${description}`
  const same = lastOfText.get(text)
  if (same) hide(same.id)
  lastOfText.set(text, { id, untilMs: nowMs + durationMs })
}

/** Sends all toasts to `toaster`, queued ones first. Returns a function that detaches it. */
export function showToastsWith(toaster: ToastHost): () => void {
  host = toaster
  for (const entry of queued) toaster.show(entry)
  queued = []
  return () => {
    if (host === toaster) host = undefined
  }
}
