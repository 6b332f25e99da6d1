import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'

/** A reader further from the end than this is reading back, and the position is kept. */
const NEAR_END_PX = 64
/** Distance from the top at which older messages are loaded. */
const NEAR_START_PX = 400

interface Anchor {
  seq: number
  top: number
}

/**
 * Keeps the scroll position of the message list: at the newest message or, while reading back, with the message at the
 * top edge in place, whatever is added, removed or resized around it. Finds messages by their `data-seq`.
 */
export function useScroll(options: {
  list: RefObject<HTMLElement | null>
  /** Changes with the messages. */
  content: unknown
  isFollowing: boolean
  onFollow: (isFollowing: boolean) => void
  onNearStart: () => void
}): { toEnd: () => void } {
  const { list, content, isFollowing } = options
  const anchor = useRef<Anchor | undefined>(undefined)
  const settledHeight = useRef(0)

  const settle = useEffectEvent((following: boolean) => {
    const element = list.current
    if (!element) return
    if (following) element.scrollTop = element.scrollHeight
    else if (anchor.current) restore(element, anchor.current)
    anchor.current = topmost(element)
    settledHeight.current = element.clientHeight
  })
  const onContent = useEffectEvent((_content: unknown, following: boolean) => settle(following))
  const onResize = useEffectEvent(() => settle(isFollowing))
  const onScroll = useEffectEvent(() => {
    const element = list.current
    // A scroll event after a resize is not the reader's: `settle` corrects the position first.
    if (!element || element.clientHeight !== settledHeight.current) return
    anchor.current = topmost(element)
    options.onFollow(element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX)
    if (element.scrollTop < NEAR_START_PX) options.onNearStart()
  })

  useLayoutEffect(() => onContent(content, isFollowing), [content, isFollowing])

  useEffect(() => {
    const element = list.current
    if (!element) return
    // A scrollable element must be focusable by keyboard.
    element.tabIndex = 0
    const listener = () => onScroll()
    element.addEventListener('scroll', listener, { passive: true })
    const observer = new ResizeObserver(() => onResize())
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => {
      element.removeEventListener('scroll', listener)
      observer.disconnect()
    }
  }, [list])

  const toEnd = useCallback(() => {
    const element = list.current
    if (element) element.scrollTop = element.scrollHeight
  }, [list])
  return { toEnd }
}

const lines = (list: HTMLElement): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[data-seq]')]
const seqOf = (line: HTMLElement): number => Number(line.dataset.seq)

/** The first visible message and its position. */
function topmost(list: HTMLElement): Anchor | undefined {
  const edge = list.getBoundingClientRect().top
  const line = lines(list).find((each) => each.getBoundingClientRect().bottom > edge)
  return line && { seq: seqOf(line), top: line.getBoundingClientRect().top - edge }
}

/** Scrolls the message, or the next one if it was removed, back to its position. */
function restore(list: HTMLElement, { seq, top }: Anchor): void {
  const line = lines(list).find((each) => seqOf(each) >= seq)
  if (line) list.scrollTop += line.getBoundingClientRect().top - list.getBoundingClientRect().top - top
}
