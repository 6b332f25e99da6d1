import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { keepInView } from '../../lib/browser/keep-in-view.ts'

/**
 * A section of a page of the profile: title and description above its controls. Links with its `anchor` as their hash focus
 * the title.
 */
export function SettingsSection(props: {
  title: string
  text: string
  anchor?: string
  /** The button of a section that has one: beside its title. */
  action?: ReactNode
  children?: ReactNode
}) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { hash, key } = useLocation()
  const isTarget = props.anchor !== undefined && hash === `#${props.anchor}`
  // `key` differs for each navigation, also for a repeated one.
  useEffect(() => {
    if (!isTarget || !heading.current) return
    heading.current.focus({ preventScroll: true })
    return keepInView(heading.current)
  }, [isTarget, key])
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 border-t border-line/60 pt-8"
    >
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2
            ref={heading}
            id={id}
            tabIndex={props.anchor ? -1 : undefined}
            className="text-lg font-semibold"
          >
            {props.title}
          </h2>
          <p className="mt-1 text-sm text-muted">{props.text}</p>
        </div>
        {props.action}
      </div>
      {props.children}
    </section>
  )
}
