/** The mark on the document of an embed that started by itself. */
const MARK = 'data-starts-itself'
/** Frames of the whole page that are looked at. */
const MAX_FRAMES = 200

/**
 * Whether the player may start by itself: YouTube permits one such player on a page. Embeds of one station are of one
 * origin, so they see each other's marks, without storage and without messages. Looking and marking happens at once.
 */
export function mayStartItself(): boolean {
  const { documentElement } = document
  const isFirst = !allFrames(window.top ?? window).some((frame) => frame !== window && isMarked(frame))
  if (isFirst) documentElement.setAttribute(MARK, '')
  return isFirst
}

/** The frame and all below it. */
function allFrames(top: Window): Window[] {
  const found = [top]
  for (let index = 0; index < found.length && found.length < MAX_FRAMES; index += 1) {
    const parent = found[index]
    for (let child = 0; parent !== undefined && child < parent.length; child += 1) {
      const frame = parent[child]
      if (frame !== undefined) found.push(frame)
    }
  }
  return found
}

/** A frame of another origin does not let us look. */
function isMarked(frame: Window): boolean {
  try {
    return frame.document.documentElement.hasAttribute(MARK)
  } catch {
    return false
  }
}
