import { useEffect, useRef, useState } from 'react'

const DOUBLE_CLICK_MS = 300

/**
 * A transparent layer over the picture, because an embedded frame does not pass on pointer events. A press over a
 * foreign frame removes the layer while the controls are shown, so that the frame's own controls can be used. Over our
 * own player a press shows or hides the controls.
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
 * The focus position of a remote control while watching: between the bars, so that every arrow moves from it to the
 * controls and back. The focus ring is drawn around the whole picture.
 */
export function PictureFocus({ isActive, onPress }: { isActive: boolean; onPress: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) button.current?.focus()
  }, [])
  return (
    <button
      ref={button}
      type="button"
      data-picture-focus
      data-focus-start
      aria-label={isActive ? 'Hide controls' : 'Show controls'}
      onClick={onPress}
      className="pointer-events-none absolute inset-x-8 top-[38%] bottom-[42%] outline-none focus-visible:shadow-none"
    />
  )
}
