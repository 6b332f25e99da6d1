import { type ComponentProps, useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import { Tabs } from './tabs.tsx'

/** Tabs whose list scrolls sideways where it is too wide; the shown tab is kept in its visible part. */
export function ScrollingTabs<T extends string>(props: ComponentProps<typeof Tabs<T>>) {
  const { value, tabs } = props
  const count = tabs.length
  const frame = useRef<HTMLDivElement>(null)
  // The tabs get their final widths late, with the font.
  useEffect(() => {
    const list = frame.current?.querySelector('[role="tablist"]')
    const tab = list?.querySelector('[aria-selected="true"]')
    if (!list || !tab) return
    const observer = new ResizeObserver(() => {
      const [inner, outer] = [tab.getBoundingClientRect(), list.getBoundingClientRect()]
      list.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2)
    })
    for (const sized of [list, ...list.children]) observer.observe(sized)
    return () => observer.disconnect()
  }, [value, count])
  return (
    <div ref={frame} className="min-w-0">
      <Tabs<T> {...props} listClassName={classNames('overflow-x-auto scrollbar-none', props.listClassName)} />
    </div>
  )
}
