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
  Pick<Toast, 'description' | 'action'>
type Show = (toast: ShownToast) => void

let show: Show | undefined
let waiting: ShownToast[] = []

/** Tells the user something in passing; screen readers hear it as well. Kept until the toaster is there. */
export function toast(wish: Toast): void {
  const { title, description, tone = 'plain', durationMs = DEFAULT_DURATION_MS, action } = wish
  const entry = { title, tone, durationMs, ...(description && { description }), ...(action && { action }) }
  if (show) show(entry)
  else waiting.push(entry)
}

/** For the toaster: takes over what is to be shown; answers how to let go again. */
export function showToastsWith(handler: Show): () => void {
  show = handler
  for (const entry of waiting) handler(entry)
  waiting = []
  return () => {
    if (show === handler) show = undefined
  }
}
