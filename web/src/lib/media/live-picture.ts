const endListeners = new Set<() => void>()

/** Ends the live picture outside its page. Each player with controls of its own calls it, so that sound never doubles. */
export function endLivePicture(): void {
  for (const listener of endListeners) listener()
}

/** Calls back when the live picture outside its page must end. Returns how to remove the listener. */
export function onLivePictureEnd(listener: () => void): () => void {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

let stage: HTMLElement | undefined
const stageListeners = new Set<() => void>()

/** The element of a page over which the live picture plays, muted, while it is not open otherwise; undefined without one. */
export const liveStage = {
  get: (): HTMLElement | undefined => stage,
  set: (element: HTMLElement | undefined): void => {
    if (element === stage) return
    stage = element
    for (const listener of [...stageListeners]) listener()
  },
  /** Returns how to remove the listener. */
  onChange: (listener: () => void): (() => void) => {
    stageListeners.add(listener)
    return () => stageListeners.delete(listener)
  },
}

/** Web lock of the tabs that show the live picture: shared on the live page and in the corner, else exclusive. */
export const LIVE_LOCK = 'looptide.live'
