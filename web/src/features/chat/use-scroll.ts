import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'

/** Whoever has scrolled further up than this is reading back, and stays where they are. */
const NEAR_END_PX = 64
/** Older messages are asked for before the top is reached. */
const NEAR_START_PX = 400

type Anchor = { seq: number; top: number }

/**
 * Keeps the list of messages where its reader wants it: at the newest message, or, when reading back, with the
 * message at the top edge in its place, whatever is added, taken away or resized around it. Messages are found by
 * their `data-seq`.
 */
export function useScroll(options: {
  list: RefObject<HTMLElement | null>
  /** Changes whenever the messages do. */
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
    // A scroll that is told of after a resize says nothing of its reader: where the end is now, settling decides first.
    if (!element || element.clientHeight !== settledHeight.current) return
    anchor.current = topmost(element)
    options.onFollow(element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX)
    if (element.scrollTop < NEAR_START_PX) options.onNearStart()
  })

  useLayoutEffect(() => onContent(content, isFollowing), [content, isFollowing])

  useEffect(() => {
    const element = list.current
    if (!element) return
    // What scrolls must be reachable by keyboard.
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

/** The first message that is seen, and where it stands. */
function topmost(list: HTMLElement): Anchor | undefined {
  const edge = list.getBoundingClientRect().top
  const line = lines(list).find((one) => one.getBoundingClientRect().bottom > edge)
  return line && { seq: seqOf(line), top: line.getBoundingClientRect().top - edge }
}

/** Puts the message, or the one that took its place, back where it stood. */
function restore(list: HTMLElement, { seq, top }: Anchor): void {
  const line = lines(list).find((one) => seqOf(one) >= seq)
  if (line) list.scrollTop += line.getBoundingClientRect().top - list.getBoundingClientRect().top - top
}
