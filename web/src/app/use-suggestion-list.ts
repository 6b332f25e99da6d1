import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'

/**
 * The list of suggestions below the search box: whether it is shown, which option is active, and the keys (WAI-ARIA
 * combobox). `frame` contains box and list. `onCancel` handles Escape while the list is closed.
 */
export function useSuggestionList(
  frame: { current: HTMLElement | null },
  { text, onCancel }: { text: string; onCancel: (() => void) | undefined },
) {
  const [isOpen, setOpen] = useState(false)
  const [activeId, setActiveId] = useState<string>()
  const hasText = text.trim() !== ''
  const isShown = isOpen && hasText

  const close = () => {
    setOpen(false)
    setActiveId(undefined)
  }
  useOutsidePress(frame, isShown, close)

  /** Returns whether the key has been handled. */
  const onEscape = (): boolean => {
    if (!isShown && !onCancel) return false
    if (isShown) close()
    else onCancel?.()
    return true
  }
  const onEnter = (): boolean => {
    if (isShown && activeId) document.getElementById(activeId)?.click()
    return isShown && Boolean(activeId)
  }
  const onArrow = (step: 1 | -1): boolean => {
    if (!isShown) {
      if (isOpen || step === -1 || !hasText) return false
      setOpen(true)
      return true
    }
    const next = neighbour(frame.current, activeId, step)
    // Without options the arrow may move the focus out of the box, unless suggestions are loading.
    if (next === null) return step === 1 && Boolean(frame.current?.querySelector('[aria-busy="true"]'))
    setActiveId(next?.id)
    next?.scrollIntoView({ block: 'nearest' })
    return true
  }
  const actions: Record<string, () => boolean> = {
    Escape: onEscape,
    Enter: onEnter,
    ArrowDown: () => onArrow(1),
    ArrowUp: () => onArrow(-1),
  }

  return {
    isShown,
    activeId,
    close,
    /** Shows the list, with no option active. */
    reopen: () => {
      setActiveId(undefined)
      setOpen(true)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (actions[event.key]?.()) event.preventDefault()
    },
  }
}

/** The next option; undefined for the box itself, above the first option. Null if there is none in that direction. */
function neighbour(frame: HTMLElement | null, activeId: string | undefined, step: 1 | -1) {
  const options = [...(frame?.querySelectorAll<HTMLElement>('[role="option"]') ?? [])]
  if (options.length === 0) return null
  const index = options.findIndex(({ id }) => id === activeId) + step
  if (index === -2) return null
  return index === -1 ? undefined : (options[index] ?? options.at(-1))
}

function useOutsidePress(frame: { current: HTMLElement | null }, isOn: boolean, onPress: () => void) {
  const press = useEffectEvent((event: PointerEvent) => {
    if (!frame.current?.contains(event.target as Node)) onPress()
  })
  useEffect(() => {
    if (!isOn) return
    const listener = (event: PointerEvent) => press(event)
    document.addEventListener('pointerdown', listener)
    return () => document.removeEventListener('pointerdown', listener)
  }, [isOn])
}
