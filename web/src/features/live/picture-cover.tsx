import { useEffect, useRef, useState } from 'react'

const DOUBLE_CLICK_MS = 300

/**
 * A clear sheet over the picture: an embedded frame keeps every movement and double click to itself. One click
 * takes it away for as long as the controls are shown, so that whatever the frame offers can be reached.
 */
export function PictureCover({ isActive, onDoubleClick }: { isActive: boolean; onDoubleClick: () => void }) {
  const [isLifted, setLifted] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (!isActive && isLifted) setLifted(false)
  if (isLifted) return null
  return (
    <div
      aria-hidden="true"
      className="absolute inset-0 z-10"
      onClick={() => {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => setLifted(true), DOUBLE_CLICK_MS)
      }}
      onDoubleClick={() => {
        clearTimeout(timer.current)
        onDoubleClick()
      }}
    />
  )
}
