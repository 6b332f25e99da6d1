import { useEffect, useRef, useState } from 'react'

const DOUBLE_CLICK_MS = 300

/**
 * A clear sheet over the picture: an embedded frame keeps every movement and double click to itself. A press on a
 * foreign frame takes the sheet away for as long as the controls are shown, so that what the frame offers can be
 * reached; over our own picture the press shows or hides the controls.
 */
export function PictureCover(props: {
  isActive: boolean
  isForeign: boolean
  onPress: () => void
  onDoubleClick: () => void
}) {
  const { isActive, isForeign } = props
  const [isLifted, setLifted] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (isLifted && (!isActive || !isForeign)) setLifted(false)
  if (isLifted) return null
  return (
    <div
      aria-hidden="true"
      className="absolute inset-0 z-10"
      onClick={() => {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => {
          if (isForeign) setLifted(true)
          else props.onPress()
        }, DOUBLE_CLICK_MS)
      }}
      onDoubleClick={() => {
        clearTimeout(timer.current)
        props.onDoubleClick()
      }}
    />
  )
}

/**
 * Where the focus of a remote control rests while one just watches: between the bars, so that every arrow leads from
 * it to the controls and back. The whole picture shows its ring.
 */
export function PictureFocus({ isActive, onPress }: { isActive: boolean; onPress: () => void }) {
  const place = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) place.current?.focus()
  }, [])
  return (
    <button
      ref={place}
      type="button"
      data-picture-focus
      data-focus-start
      aria-label={isActive ? 'Hide controls' : 'Show controls'}
      onClick={onPress}
      className="pointer-events-none absolute inset-x-8 top-[38%] bottom-[42%] outline-none focus-visible:shadow-none"
    />
  )
}
