const listeners = new Set<() => void>()

/** Ends the live picture in the corner. Each player with controls of its own calls it, so that sound never doubles. */
export function endLivePicture(): void {
  for (const listener of listeners) listener()
}

/** Calls back when the live picture in the corner must end. Returns how to remove the listener. */
export function onLivePictureEnd(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
