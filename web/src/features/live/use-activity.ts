import { useEffect, useState } from 'react'

/** How long the controls stay after the last movement or key. */
const FADE_AFTER_MS = 4_000
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const

/** Whether the viewer has just been using the page. */
export function useActivity(): boolean {
  const [isActive, setActive] = useState(true)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const onSign = () => {
      setActive(true)
      clearTimeout(timer)
      timer = setTimeout(() => setActive(false), FADE_AFTER_MS)
    }
    onSign()
    for (const sign of SIGNS) window.addEventListener(sign, onSign, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const sign of SIGNS) window.removeEventListener(sign, onSign)
    }
  }, [])
  return isActive
}
